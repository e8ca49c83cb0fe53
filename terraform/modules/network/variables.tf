variable "name" {
  description = "Prefix of all names."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,30}$", var.name))
    error_message = "The name is 2 to 31 lower-case letters, digits and hyphens."
  }
}

variable "cidr" {
  description = "Addresses of the network; a /16 leaves room for ten authorities."
  type        = string
  default     = "10.0.0.0/16"

  validation {
    condition     = can(cidrhost(var.cidr, 0)) && tonumber(split("/", var.cidr)[1]) <= 18
    error_message = "The network is an IPv4 range of at least a /18."
  }
}

variable "zones" {
  description = "Availability zones, three or more: a zone that fails must not take a majority of standbys with it."
  type        = list(string)

  validation {
    condition     = length(var.zones) >= 3 && length(distinct(var.zones)) == length(var.zones)
    error_message = "Three or more different zones."
  }
}

variable "flow_log_days" {
  description = "How long records of connections are kept."
  type        = number
  default     = 30

  validation {
    condition     = contains([1, 3, 5, 7, 14, 30, 60, 90, 180, 365], var.flow_log_days)
    error_message = "One of the retentions that CloudWatch knows."
  }
}

variable "log_key_arn" {
  description = "KMS key of the logs."
  type        = string
}

variable "tags" {
  description = "Tags of everything."
  type        = map(string)
  default     = {}
}
