variable "name" {
  description = "Prefix of the names of all resources."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,30}$", var.name))
    error_message = "The name must have 2 to 31 lower-case letters, digits and hyphens, and start with a letter."
  }
}

variable "oidc_provider_arn" {
  description = "ARN of the OIDC provider for the cluster's service accounts."
  type        = string
}

variable "oidc_issuer" {
  description = "Issuer of the OIDC provider, without https://."
  type        = string

  validation {
    condition     = !startswith(var.oidc_issuer, "https://")
    error_message = "Give the issuer without https://."
  }
}

variable "owners" {
  description = "Owners (authority-1, ...): namespace, service account of the database, bucket of the backups, KMS key, and prefix of the secrets that the owner may read."
  type = map(object({
    namespace        = string
    database_account = string
    bucket_arn       = string
    key_arn          = string
    secret_prefix    = string
  }))

  # without the slash, authority-1 could read the secrets of authority-10
  validation {
    condition     = alltrue([for o in var.owners : can(regex("^[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*/$", o.secret_prefix))])
    error_message = "The prefix of an owner's secrets must end with a slash and must not contain a pattern."
  }

  validation {
    condition     = alltrue([for o in var.owners : can(regex("^arn:aws:s3:::[a-z0-9.-]+$", o.bucket_arn)) && can(regex("^arn:aws:kms:[a-z0-9-]+:[0-9]{12}:key/[^*]+$", o.key_arn))])
    error_message = "Give the ARNs of a bucket and a key, not a pattern."
  }

  validation {
    condition = alltrue([for values in [
      [for o in var.owners : o.namespace], [for o in var.owners : o.bucket_arn], [for o in var.owners : o.key_arn], [for o in var.owners : o.secret_prefix],
    ] : length(values) == length(distinct(values))])
    error_message = "Two owners must not share a namespace, a bucket, a key or secrets."
  }

  validation {
    condition = alltrue(flatten([for a, x in var.owners : [for b, y in var.owners :
    a == b || !startswith(x.secret_prefix, y.secret_prefix)]]))
    error_message = "The prefix of one owner's secrets must not start with that of another."
  }
}

variable "account_id" {
  description = "AWS account id."
  type        = string

  validation {
    condition     = can(regex("^[0-9]{12}$", var.account_id))
    error_message = "An account id has twelve digits."
  }
}

variable "region" {
  description = "AWS region."
  type        = string
}

variable "tags" {
  description = "Tags of all resources."
  type        = map(string)
  default     = {}
}
