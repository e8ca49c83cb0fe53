output "host" {
  description = "Host of the server, for the charts."
  value       = aws_db_instance.this.address
}

output "port" {
  description = "Its port."
  value       = aws_db_instance.this.port
}

output "master_secret_arn" {
  description = "Secret with the login that makes databases and roles."
  value       = one(aws_db_instance.this.master_user_secret[*].secret_arn)
}
