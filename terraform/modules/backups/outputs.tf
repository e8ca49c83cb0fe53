output "buckets" {
  description = "Name and ARN of each bucket, by owner."
  value       = { for owner, bucket in aws_s3_bucket.this : owner => { name = bucket.bucket, arn = local.arns[owner] } }
}
