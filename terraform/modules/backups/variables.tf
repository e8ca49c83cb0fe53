variable "name" {
  description = "Prefix of all names; buckets are named NAME-ACCOUNT-OWNER, and are read and written by the role NAME-OWNER-backup alone."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,35}$", var.name))
    error_message = "The name is 2 to 36 lower-case letters, digits and hyphens: a bucket's has 63 at most."
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

variable "keys" {
  description = "KMS key by owner (authority-1, ..., operator); a bucket for each."
  type        = map(string)

  validation {
    condition     = alltrue([for owner in keys(var.keys) : can(regex("^(operator|authority-[1-9][0-9]?)$", owner))])
    error_message = "An owner is operator or authority-N."
  }

  validation {
    condition     = alltrue([for arn in values(var.keys) : can(regex("^arn:aws:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", arn))])
    error_message = "Backups are encrypted: the ARN of a KMS key for each owner."
  }

  validation {
    condition     = length(distinct(values(var.keys))) == length(var.keys)
    error_message = "Each owner has a key of its own."
  }
}

variable "lock_days" {
  description = "Nobody deletes or changes a backup before it is that old."
  type        = number
  default     = 35

  validation {
    condition     = var.lock_days >= 7 && var.lock_days <= 365
    error_message = "7 to 365 days."
  }
}

variable "expire_days" {
  description = "Backups older than that go."
  type        = number
  default     = 90

  validation {
    condition     = var.expire_days > var.lock_days
    error_message = "Backups expire after their lock ends."
  }
}

variable "tags" {
  description = "Tags of everything."
  type        = map(string)
  default     = {}
}
