variable "name" {
  description = "Name of the pilot; prefix of all names."
  type        = string
  default     = "solidus-pilot"

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,20}$", var.name))
    error_message = "2 to 21 lower-case letters, digits and hyphens."
  }
}

variable "region" {
  description = "Region."
  type        = string
  default     = "eu-central-1"
}

variable "zones" {
  description = "Availability zones of the region."
  type        = list(string)
  default     = ["eu-central-1a", "eu-central-1b", "eu-central-1c"]
}

variable "committee" {
  description = "Authorities, 3f+1."
  type        = number
  default     = 10

  validation {
    condition     = var.committee >= 4 && var.committee <= 10 && var.committee % 3 == 1
    error_message = "4, 7 or 10 authorities."
  }
}

variable "nodes_per_authority" {
  description = "m5.8xlarge nodes of each authority. Three: one in each zone, with a database instance each. One: database outside (RDS), the authority is away while its zone is."
  type        = number
  default     = 3

  validation {
    condition     = contains([1, 3], var.nodes_per_authority)
    error_message = "One node, or one in each of three zones."
  }
}

variable "authority_database" {
  description = "cnpg: CloudNativePG on the authority's nodes; rds: a server of the provider for each authority."
  type        = string
  default     = "cnpg"

  validation {
    condition     = contains(["cnpg", "rds"], var.authority_database)
    error_message = "cnpg or rds."
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
  description = "ARNs of who may manage keys and may not use them."
  type        = list(string)
}

variable "api_cidrs" {
  description = "Addresses from which the Kubernetes API is reached; none makes it private."
  type        = list(string)
  default     = []
}
