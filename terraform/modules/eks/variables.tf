variable "name" {
  description = "Name of the cluster."
  type        = string
}

variable "kubernetes_version" {
  description = "Version of Kubernetes."
  type        = string
  default     = "1.33"

  validation {
    condition     = can(regex("^1\\.[0-9]{2}$", var.kubernetes_version)) && tonumber(split(".", var.kubernetes_version)[1]) >= 31
    error_message = "1.31 or later: the charts use pod-index labels and sleeping preStop hooks."
  }
}

variable "node_subnets" {
  description = "Subnets of nodes by zone."
  type        = map(string)

  validation {
    condition     = length(var.node_subnets) >= 3
    error_message = "Three zones or more."
  }
}

variable "authorities" {
  description = "Nodes of each authority, by number: instance type, how many, least and most. One in each zone lets a zone fail."
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
    error_message = "Authorities are numbered 1 to N without a gap."
  }

  validation {
    condition     = alltrue([for a in var.authorities : a.min_nodes <= a.nodes && a.nodes <= a.max_nodes && a.min_nodes >= 1])
    error_message = "min_nodes <= nodes <= max_nodes."
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
  description = "Addresses outside the network from which the Kubernetes API is reached; none makes it private."
  type        = list(string)
  default     = []

  validation {
    condition     = !contains(var.api_cidrs, "0.0.0.0/0")
    error_message = "The Kubernetes API is not for everybody."
  }
}

variable "key_arn" {
  description = "KMS key that Kubernetes' secrets are wrapped with."
  type        = string
}

variable "volume_key_arns" {
  description = "KMS key of each authority's root volumes, by number."
  type        = map(string)
}

variable "log_days" {
  description = "How long the control plane's logs are kept."
  type        = number
  default     = 90
}

variable "tags" {
  description = "Tags of everything."
  type        = map(string)
  default     = {}
}
