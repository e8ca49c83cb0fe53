output "authority_keys" {
  description = "ARN of each authority's key, by number."
  value       = { for a in var.authorities : a => aws_kms_key.this["authority-${a}"].arn }
}

output "operator_key" {
  description = "ARN of the operator's key."
  value       = aws_kms_key.this["operator"].arn
}
