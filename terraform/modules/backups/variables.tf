variable "name" {
  description = "Prefix of all names; buckets are named NAME-ACCOUNT-OWNER."
  type        = string
}

variable "account_id" {
  description = "The account."
  type        = string
}

variable "keys" {
  description = "KMS key by owner (authority-1, ..., operator); a bucket for each."
  type        = map(string)

  validation {
    condition     = alltrue([for owner in keys(var.keys) : can(regex("^(operator|authority-[1-9][0-9]?)$", owner))])
    error_message = "An owner is operator or authority-N."
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
