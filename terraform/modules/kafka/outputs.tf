output "bootstrap_servers" {
  description = "Addresses of the brokers, for the charts."
  value       = aws_msk_cluster.this.bootstrap_brokers_sasl_scram
}

output "port" {
  description = "Their port."
  value       = 9096
}

output "user_secrets" {
  description = "Secret of each client, to be filled in."
  value       = { for name, secret in aws_secretsmanager_secret.user : name => secret.arn }
}
