output "buckets" {
  description = "Bucket by owner: name and ARN."
  value       = { for owner, bucket in aws_s3_bucket.this : owner => { name = bucket.bucket, arn = local.arns[owner] } }
}
