variable "name" {
  description = "Prefix of all names."
  type        = string
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
}

variable "account_id" {
  description = "The account."
  type        = string
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
