output "backup_roles" {
  description = "ARN of the role of each owner's database."
  value       = { for owner in keys(var.owners) : owner => aws_iam_role.this["${owner}-backup"].arn }
}

output "secret_roles" {
  description = "ARN of the role that reads each owner's secrets."
  value       = { for owner in keys(var.owners) : owner => aws_iam_role.this["${owner}-secrets"].arn }
}
