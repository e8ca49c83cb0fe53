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
  description = "Region, of AWS's ordinary partition."
  type        = string
  default     = "eu-central-1"

  validation {
    condition     = can(regex("^[a-z]{2}-[a-z]+-[0-9]$", var.region)) && !startswith(var.region, "cn-")
    error_message = "A region of the ordinary partition, e.g. eu-central-1: ARNs begin with arn:aws here."
  }
}

variable "cidr" {
  description = "Addresses of the network, private ones, from /16 to /18."
  type        = string
  default     = "10.0.0.0/16"
}

variable "zones" {
  description = "Availability zones of the region."
  type        = list(string)
  default     = ["eu-central-1a", "eu-central-1b", "eu-central-1c"]

  validation {
    condition     = alltrue([for zone in var.zones : startswith(zone, var.region) && length(zone) == length(var.region) + 1])
    error_message = "Zones of the region."
  }

  validation {
    condition     = length(var.zones) == 3
    error_message = "Three zones: an authority's three nodes are one in each."
  }
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
  description = "ARNs of the roles that manage keys and may not use them; Terraform runs as one of them."
  type        = list(string)
}

variable "secret_writers" {
  description = "By owner (authority-1, ..., operator): ARNs of who puts its share, keys and passwords into the store."
  type        = map(list(string))
  default     = {}
}

variable "cluster_administrators" {
  description = "ARNs of the roles that administer the whole cluster; they can read every authority's secrets in Kubernetes."
  type        = list(string)
}

variable "authority_administrators" {
  description = "By number of the authority: ARNs of the roles that administer its namespace and no other."
  type        = map(list(string))
  default     = {}
}

variable "kafka_passwords_filled_in" {
  description = "Whether the brokers' secrets have their names and passwords; false until they are filled in by hand."
  type        = bool
  default     = false
}

variable "api_cidrs" {
  description = "Addresses from which the Kubernetes API is reached; none makes it private."
  type        = list(string)
  default     = []
}
