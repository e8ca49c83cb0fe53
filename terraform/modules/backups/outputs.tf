output "buckets" {
  description = "Bucket by owner."
  value       = { for owner, bucket in aws_s3_bucket.this : owner => { name = bucket.bucket, arn = bucket.arn } }
}
