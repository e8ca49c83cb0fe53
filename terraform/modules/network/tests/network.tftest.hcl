mock_provider "aws" {
  mock_data "aws_iam_policy_document" {
    defaults = { json = "{}" }
  }
  mock_data "aws_region" {
    defaults = { name = "eu-central-1" }
  }
  mock_resource "aws_cloudwatch_log_group" {
    defaults = { arn = "arn:aws:logs:eu-central-1:111122223333:log-group:x" }
  }
  mock_resource "aws_iam_role" {
    defaults = { arn = "arn:aws:iam::111122223333:role/x" }
  }
}

variables {
  name        = "test"
  zones       = ["eu-central-1a", "eu-central-1b", "eu-central-1c"]
  log_key_arn = "arn:aws:kms:eu-central-1:111122223333:key/x"
}

run "subnets_do_not_overlap" {
  command = plan

  assert {
    condition = length(distinct(concat(
      [for s in aws_subnet.public : s.cidr_block],
      [for s in aws_subnet.nodes : s.cidr_block],
      [for s in aws_subnet.data : s.cidr_block],
    ))) == 9
    error_message = "Nine subnets with nine ranges."
  }

  assert {
    condition     = aws_subnet.nodes["eu-central-1a"].cidr_block == "10.0.0.0/20" && aws_subnet.data["eu-central-1c"].cidr_block == "10.0.226.0/24" && aws_subnet.public["eu-central-1b"].cidr_block == "10.0.241.0/24"
    error_message = "The ranges are those the charts' network policies are told."
  }
}

run "a_way_out_for_each_zone_and_none_for_data" {
  command = plan

  assert {
    condition     = length(aws_nat_gateway.this) == 3 && length(aws_route.nodes) == 3
    error_message = "One way out for each zone."
  }

  assert {
    condition     = alltrue([for s in aws_subnet.public : s.map_public_ip_on_launch != true])
    error_message = "Nothing gets a public address by itself."
  }

  assert {
    condition     = length(aws_vpc_security_group_ingress_rule.endpoints) == 3 && alltrue([for r in aws_vpc_security_group_ingress_rule.endpoints : r.from_port == 443 && r.to_port == 443])
    error_message = "Interfaces of AWS services are reached from nodes by HTTPS only."
  }
}

run "two_zones_are_too_few" {
  command = plan
  variables {
    zones = ["eu-central-1a", "eu-central-1b"]
  }
  expect_failures = [var.zones]
}

run "a_small_network_is_refused" {
  command = plan
  variables {
    cidr = "10.0.0.0/24"
  }
  expect_failures = [var.cidr]
}
