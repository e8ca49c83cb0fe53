output "host" {
  description = "Host of the server, for the charts."
  value       = aws_db_instance.this.address
}

output "port" {
  description = "Port of the server."
  value       = aws_db_instance.this.port
}

output "master_secret_arn" {
  description = "ARN of the secret with the login that creates databases and roles."
  value       = one(aws_db_instance.this.master_user_secret[*].secret_arn)
}
