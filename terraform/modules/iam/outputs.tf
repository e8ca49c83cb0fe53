output "backup_roles" {
  description = "Role of each owner's database."
  value       = { for owner in keys(var.owners) : owner => aws_iam_role.this["${owner}-backup"].arn }
}

output "secret_roles" {
  description = "Role of each owner's reader of secrets."
  value       = { for owner in keys(var.owners) : owner => aws_iam_role.this["${owner}-secrets"].arn }
}
