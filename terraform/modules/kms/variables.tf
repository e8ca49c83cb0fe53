variable "name" {
  description = "Prefix of the names of all resources."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,30}$", var.name))
    error_message = "The name must have 2 to 31 lower-case letters, digits and hyphens, and start with a letter."
  }
}

variable "authorities" {
  description = "Numbers of the authorities. Each authority has a key that only its own services may use."
  type        = set(string)

  validation {
    condition     = length(var.authorities) > 0 && alltrue([for a in var.authorities : can(regex("^[1-9][0-9]?$", a))])
    error_message = "Give at least one authority. Their numbers start at 1."
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

variable "administrators" {
  description = "ARNs of the roles that manage keys but may not use them. Terraform must run as one of them, or AWS refuses the key policy."
  type        = list(string)

  validation {
    condition     = length(var.administrators) > 0
    error_message = "Give at least one key administrator."
  }

  validation {
    condition     = alltrue([for arn in var.administrators : can(regex("^arn:aws:iam::[0-9]{12}:(role|user)/[^*]+$", arn))])
    error_message = "An administrator must be the ARN of a role or a user, not the whole account and not a pattern."
  }
}

variable "secret_writers" {
  description = "ARNs of the roles or users that write an owner's secrets (share, note key, passwords) into the secret store, by owner (authority-1, ..., operator)."
  type        = map(list(string))
  default     = {}

  validation {
    condition     = alltrue([for owner in keys(var.secret_writers) : owner == "operator" || contains([for a in var.authorities : "authority-${a}"], owner)])
    error_message = "An owner must be operator or authority-N of an existing authority."
  }

  validation {
    condition     = alltrue([for arn in flatten(values(var.secret_writers)) : can(regex("^arn:aws:iam::[0-9]{12}:(role|user)/[^*]+$", arn))])
    error_message = "A writer must be the ARN of a role or a user, not the whole account and not a pattern."
  }

  validation {
    condition     = length(setintersection(var.administrators, flatten(values(var.secret_writers)))) == 0
    error_message = "A key administrator must not be a writer of secrets, because a writer uses the key."
  }

  validation {
    condition     = length(flatten(values(var.secret_writers))) == length(distinct(flatten(values(var.secret_writers))))
    error_message = "A writer must not write the secrets of two owners."
  }
}

variable "autoscaling_role_arn" {
  description = "ARN of the service-linked role of Auto Scaling, which starts the nodes. It must exist before the keys."
  type        = string

  validation {
    condition     = can(regex("^arn:aws:iam::[0-9]{12}:role/aws-service-role/autoscaling\\.amazonaws\\.com/[^*]+$", var.autoscaling_role_arn))
    error_message = "Give the ARN of the service-linked role of Auto Scaling."
  }
}

variable "tags" {
  description = "Tags of all resources."
  type        = map(string)
  default     = {}
}
