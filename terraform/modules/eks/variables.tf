variable "name" {
  description = "Name of the cluster."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,30}$", var.name))
    error_message = "The name is 2 to 31 lower-case letters, digits and hyphens."
  }
}

variable "vpc_id" {
  description = "The network."
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

variable "control_subnets" {
  description = "Subnets of the Kubernetes API's interfaces, in which there are no pods."
  type        = list(string)

  validation {
    condition     = length(var.control_subnets) >= 3 && length(setintersection(var.control_subnets, values(var.node_subnets))) == 0
    error_message = "Three zones or more, and none of the nodes' subnets: a network policy that lets pods reach the API would let them reach each other."
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
    condition     = alltrue([for a in var.authorities : a.min_nodes <= a.nodes && a.nodes <= a.max_nodes && a.min_nodes >= 1 && floor(a.nodes) == a.nodes])
    error_message = "1 <= min_nodes <= nodes <= max_nodes."
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
    condition     = alltrue([for cidr in var.api_cidrs : can(cidrnetmask(cidr)) && try(tonumber(split("/", cidr)[1]) >= 16, false)])
    error_message = "The Kubernetes API is not for everybody: IPv4 ranges of a /16 or smaller."
  }
}

variable "administrators" {
  description = "ARNs of the roles that administer the whole cluster; they can read every authority's secrets in Kubernetes."
  type        = list(string)

  validation {
    condition     = length(var.administrators) > 0
    error_message = "Somebody has to administer the cluster: who makes it gets no right of its own."
  }

  validation {
    condition     = alltrue([for arn in var.administrators : can(regex("^arn:aws:iam::[0-9]{12}:(role|user)/[^*]+$", arn))])
    error_message = "An administrator is a role or a user by its ARN: neither the whole account nor a pattern."
  }
}

variable "authority_administrators" {
  description = "By number of the authority: ARNs of the roles that administer its namespace and no other."
  type        = map(list(string))
  default     = {}

  validation {
    condition     = length(setsubtract(keys(var.authority_administrators), keys(var.authorities))) == 0
    error_message = "By numbers of authorities that exist."
  }

  validation {
    condition     = alltrue([for arn in flatten(values(var.authority_administrators)) : can(regex("^arn:aws:iam::[0-9]{12}:(role|user)/[^*]+$", arn))])
    error_message = "An administrator is a role or a user by its ARN: neither the whole account nor a pattern."
  }

  validation {
    condition = (length(flatten([var.administrators, values(var.authority_administrators)]))
    == length(distinct(flatten([var.administrators, values(var.authority_administrators)]))))
    error_message = "Nobody administers two authorities, or one and the cluster."
  }
}

variable "namespace_pattern" {
  description = "Namespace of an authority, {index} standing for its number; as global.namespaces.authority of the charts."
  type        = string
  default     = "solidus-authority-{index}"

  validation {
    condition     = can(regex("^[a-z0-9-]*\\{index\\}[a-z0-9-]*$", var.namespace_pattern))
    error_message = "Every authority has a namespace of its own: {index} is in the pattern."
  }
}

variable "key_arn" {
  description = "KMS key of the operator: Kubernetes' secrets, the control plane's logs and the operator's volumes."
  type        = string

  validation {
    condition     = can(regex("^arn:aws:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", var.key_arn))
    error_message = "Secrets are encrypted: the ARN of a KMS key."
  }
}

variable "volume_key_arns" {
  description = "KMS key of each authority's volumes, by number."
  type        = map(string)

  validation {
    condition     = length(setsubtract(keys(var.authorities), keys(var.volume_key_arns))) == 0
    error_message = "A key for each authority."
  }

  validation {
    condition     = alltrue([for arn in values(var.volume_key_arns) : can(regex("^arn:aws:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", arn))])
    error_message = "Volumes are encrypted: the ARN of a KMS key for each authority."
  }
}

variable "log_days" {
  description = "How long the control plane's logs, the audit log among them, are kept."
  type        = number
  default     = 365

  validation {
    condition     = contains([90, 120, 150, 180, 365, 400, 545, 731], var.log_days)
    error_message = "90 days or more, as CloudWatch counts: 90, 120, 150, 180, 365, 400, 545 or 731."
  }
}

variable "tags" {
  description = "Tags of everything."
  type        = map(string)
  default     = {}
}
