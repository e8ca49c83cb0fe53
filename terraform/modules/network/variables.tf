variable "name" {
  description = "Prefix of all names."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,30}$", var.name))
    error_message = "The name is 2 to 31 lower-case letters, digits and hyphens."
  }
}

variable "account_id" {
  description = "The account whose buckets, keys and secrets are reached through the network's interfaces."
  type        = string

  validation {
    condition     = can(regex("^[0-9]{12}$", var.account_id))
    error_message = "An account has twelve digits."
  }
}

variable "cidr" {
  description = "Addresses of the network, private ones; a /16 leaves room for ten authorities."
  type        = string
  default     = "10.0.0.0/16"

  # cidrnetmask knows IPv4 only
  validation {
    condition     = can(cidrnetmask(var.cidr)) && can(regex("/(16|17|18)$", var.cidr))
    error_message = "The network is an IPv4 range from /16 to /18."
  }

  validation {
    condition     = can(regex("^(10\\.|172\\.(1[6-9]|2[0-9]|3[01])\\.|192\\.168\\.)", var.cidr))
    error_message = "The network has private addresses: 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16."
  }

  validation {
    condition     = try(cidrhost(var.cidr, 0) == split("/", var.cidr)[0], false)
    error_message = "The range begins where it says."
  }
}

variable "zones" {
  description = "Availability zones, three to six: a zone that fails must not take a majority of standbys with it."
  type        = list(string)

  validation {
    condition     = length(var.zones) >= 3 && length(var.zones) <= 6 && length(distinct(var.zones)) == length(var.zones)
    error_message = "Three to six different zones."
  }

  validation {
    condition     = alltrue([for zone in var.zones : can(regex("^[a-z]{2}-[a-z]+-[0-9][a-z]$", zone))])
    error_message = "A zone is a region and a letter, e.g. eu-central-1a."
  }
}

variable "flow_log_days" {
  description = "How long records of connections are kept."
  type        = number
  default     = 30

  validation {
    condition     = contains([30, 60, 90, 180, 365], var.flow_log_days)
    error_message = "A month or more, as CloudWatch counts: 30, 60, 90, 180 or 365."
  }
}

variable "log_key_arn" {
  description = "KMS key of the logs."
  type        = string

  validation {
    condition     = can(regex("^arn:aws:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", var.log_key_arn))
    error_message = "Logs are encrypted: the ARN of a KMS key."
  }
}

variable "tags" {
  description = "Tags of everything."
  type        = map(string)
  default     = {}
}
