variable "name" {
  description = "Name of the Kafka cluster."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,62}$", var.name))
    error_message = "The name is 2 to 63 lower-case letters, digits and hyphens."
  }
}

variable "vpc_id" {
  description = "The network."
  type        = string
}

variable "subnets" {
  description = "Subnets of the brokers, one in each zone."
  type        = list(string)

  validation {
    condition     = length(distinct(var.subnets)) >= 3
    error_message = "Three zones: facts are on three brokers and acknowledged by two."
  }
}

variable "client_security_groups" {
  description = "Security groups that reach the brokers, by owner of the nodes."
  type        = map(string)

  validation {
    condition     = length(var.client_security_groups) > 0 && alltrue([for id in values(var.client_security_groups) : startswith(id, "sg-")])
    error_message = "At least one security group, by its id (sg-...)."
  }
}

variable "administrator_security_group" {
  description = "Security group from which topics and rules are made and metrics are read: the operator's."
  type        = string
}

variable "kafka_version" {
  description = "Version of Kafka."
  type        = string
  default     = "3.9.x"

  validation {
    condition     = can(regex("^(3\\.[6-9]|[4-9]\\.[0-9]+)\\.(x|[0-9]+)(\\.kraft)?$", var.kafka_version))
    error_message = "Kafka 3.6 or later, as MSK writes it, e.g. 3.9.x."
  }
}

variable "instance_type" {
  description = "Type of the brokers; facts are few."
  type        = string
  default     = "kafka.m7g.large"

  validation {
    condition     = can(regex("^kafka\\.[a-z0-9]+\\.[a-z0-9]+$", var.instance_type))
    error_message = "A type of MSK's standard brokers, kafka.FAMILY.SIZE."
  }
}

variable "volume_gib" {
  description = "Disk of each broker."
  type        = number
  default     = 100

  validation {
    condition     = var.volume_gib >= 10 && var.volume_gib <= 16384
    error_message = "10 GiB to 16 TiB."
  }
}

variable "key_arn" {
  description = "KMS key of the disks, the passwords and the logs."
  type        = string

  validation {
    condition     = can(regex("^arn:aws:kms:[a-z0-9-]+:[0-9]{12}:key/.+$", var.key_arn))
    error_message = "Facts are encrypted: the ARN of a KMS key."
  }
}

variable "log_days" {
  description = "How long the brokers' logs are kept."
  type        = number
  default     = 90

  validation {
    condition     = contains([30, 60, 90, 120, 150, 180, 365], var.log_days)
    error_message = "A month or more, as CloudWatch counts: 30, 60, 90, 120, 150, 180 or 365."
  }
}

variable "users" {
  description = "Names of the clients; each gets a secret for SCRAM that is filled in by hand, never by Terraform."
  type        = set(string)

  validation {
    condition     = length(var.users) > 0 && length(var.users) <= 100
    error_message = "1 to 100 clients."
  }

  validation {
    condition     = alltrue([for user in var.users : can(regex("^[a-z][a-z0-9-]{0,40}$", user))])
    error_message = "A client's name is lower-case letters, digits and hyphens."
  }
}

variable "passwords_filled_in" {
  description = "Whether every client's secret has its name and password; only then the brokers are told of them."
  type        = bool
  default     = false
}

variable "tags" {
  description = "Tags of everything."
  type        = map(string)
  default     = {}
}
