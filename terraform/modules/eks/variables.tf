variable "name" {
  description = "Name of the cluster."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,30}$", var.name))
    error_message = "The name must have 2 to 31 lower-case letters, digits and hyphens, and start with a letter."
  }
}

variable "vpc_id" {
  description = "Id of the VPC."
  type        = string
}

variable "kubernetes_version" {
  description = "Kubernetes version."
  type        = string
  default     = "1.33"

  validation {
    condition     = can(regex("^1\\.[0-9]{2}$", var.kubernetes_version)) && tonumber(split(".", var.kubernetes_version)[1]) >= 31
    error_message = "The version must be 1.31 or later, because the charts use pod-index labels and sleep actions in preStop hooks."
  }
}

variable "node_subnets" {
  description = "Ids of the node subnets, by zone."
  type        = map(string)

  validation {
    condition     = length(var.node_subnets) >= 3
    error_message = "Give subnets in three or more zones."
  }
}

variable "control_subnets" {
  description = "Ids of the subnets with the network interfaces of the Kubernetes API. No pods run in them."
  type        = list(string)

  validation {
    condition     = length(var.control_subnets) >= 3 && length(setintersection(var.control_subnets, values(var.node_subnets))) == 0
    error_message = "Give subnets in three or more zones, and none of the node subnets. Otherwise a network policy that allows the API would allow other pods too."
  }
}

variable "authorities" {
  description = "Nodes of each authority, by number: instance type, desired number, minimum and maximum. One node in each zone tolerates the failure of a zone."
  type = map(object({
    instance_type = optional(string, "m5.8xlarge")
    nodes         = optional(number, 3)
    min_nodes     = optional(number, 3)
    max_nodes     = optional(number, 6)
  }))

  validation {
    condition     = contains([4, 7, 10, 13, 16, 19, 22, 25, 28, 31], length(var.authorities))
    error_message = "A committee has 3f+1 authorities: 4, 7, 10, ..."
  }

  validation {
    condition     = alltrue([for i in range(1, length(var.authorities) + 1) : contains(keys(var.authorities), tostring(i))])
    error_message = "The authorities must be numbered 1 to N without a gap."
  }

  validation {
    condition     = alltrue([for a in var.authorities : a.min_nodes <= a.nodes && a.nodes <= a.max_nodes && a.min_nodes >= 1 && floor(a.nodes) == a.nodes])
    error_message = "The numbers of nodes must be whole, with 1 <= min_nodes <= nodes <= max_nodes."
  }
}

variable "operator" {
  description = "Nodes of the operator's services."
  type = object({
    instance_type = optional(string, "m5.2xlarge")
    nodes         = optional(number, 3)
    min_nodes     = optional(number, 3)
    max_nodes     = optional(number, 12)
  })
  default = {}
}

variable "api_cidrs" {
  description = "Addresses (CIDRs) outside the VPC that may reach the Kubernetes API. Empty: the API is private."
  type        = list(string)
  default     = []

  validation {
    condition     = alltrue([for cidr in var.api_cidrs : can(cidrnetmask(cidr)) && try(tonumber(split("/", cidr)[1]) >= 16, false)])
    error_message = "Give IPv4 ranges of /16 or smaller. The Kubernetes API must not be open to the internet."
  }
}

variable "administrators" {
  description = "ARNs of the roles that administer the whole cluster. They can read the Kubernetes secrets of every authority."
  type        = list(string)

  validation {
    condition     = length(var.administrators) > 0
    error_message = "Give at least one cluster administrator. The creator of the cluster gets no rights."
  }

  validation {
    condition     = alltrue([for arn in var.administrators : can(regex("^arn:aws:iam::[0-9]{12}:(role|user)/[^*]+$", arn))])
    error_message = "An administrator must be the ARN of a role or a user, not the whole account and not a pattern."
  }
}

variable "authority_administrators" {
  description = "ARNs of the roles that administer one authority's namespace only, by number of the authority."
  type        = map(list(string))
  default     = {}

  validation {
    condition     = length(setsubtract(keys(var.authority_administrators), keys(var.authorities))) == 0
    error_message = "The keys must be numbers of existing authorities."
  }

  validation {
    condition     = alltrue([for arn in flatten(values(var.authority_administrators)) : can(regex("^arn:aws:iam::[0-9]{12}:(role|user)/[^*]+$", arn))])
    error_message = "An administrator must be the ARN of a role or a user, not the whole account and not a pattern."
  }

  validation {
    condition = (length(flatten([var.administrators, values(var.authority_administrators)]))
    == length(distinct(flatten([var.administrators, values(var.authority_administrators)]))))
    error_message = "An administrator must not administer two authorities, or an authority and the cluster."
  }
}

variable "namespace_pattern" {
  description = "Namespace of an authority. {index} stands for its number. The same as global.namespaces.authority of the charts."
  type        = string
  default     = "solidus-authority-{index}"

  validation {
    condition     = can(regex("^[a-z0-9-]*\\{index\\}[a-z0-9-]*$", var.namespace_pattern))
    error_message = "The pattern must contain {index}, because every authority has its own namespace."
  }
}

variable "key_arn" {
  description = "ARN of the operator's KMS key, for Kubernetes secrets, logs of the control plane and the operator's volumes."
  type        = string

  validation {
    condition     = can(regex("^arn:aws:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", var.key_arn))
    error_message = "Give the ARN of a KMS key. Kubernetes secrets must be encrypted."
  }
}

variable "volume_key_arns" {
  description = "ARN of the KMS key of each authority's volumes, by number."
  type        = map(string)

  validation {
    condition     = length(setsubtract(keys(var.authorities), keys(var.volume_key_arns))) == 0
    error_message = "Give a key for each authority."
  }

  validation {
    condition     = alltrue([for arn in values(var.volume_key_arns) : can(regex("^arn:aws:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", arn))])
    error_message = "Give the ARN of a KMS key for each authority. Volumes must be encrypted."
  }
}

variable "log_days" {
  description = "Retention of the control plane's logs, including the audit log, in days."
  type        = number
  default     = 365

  validation {
    condition     = contains([90, 120, 150, 180, 365, 400, 545, 731], var.log_days)
    error_message = "The retention must be 90, 120, 150, 180, 365, 400, 545 or 731 days. CloudWatch has no other values in this range."
  }
}

variable "tags" {
  description = "Tags of all resources."
  type        = map(string)
  default     = {}
}
