variable "zone" {
  description = "Domain of the network, e.g. pilot.example. The module creates the zone; the owner of the parent domain delegates it."
  type        = string

  validation {
    condition     = can(regex("^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}$", var.zone))
    error_message = "Give a domain in lower case without a final dot."
  }
}

variable "names" {
  description = "Host name of each service: gateway, registration, sanctions, issuance."
  type        = map(string)
  default     = { gateway = "pay", registration = "registration", sanctions = "sanctions", issuance = "desk" }

  validation {
    condition     = length(setsubtract(["gateway", "registration", "sanctions", "issuance"], keys(var.names))) == 0
    error_message = "Give all four services: gateway, registration, sanctions, issuance."
  }

  validation {
    condition     = alltrue([for host in values(var.names) : can(regex("^[a-z0-9]([a-z0-9-]*[a-z0-9])?$", host))]) && length(distinct(values(var.names))) == length(var.names)
    error_message = "Give different host names in lower case."
  }
}

variable "load_balancer" {
  description = "DNS name and hosted zone of the ingress controller's load balancer. Null until it exists."
  type        = object({ dns_name = string, zone_id = string })
  default     = null
}

variable "certificate_authority" {
  description = "The only certificate authority that may issue certificates for these names, as in a CAA record."
  type        = string
  default     = "letsencrypt.org"

  validation {
    condition     = can(regex("^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}$", var.certificate_authority))
    error_message = "Give a domain. An empty one forbids every certificate."
  }
}

variable "tags" {
  description = "Tags of all resources."
  type        = map(string)
  default     = {}
}
