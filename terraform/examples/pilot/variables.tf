variable "name" {
  description = "Name of the pilot and prefix of the names of all resources."
  type        = string
  default     = "solidus-pilot"

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,20}$", var.name))
    error_message = "The name must have 2 to 21 lower-case letters, digits and hyphens, and start with a letter."
  }
}

variable "region" {
  description = "AWS region in the standard partition (ARNs with arn:aws)."
  type        = string
  default     = "eu-central-1"

  validation {
    condition     = can(regex("^[a-z]{2}-[a-z]+-[0-9]$", var.region)) && !startswith(var.region, "cn-")
    error_message = "Give a region of the standard partition, e.g. eu-central-1. The modules write ARNs with arn:aws."
  }
}

variable "cidr" {
  description = "Private address range of the VPC, from /16 to /18."
  type        = string
  default     = "10.0.0.0/16"
}

variable "zones" {
  description = "Availability zones of the region."
  type        = list(string)
  default     = ["eu-central-1a", "eu-central-1b", "eu-central-1c"]

  validation {
    condition     = alltrue([for zone in var.zones : startswith(zone, var.region) && length(zone) == length(var.region) + 1])
    error_message = "The zones must be in the region."
  }

  validation {
    condition     = length(var.zones) == 3
    error_message = "Give three zones, because an authority has a node in each."
  }
}

variable "committee" {
  description = "Number of authorities, 3f+1."
  type        = number
  default     = 10

  validation {
    condition     = var.committee >= 4 && var.committee <= 10 && var.committee % 3 == 1
    error_message = "The number must be 4, 7 or 10."
  }
}

variable "nodes_per_authority" {
  description = "Number of m5.8xlarge nodes of each authority. With three, each zone has a node with a database instance. With one, the database is outside (RDS), and the authority fails with its zone."
  type        = number
  default     = 3

  validation {
    condition     = contains([1, 3], var.nodes_per_authority)
    error_message = "The number must be 1, or 3 for one node in each zone."
  }
}

variable "authority_database" {
  description = "cnpg: CloudNativePG on the authority's nodes. rds: an RDS server for each authority."
  type        = string
  default     = "cnpg"

  validation {
    condition     = contains(["cnpg", "rds"], var.authority_database)
    error_message = "The value must be cnpg or rds."
  }

  validation {
    condition     = var.authority_database == "rds" || var.nodes_per_authority >= 3
    error_message = "CloudNativePG with a synchronous standby needs three nodes for each authority."
  }
}

variable "domain" {
  description = "Public domain of the pilot."
  type        = string
}

variable "key_administrators" {
  description = "ARNs of the roles that manage keys but may not use them. Terraform must run as one of them."
  type        = list(string)
}

variable "secret_writers" {
  description = "ARNs of the roles or users that write an owner's share, keys and passwords into the secret store, by owner (authority-1, ..., operator)."
  type        = map(list(string))
  default     = {}
}

variable "cluster_administrators" {
  description = "ARNs of the roles that administer the whole cluster. They can read the Kubernetes secrets of every authority."
  type        = list(string)
}

variable "authority_administrators" {
  description = "ARNs of the roles that administer one authority's namespace only, by number of the authority."
  type        = map(list(string))
  default     = {}
}

variable "kafka_passwords_filled_in" {
  description = "Whether the brokers' secrets have their user names and passwords. False until a person has filled them in."
  type        = bool
  default     = false
}

variable "api_cidrs" {
  description = "Addresses (CIDRs) that may reach the Kubernetes API. Empty: the API is private."
  type        = list(string)
  default     = []
}
