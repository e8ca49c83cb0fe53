variable "name" {
  description = "Prefix of all names."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,30}$", var.name))
    error_message = "The name is 2 to 31 lower-case letters, digits and hyphens."
  }
}

variable "oidc_provider_arn" {
  description = "Provider of the identities of the cluster's service accounts."
  type        = string
}

variable "oidc_issuer" {
  description = "Its issuer, without the scheme."
  type        = string

  validation {
    condition     = !startswith(var.oidc_issuer, "https://")
    error_message = "Without https://."
  }
}

variable "owners" {
  description = "By owner (authority-1, ...): namespace, service account of the database, bucket of its backups, KMS key, secrets it may read."
  type = map(object({
    namespace        = string
    database_account = string
    bucket_arn       = string
    key_arn          = string
    secret_prefix    = string
  }))

  # without the slash authority-1 would read authority-10's
  validation {
    condition     = alltrue([for o in var.owners : can(regex("^[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*/$", o.secret_prefix))])
    error_message = "The prefix of an owner's secrets ends with a slash and has no pattern in it."
  }

  validation {
    condition     = alltrue([for o in var.owners : can(regex("^arn:aws:s3:::[a-z0-9.-]+$", o.bucket_arn)) && can(regex("^arn:aws:kms:[a-z0-9-]+:[0-9]{12}:key/[^*]+$", o.key_arn))])
    error_message = "A bucket and a key by their ARNs, not by a pattern."
  }

  validation {
    condition = alltrue([for values in [
      [for o in var.owners : o.namespace], [for o in var.owners : o.bucket_arn], [for o in var.owners : o.key_arn], [for o in var.owners : o.secret_prefix],
    ] : length(values) == length(distinct(values))])
    error_message = "No two owners share a namespace, a bucket, a key or secrets."
  }

  validation {
    condition = alltrue(flatten([for a, x in var.owners : [for b, y in var.owners :
    a == b || !startswith(x.secret_prefix, y.secret_prefix)]]))
    error_message = "No owner's secrets are among another's."
  }
}

variable "account_id" {
  description = "The account."
  type        = string

  validation {
    condition     = can(regex("^[0-9]{12}$", var.account_id))
    error_message = "An account has twelve digits."
  }
}

variable "region" {
  description = "The region."
  type        = string
}

variable "tags" {
  description = "Tags of everything."
  type        = map(string)
  default     = {}
}
