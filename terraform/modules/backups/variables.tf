variable "name" {
  description = "Prefix of the names of all resources. A bucket is named NAME-ACCOUNT-OWNER. Only the role NAME-OWNER-backup reads and writes it."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,35}$", var.name))
    error_message = "The name must have 2 to 36 lower-case letters, digits and hyphens, and start with a letter. A bucket name has 63 characters at most."
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

variable "keys" {
  description = "ARN of the KMS key of each owner's bucket, by owner (authority-1, ..., operator)."
  type        = map(string)

  validation {
    condition     = alltrue([for owner in keys(var.keys) : can(regex("^(operator|authority-[1-9][0-9]?)$", owner))])
    error_message = "An owner must be operator or authority-N."
  }

  validation {
    condition     = alltrue([for arn in values(var.keys) : can(regex("^arn:aws:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", arn))])
    error_message = "Give the ARN of a KMS key for each owner. Backups must be encrypted."
  }

  validation {
    condition     = length(distinct(values(var.keys))) == length(var.keys)
    error_message = "Two owners must not have the same key."
  }
}

variable "lock_days" {
  description = "Days in which a backup can be neither deleted nor changed."
  type        = number
  default     = 35

  validation {
    condition     = var.lock_days >= 7 && var.lock_days <= 365
    error_message = "The lock must be 7 to 365 days."
  }
}

variable "expire_days" {
  description = "Days after which a backup is deleted."
  type        = number
  default     = 90

  validation {
    condition     = var.expire_days > var.lock_days
    error_message = "Backups must expire after their lock ends."
  }
}

variable "tags" {
  description = "Tags of all resources."
  type        = map(string)
  default     = {}
}
