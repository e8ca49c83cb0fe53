variable "name" {
  description = "Name of the server."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,61}[a-z0-9]$", var.name)) && !strcontains(var.name, "--")
    error_message = "The name is 3 to 63 lower-case letters, digits and single hyphens."
  }
}

variable "vpc_id" {
  description = "The network."
  type        = string
}

variable "subnets" {
  description = "Subnets of the server, in three zones."
  type        = list(string)

  validation {
    condition     = length(distinct(var.subnets)) >= 3
    error_message = "Three zones."
  }
}

variable "client_security_groups" {
  description = "Security groups that reach the server, by owner of the nodes: its owner's, and nobody else's."
  type        = map(string)

  validation {
    condition     = length(var.client_security_groups) > 0 && alltrue([for id in values(var.client_security_groups) : startswith(id, "sg-")])
    error_message = "At least one security group, by its id (sg-...)."
  }
}

variable "engine_version" {
  description = "Version of PostgreSQL."
  type        = string
  default     = "17.5"

  validation {
    condition     = can(regex("^(1[5-9]|[2-9][0-9])(\\.[0-9]+)?$", var.engine_version))
    error_message = "PostgreSQL 15 or later, e.g. 17.5."
  }
}

variable "minimum_tls" {
  description = "The oldest TLS that the server speaks."
  type        = string
  default     = "TLSv1.2"

  validation {
    condition     = contains(["TLSv1.2", "TLSv1.3"], var.minimum_tls)
    error_message = "TLSv1.2 or TLSv1.3."
  }
}

variable "instance_class" {
  description = "Type of the server."
  type        = string
  default     = "db.m6i.large"

  validation {
    condition     = can(regex("^db\\.[a-z0-9]+\\.[a-z0-9]+$", var.instance_class)) && !can(regex("^db\\.t", var.instance_class))
    error_message = "A type of RDS with processors of its own: one that runs out of credits stops payments."
  }
}

variable "storage_gib" {
  description = "Disk, in GiB; it grows to ten times that by itself."
  type        = number
  default     = 100

  validation {
    condition     = var.storage_gib >= 20 && var.storage_gib <= 6553
    error_message = "20 to 6553 GiB: the disk may grow to ten times that."
  }
}

variable "max_connections" {
  description = "Connections of all services together, and some."
  type        = number
  default     = 200

  validation {
    condition     = var.max_connections >= 50 && var.max_connections <= 5000
    error_message = "50 to 5000 connections."
  }
}

variable "key_arn" {
  description = "KMS key of the owner: disk, backups, first password, logs."
  type        = string

  validation {
    condition     = can(regex("^arn:aws:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", var.key_arn))
    error_message = "The server is encrypted: the ARN of a KMS key."
  }
}

variable "log_days" {
  description = "How long the server's logs are kept."
  type        = number
  default     = 90

  validation {
    condition     = contains([30, 60, 90, 120, 150, 180, 365], var.log_days)
    error_message = "A month or more, as CloudWatch counts: 30, 60, 90, 120, 150, 180 or 365."
  }
}

variable "backup_days" {
  description = "How long automatic backups are kept."
  type        = number
  default     = 35

  validation {
    condition     = var.backup_days >= 7 && var.backup_days <= 35
    error_message = "7 to 35 days."
  }
}

variable "tags" {
  description = "Tags of everything."
  type        = map(string)
  default     = {}
}
