output "bootstrap_servers" {
  description = "Addresses of the brokers, for the charts."
  value       = aws_msk_cluster.this.bootstrap_brokers_sasl_scram
}

output "port" {
  description = "Port of the brokers."
  value       = 9096
}

output "user_secrets" {
  description = "ARN of each client's secret, which a person fills in."
  value       = { for name, secret in aws_secretsmanager_secret.user : name => secret.arn }
}
