variable "name" {
  description = "Name of the Kafka cluster."
  type        = string
}

variable "vpc_id" {
  description = "The network."
  type        = string
}

variable "subnets" {
  description = "Subnets of the brokers, one in each zone."
  type        = list(string)

  validation {
    condition     = length(var.subnets) >= 3
    error_message = "Three zones: facts are on three brokers and acknowledged by two."
  }
}

variable "client_cidrs" {
  description = "Addresses of the nodes."
  type        = list(string)
}

variable "kafka_version" {
  description = "Version of Kafka."
  type        = string
  default     = "3.9.x"
}

variable "instance_type" {
  description = "Type of the brokers; facts are few."
  type        = string
  default     = "kafka.m7g.large"
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
}

variable "users" {
  description = "Names of the clients; each gets a secret for SCRAM that is filled in by hand, never by Terraform."
  type        = set(string)

  validation {
    condition     = length(var.users) > 0 && length(var.users) <= 100
    error_message = "1 to 100 clients."
  }
}

variable "tags" {
  description = "Tags of everything."
  type        = map(string)
  default     = {}
}
