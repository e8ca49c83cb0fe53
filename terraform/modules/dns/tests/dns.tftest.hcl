mock_provider "aws" {}

variables {
  zone = "pilot.example"
}

run "names_exist_before_the_load_balancer" {
  command = plan

  assert {
    condition     = output.urls["gateway"] == "https://pay.pilot.example" && length(aws_route53_record.service) == 0
    error_message = "The addresses must be known before the load balancer exists."
  }
}

run "one_certificate_authority_is_allowed" {
  command = plan

  assert {
    condition     = aws_route53_record.caa.records == toset(["0 issue \"letsencrypt.org\"", "0 issuewild \";\""]) && aws_route53_record.caa.name == "pilot.example"
    error_message = "Only one certificate authority may issue certificates, and no wildcard certificates."
  }
}

run "names_lead_to_the_load_balancer" {
  command = plan
  variables {
    load_balancer = { dns_name = "lb.example", zone_id = "Z1" }
  }

  assert {
    condition     = length(aws_route53_record.service) == 4 && aws_route53_record.service["issuance"].name == "desk.pilot.example"
    error_message = "There must be four names."
  }

  assert {
    condition     = alltrue([for r in aws_route53_record.service : one(r.alias).name == "lb.example" && one(r.alias).zone_id == "Z1"])
    error_message = "The names must lead to the load balancer."
  }
}

run "refuses_a_missing_name" {
  command = plan
  variables {
    names = { gateway = "pay" }
  }
  expect_failures = [var.names]
}

run "refuses_an_invalid_domain" {
  command = plan
  variables {
    zone = "Pilot.Example."
  }
  expect_failures = [var.zone]
}

run "refuses_two_services_on_one_host" {
  command = plan
  variables {
    names = { gateway = "pay", registration = "pay", sanctions = "sanctions", issuance = "desk" }
  }
  expect_failures = [var.names]
}

run "refuses_an_invalid_host" {
  command = plan
  variables {
    names = { gateway = "*", registration = "registration", sanctions = "sanctions", issuance = "desk" }
  }
  expect_failures = [var.names]
}

run "refuses_no_certificate_authority" {
  command = plan
  variables {
    certificate_authority = ""
  }
  expect_failures = [var.certificate_authority]
}
