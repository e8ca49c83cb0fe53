variable "name" {
  description = "Name of the server."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,61}[a-z0-9]$", var.name)) && !strcontains(var.name, "--")
    error_message = "The name must have 3 to 63 lower-case letters, digits and single hyphens, and start with a letter."
  }
}

variable "vpc_id" {
  description = "Id of the VPC."
  type        = string
}

variable "subnets" {
  description = "Ids of the server's subnets, in three zones."
  type        = list(string)

  validation {
    condition     = length(distinct(var.subnets)) >= 3
    error_message = "Give subnets in three zones."
  }
}

variable "client_security_groups" {
  description = "Ids of the security groups that may connect to the server, by owner of the nodes. Give only the groups of the server's owner."
  type        = map(string)

  validation {
    condition     = length(var.client_security_groups) > 0 && alltrue([for id in values(var.client_security_groups) : startswith(id, "sg-")])
    error_message = "Give at least one security group by its id (sg-...)."
  }
}

variable "engine_version" {
  description = "PostgreSQL version."
  type        = string
  default     = "17.5"

  validation {
    condition     = can(regex("^(1[5-9]|[2-9][0-9])(\\.[0-9]+)?$", var.engine_version))
    error_message = "The version must be 15 or later, e.g. 17.5."
  }
}

variable "minimum_tls" {
  description = "Oldest TLS version that the server accepts."
  type        = string
  default     = "TLSv1.2"

  validation {
    condition     = contains(["TLSv1.2", "TLSv1.3"], var.minimum_tls)
    error_message = "The version must be TLSv1.2 or TLSv1.3."
  }
}

variable "instance_class" {
  description = "Instance class of the server."
  type        = string
  default     = "db.m6i.large"

  validation {
    condition     = can(regex("^db\\.[a-z0-9]+\\.[a-z0-9]+$", var.instance_class)) && !can(regex("^db\\.t", var.instance_class))
    error_message = "Give an RDS instance class without burstable CPU. A server without CPU credits stops payments."
  }
}

variable "storage_gib" {
  description = "Size of the disk in GiB. RDS lets it grow to ten times this size."
  type        = number
  default     = 100

  validation {
    condition     = var.storage_gib >= 20 && var.storage_gib <= 6553
    error_message = "The size must be 20 to 6553 GiB, because the disk may grow to ten times this size."
  }
}

variable "max_connections" {
  description = "Maximum of connections: those of all services together, and a reserve."
  type        = number
  default     = 200

  validation {
    condition     = var.max_connections >= 50 && var.max_connections <= 5000
    error_message = "The maximum must be 50 to 5000 connections."
  }
}

variable "key_arn" {
  description = "ARN of the owner's KMS key, for disk, backups, first password and logs."
  type        = string

  validation {
    condition     = can(regex("^arn:aws:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", var.key_arn))
    error_message = "Give the ARN of a KMS key. The server must be encrypted."
  }
}

variable "log_days" {
  description = "Retention of the server's logs, in days."
  type        = number
  default     = 90

  validation {
    condition     = contains([30, 60, 90, 120, 150, 180, 365], var.log_days)
    error_message = "The retention must be 30, 60, 90, 120, 150, 180 or 365 days. CloudWatch has no other values in this range."
  }
}

variable "backup_days" {
  description = "Retention of automatic backups, in days."
  type        = number
  default     = 35

  validation {
    condition     = var.backup_days >= 7 && var.backup_days <= 35
    error_message = "The retention must be 7 to 35 days."
  }
}

variable "tags" {
  description = "Tags of all resources."
  type        = map(string)
  default     = {}
}
