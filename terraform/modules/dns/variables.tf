variable "zone" {
  description = "Domain of the network, e.g. pilot.example; it is made here and delegated by whoever owns the parent."
  type        = string

  validation {
    condition     = can(regex("^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}$", var.zone))
    error_message = "A domain in lower case without a dot at the end."
  }
}

variable "names" {
  description = "Host by service: gateway, registration, sanctions, issuance."
  type        = map(string)
  default     = { gateway = "pay", registration = "registration", sanctions = "sanctions", issuance = "desk" }

  validation {
    condition     = length(setsubtract(["gateway", "registration", "sanctions", "issuance"], keys(var.names))) == 0
    error_message = "Wallets need all four addresses."
  }

  validation {
    condition     = alltrue([for host in values(var.names) : can(regex("^[a-z0-9]([a-z0-9-]*[a-z0-9])?$", host))]) && length(distinct(values(var.names))) == length(var.names)
    error_message = "Different hosts, in lower case."
  }
}

variable "load_balancer" {
  description = "The ingress controller's load balancer, once it exists: name and hosted zone."
  type        = object({ dns_name = string, zone_id = string })
  default     = null
}

variable "certificate_authority" {
  description = "Who alone issues certificates for these names, as its CAA records name it."
  type        = string
  default     = "letsencrypt.org"

  validation {
    condition     = can(regex("^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}$", var.certificate_authority))
    error_message = "A domain: an empty one would forbid every certificate."
  }
}

variable "tags" {
  description = "Tags of everything."
  type        = map(string)
  default     = {}
}
