variable "name" {
  description = "Prefix of all names."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,30}$", var.name))
    error_message = "The name is 2 to 31 lower-case letters, digits and hyphens."
  }
}

variable "authorities" {
  description = "Numbers of the authorities; each has a key that nobody else's services may use."
  type        = set(string)

  validation {
    condition     = length(var.authorities) > 0 && alltrue([for a in var.authorities : can(regex("^[1-9][0-9]?$", a))])
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
  description = "ARNs of the roles that manage keys and may not use them; Terraform runs as one of them, or AWS refuses the policy."
  type        = list(string)

  validation {
    condition     = length(var.administrators) > 0
    error_message = "Somebody has to manage the keys."
  }

  validation {
    condition     = alltrue([for arn in var.administrators : can(regex("^arn:aws:iam::[0-9]{12}:(role|user)/[^*]+$", arn))])
    error_message = "An administrator is a role or a user by its ARN: neither the whole account nor a pattern."
  }
}

variable "secret_writers" {
  description = "By owner (authority-1, ..., operator): ARNs of who puts its secrets into the store (share, note key, passwords), in the store only."
  type        = map(list(string))
  default     = {}

  validation {
    condition     = alltrue([for owner in keys(var.secret_writers) : owner == "operator" || contains([for a in var.authorities : "authority-${a}"], owner)])
    error_message = "An owner is operator or one of the authorities, authority-N."
  }

  validation {
    condition     = alltrue([for arn in flatten(values(var.secret_writers)) : can(regex("^arn:aws:iam::[0-9]{12}:(role|user)/[^*]+$", arn))])
    error_message = "A writer is a role or a user by its ARN: neither the whole account nor a pattern."
  }

  validation {
    condition     = length(setintersection(var.administrators, flatten(values(var.secret_writers)))) == 0
    error_message = "Who manages keys may not use them."
  }

  validation {
    condition     = length(flatten(values(var.secret_writers))) == length(distinct(flatten(values(var.secret_writers))))
    error_message = "Nobody writes the secrets of two owners."
  }
}

variable "autoscaling_role_arn" {
  description = "The role that Auto Scaling starts nodes with (service-linked; it must exist before the keys do)."
  type        = string

  validation {
    condition     = can(regex("^arn:aws:iam::[0-9]{12}:role/aws-service-role/autoscaling\\.amazonaws\\.com/[^*]+$", var.autoscaling_role_arn))
    error_message = "A service-linked role of Auto Scaling, by its ARN."
  }
}

variable "tags" {
  description = "Tags of everything."
  type        = map(string)
  default     = {}
}
