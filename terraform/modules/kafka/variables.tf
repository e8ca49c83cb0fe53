variable "name" {
  description = "Name of the Kafka cluster."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,62}$", var.name))
    error_message = "The name must have 2 to 63 lower-case letters, digits and hyphens, and start with a letter."
  }
}

variable "vpc_id" {
  description = "Id of the VPC."
  type        = string
}

variable "subnets" {
  description = "Ids of the brokers' subnets, one in each zone."
  type        = list(string)

  validation {
    condition     = length(distinct(var.subnets)) >= 3
    error_message = "Give subnets in three zones. Facts are replicated to three brokers and acknowledged by two."
  }
}

variable "client_security_groups" {
  description = "Ids of the security groups that may connect to the brokers, by owner of the nodes."
  type        = map(string)

  validation {
    condition     = length(var.client_security_groups) > 0 && alltrue([for id in values(var.client_security_groups) : startswith(id, "sg-")])
    error_message = "Give at least one security group by its id (sg-...)."
  }
}

variable "administrator_security_group" {
  description = "Id of the security group that may create topics and access rules and read metrics: the operator's."
  type        = string
}

variable "kafka_version" {
  description = "Kafka version."
  type        = string
  default     = "3.9.x"

  validation {
    condition     = can(regex("^(3\\.[6-9]|[4-9]\\.[0-9]+)\\.(x|[0-9]+)(\\.kraft)?$", var.kafka_version))
    error_message = "The version must be 3.6 or later, in MSK's notation, e.g. 3.9.x."
  }
}

variable "instance_type" {
  description = "Instance type of the brokers. Facts are few, so a small one is enough."
  type        = string
  default     = "kafka.m7g.large"

  validation {
    condition     = can(regex("^kafka\\.[a-z0-9]+\\.[a-z0-9]+$", var.instance_type))
    error_message = "Give an instance type of MSK's standard brokers, kafka.FAMILY.SIZE."
  }
}

variable "volume_gib" {
  description = "Size of each broker's disk in GiB."
  type        = number
  default     = 100

  validation {
    condition     = var.volume_gib >= 10 && var.volume_gib <= 16384
    error_message = "The size must be 10 to 16384 GiB."
  }
}

variable "key_arn" {
  description = "ARN of the KMS key of the disks, the passwords and the logs."
  type        = string

  validation {
    condition     = can(regex("^arn:aws:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", var.key_arn))
    error_message = "Give the ARN of a KMS key. Facts must be encrypted."
  }
}

variable "log_days" {
  description = "Retention of the brokers' logs, in days."
  type        = number
  default     = 90

  validation {
    condition     = contains([30, 60, 90, 120, 150, 180, 365], var.log_days)
    error_message = "The retention must be 30, 60, 90, 120, 150, 180 or 365 days. CloudWatch has no other values in this range."
  }
}

variable "users" {
  description = "Names of the clients. Each client gets a secret for SCRAM. A person writes its content; Terraform never does."
  type        = set(string)

  validation {
    condition     = length(var.users) > 0 && length(var.users) <= 100
    error_message = "Give 1 to 100 clients."
  }

  validation {
    condition     = alltrue([for user in var.users : can(regex("^[a-z][a-z0-9-]{0,40}$", user))])
    error_message = "A client's name must have lower-case letters, digits and hyphens, and start with a letter."
  }
}

variable "passwords_filled_in" {
  description = "Whether every client's secret has its user name and password. Only then are the secrets associated with the brokers."
  type        = bool
  default     = false
}

variable "tags" {
  description = "Tags of all resources."
  type        = map(string)
  default     = {}
}
