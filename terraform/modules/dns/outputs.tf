output "name_servers" {
  description = "Name servers, for the delegation in the parent domain."
  value       = aws_route53_zone.this.name_servers
}

output "urls" {
  description = "Public address of each service, for the charts."
  value       = { for service, host in var.names : service => "https://${host}.${var.zone}" }
}
