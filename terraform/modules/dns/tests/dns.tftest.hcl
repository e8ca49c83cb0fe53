mock_provider "aws" {}

variables {
  zone = "pilot.example"
}

run "names_before_there_is_a_load_balancer" {
  command = plan

  assert {
    condition     = output.urls["gateway"] == "https://pay.pilot.example" && length(aws_route53_record.service) == 0
    error_message = "Addresses are known before they lead anywhere."
  }
}

run "one_authority_issues_certificates" {
  command = plan

  assert {
    condition     = aws_route53_record.caa.records == toset(["0 issue \"letsencrypt.org\"", "0 issuewild \";\""]) && aws_route53_record.caa.name == "pilot.example"
    error_message = "Nobody else's certificates, and none for all names."
  }
}

run "names_lead_to_the_load_balancer" {
  command = plan
  variables {
    load_balancer = { dns_name = "lb.example", zone_id = "Z1" }
  }

  assert {
    condition     = length(aws_route53_record.service) == 4 && aws_route53_record.service["issuance"].name == "desk.pilot.example"
    error_message = "Four names."
  }

  assert {
    condition     = alltrue([for r in aws_route53_record.service : one(r.alias).name == "lb.example" && one(r.alias).zone_id == "Z1"])
    error_message = "To the load balancer."
  }
}

run "a_name_missing" {
  command = plan
  variables {
    names = { gateway = "pay" }
  }
  expect_failures = [var.names]
}

run "not_a_domain" {
  command = plan
  variables {
    zone = "Pilot.Example."
  }
  expect_failures = [var.zone]
}

run "two_services_on_one_host" {
  command = plan
  variables {
    names = { gateway = "pay", registration = "pay", sanctions = "sanctions", issuance = "desk" }
  }
  expect_failures = [var.names]
}

run "a_host_that_is_none" {
  command = plan
  variables {
    names = { gateway = "*", registration = "registration", sanctions = "sanctions", issuance = "desk" }
  }
  expect_failures = [var.names]
}

run "nobody_issues" {
  command = plan
  variables {
    certificate_authority = ""
  }
  expect_failures = [var.certificate_authority]
}
