variable "name" {
  description = "Prefix of the names of all resources."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,30}$", var.name))
    error_message = "The name must have 2 to 31 lower-case letters, digits and hyphens, and start with a letter."
  }
}

variable "account_id" {
  description = "Id of the AWS account whose buckets, keys and secrets the VPC endpoints reach."
  type        = string

  validation {
    condition     = can(regex("^[0-9]{12}$", var.account_id))
    error_message = "An account id has twelve digits."
  }
}

variable "cidr" {
  description = "Private address range of the VPC. A /16 has room for ten authorities."
  type        = string
  default     = "10.0.0.0/16"

  # cidrnetmask accepts IPv4 only
  validation {
    condition     = can(cidrnetmask(var.cidr)) && can(regex("/(16|17|18)$", var.cidr))
    error_message = "The range must be an IPv4 range from /16 to /18."
  }

  validation {
    condition     = can(regex("^(10\\.|172\\.(1[6-9]|2[0-9]|3[01])\\.|192\\.168\\.)", var.cidr))
    error_message = "The range must be private: in 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16."
  }

  validation {
    condition     = try(cidrhost(var.cidr, 0) == split("/", var.cidr)[0], false)
    error_message = "The address must be the first of the range."
  }
}

variable "zones" {
  description = "Availability zones, three to six, so that the failure of one zone does not stop a majority of standbys."
  type        = list(string)

  validation {
    condition     = length(var.zones) >= 3 && length(var.zones) <= 6 && length(distinct(var.zones)) == length(var.zones)
    error_message = "Give three to six different zones."
  }

  validation {
    condition     = alltrue([for zone in var.zones : can(regex("^[a-z]{2}-[a-z]+-[0-9][a-z]$", zone))])
    error_message = "A zone is a region and a letter, e.g. eu-central-1a."
  }
}

variable "flow_log_days" {
  description = "Retention of the flow logs, in days."
  type        = number
  default     = 30

  validation {
    condition     = contains([30, 60, 90, 180, 365], var.flow_log_days)
    error_message = "The retention must be 30, 60, 90, 180 or 365 days."
  }
}

variable "log_key_arn" {
  description = "ARN of the KMS key of the logs."
  type        = string

  validation {
    condition     = can(regex("^arn:aws:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", var.log_key_arn))
    error_message = "Give the ARN of a KMS key. Logs must be encrypted."
  }
}

variable "tags" {
  description = "Tags of all resources."
  type        = map(string)
  default     = {}
}
