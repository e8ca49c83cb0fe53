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

run "names_lead_to_the_load_balancer" {
  command = plan
  variables {
    load_balancer = { dns_name = "lb.example", zone_id = "Z1" }
  }

  assert {
    condition     = length(aws_route53_record.service) == 4 && aws_route53_record.service["issuance"].name == "desk.pilot.example"
    error_message = "Four names."
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
