variable "name" {
  description = "Name of the server."
  type        = string
}

variable "vpc_id" {
  description = "The network."
  type        = string
}

variable "subnets" {
  description = "Subnets of the server, in three zones."
  type        = list(string)

  validation {
    condition     = length(var.subnets) >= 3
    error_message = "Three zones."
  }
}

variable "client_cidrs" {
  description = "Addresses of the nodes."
  type        = list(string)
}

variable "engine_version" {
  description = "Version of PostgreSQL."
  type        = string
  default     = "17.5"

  validation {
    condition     = tonumber(split(".", var.engine_version)[0]) >= 15
    error_message = "PostgreSQL 15 or later."
  }
}

variable "instance_class" {
  description = "Type of the server."
  type        = string
  default     = "db.m6i.large"
}

variable "storage_gib" {
  description = "Disk."
  type        = number
  default     = 100

  validation {
    condition     = var.storage_gib >= 20
    error_message = "At least 20 GiB."
  }
}

variable "max_connections" {
  description = "Connections of all services together, and some."
  type        = number
  default     = 200
}

variable "key_arn" {
  description = "KMS key of the owner."
  type        = string
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
