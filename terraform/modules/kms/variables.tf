variable "name" {
  description = "Prefix of all names."
  type        = string
}

variable "authorities" {
  description = "Numbers of the authorities; each has a key that nobody else's services may use."
  type        = set(string)

  validation {
    condition     = alltrue([for a in var.authorities : can(regex("^[1-9][0-9]?$", a))])
    error_message = "Authorities are numbered from 1."
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

variable "administrators" {
  description = "ARNs of who may manage keys and may not use them."
  type        = list(string)

  validation {
    condition     = length(var.administrators) > 0
    error_message = "Somebody has to manage the keys."
  }
}

variable "tags" {
  description = "Tags of everything."
  type        = map(string)
  default     = {}
}
