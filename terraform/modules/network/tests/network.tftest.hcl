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
  account_id  = "111122223333"
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
      [for s in aws_subnet.control : s.cidr_block],
    ))) == 12
    error_message = "There must be twelve subnets with twelve ranges."
  }

  # The third byte of an address shows the subnet: nodes to 95 (six zones of 16), control from 208, data from 224, public from 240.
  assert {
    condition     = alltrue([for s in aws_subnet.nodes : endswith(s.cidr_block, ".0/20") && tonumber(split(".", s.cidr_block)[2]) <= 80])
    error_message = "The node ranges must be below the others."
  }

  assert {
    condition = (alltrue([for s in aws_subnet.control : endswith(s.cidr_block, ".0/24") && contains([208, 209, 210], tonumber(split(".", s.cidr_block)[2]))]) &&
      alltrue([for s in aws_subnet.data : endswith(s.cidr_block, ".0/24") && contains([224, 225, 226], tonumber(split(".", s.cidr_block)[2]))]) &&
    alltrue([for s in aws_subnet.public : endswith(s.cidr_block, ".0/24") && contains([240, 241, 242], tonumber(split(".", s.cidr_block)[2]))]))
    error_message = "The outputs must have the ranges for the charts' network policies."
  }

  assert {
    condition     = tolist(output.control_cidrs) == tolist(["10.0.208.0/24", "10.0.209.0/24", "10.0.210.0/24"]) && length(setintersection(output.control_cidrs, output.node_cidrs)) == 0
    error_message = "The network interfaces of the Kubernetes API must be in subnets without pods."
  }
}

run "six_zones_fit_into_the_smallest_network" {
  command = plan
  variables {
    cidr  = "192.168.64.0/18"
    zones = ["eu-central-1a", "eu-central-1b", "eu-central-1c", "eu-central-1d", "eu-central-1e", "eu-central-1f"]
  }

  assert {
    condition     = aws_subnet.nodes["eu-central-1f"].cidr_block == "192.168.84.0/22" && aws_subnet.control["eu-central-1a"].cidr_block == "192.168.116.0/26" && aws_subnet.public["eu-central-1f"].cidr_block == "192.168.125.64/26"
    error_message = "The ranges of six zones must fit and not overlap."
  }
}

run "each_zone_has_a_nat_gateway_and_data_has_no_route_out" {
  command = plan

  assert {
    condition     = length(aws_nat_gateway.this) == 3 && length(aws_route.nodes) == 3 && alltrue([for r in aws_route.nodes : r.destination_cidr_block == "0.0.0.0/0"])
    error_message = "Each zone must have its own NAT gateway."
  }

  assert {
    condition     = alltrue([for s in concat(values(aws_subnet.public), values(aws_subnet.nodes), values(aws_subnet.data)) : s.map_public_ip_on_launch != true])
    error_message = "No subnet may assign public addresses automatically."
  }

  assert {
    condition     = length(aws_default_security_group.none.ingress) == 0 && length(aws_default_security_group.none.egress) == 0
    error_message = "The default security group must allow nothing."
  }
}

run "endpoints_reach_this_account_only" {
  command = plan

  assert {
    condition     = alltrue([for s in ["s3", "sts", "kms", "secretsmanager", "ecr.api", "ecr.dkr", "logs"] : aws_vpc_endpoint.interface[s].service_name == "com.amazonaws.eu-central-1.${s}" && aws_vpc_endpoint.interface[s].private_dns_enabled])
    error_message = "The usual names of AWS services must resolve to the endpoints."
  }

  assert {
    condition     = aws_vpc_endpoint.interface["s3"].dns_options[0].private_dns_only_for_inbound_resolver_endpoint == false
    error_message = "The usual name of S3 must resolve to the endpoint; the charts' network policies refuse its public addresses."
  }

  assert {
    condition     = length(aws_vpc_security_group_ingress_rule.endpoints) == 3 && alltrue([for r in aws_vpc_security_group_ingress_rule.endpoints : r.from_port == 443 && r.to_port == 443 && endswith(r.cidr_ipv4, "/20")])
    error_message = "Nodes may reach the endpoints by HTTPS only."
  }

  assert {
    condition     = toset(keys(data.aws_iam_policy_document.endpoint)) == toset(["s3", "kms", "secretsmanager", "logs"]) && alltrue([for s, d in data.aws_iam_policy_document.endpoint : aws_vpc_endpoint.interface[s].policy == d.json])
    error_message = "Endpoints of services with secrets or backups must have a policy."
  }

  assert {
    condition = alltrue(flatten([for d in data.aws_iam_policy_document.endpoint : [for s in d.statement :
      toset([for c in s.condition : "${c.test} ${c.variable} ${one(c.values)}"]) == toset(["StringEquals aws:PrincipalAccount 111122223333", "StringEquals aws:ResourceAccount 111122223333"])
    if s.sid == "OwnAccountOnly"]]))
    error_message = "The endpoints may serve only resources and principals of this account."
  }

  assert {
    condition = alltrue(flatten([for d in data.aws_iam_policy_document.endpoint : [for s in d.statement :
    s.actions == toset(["s3:GetObject"]) && s.resources == toset(["arn:aws:s3:::prod-eu-central-1-starport-layer-bucket/*"]) if s.sid != "OwnAccountOnly"]]))
    error_message = "The S3 endpoint must also allow reading image layers."
  }
}

run "flow_logs_record_refused_connections" {
  command = plan

  assert {
    condition     = aws_flow_log.this.traffic_type == "REJECT" && aws_cloudwatch_log_group.flow.kms_key_id == var.log_key_arn && aws_cloudwatch_log_group.flow.retention_in_days == 30
    error_message = "Flow logs must be encrypted, kept for a month, and record only refused connections. Accepted ones would show who paid at which time."
  }
}

run "refuses_two_zones" {
  command = plan
  variables {
    zones = ["eu-central-1a", "eu-central-1b"]
  }
  expect_failures = [var.zones]
}

run "refuses_a_zone_twice" {
  command = plan
  variables {
    zones = ["eu-central-1a", "eu-central-1b", "eu-central-1b"]
  }
  expect_failures = [var.zones]
}

run "refuses_invalid_zones" {
  command = plan
  variables {
    zones = ["a", "b", "c"]
  }
  expect_failures = [var.zones]
}

run "refuses_a_small_network" {
  command = plan
  variables {
    cidr = "10.0.0.0/24"
  }
  expect_failures = [var.cidr]
}

run "refuses_a_network_larger_than_aws_allows" {
  command = plan
  variables {
    cidr = "10.0.0.0/8"
  }
  expect_failures = [var.cidr]
}

run "refuses_public_addresses" {
  command = plan
  variables {
    cidr = "8.8.0.0/16"
  }
  expect_failures = [var.cidr]
}

run "refuses_ipv6" {
  command = plan
  variables {
    cidr = "fd00::/16"
  }
  expect_failures = [var.cidr]
}

run "refuses_an_address_that_is_not_the_first_of_its_range" {
  command = plan
  variables {
    cidr = "10.0.5.0/16"
  }
  expect_failures = [var.cidr]
}

run "refuses_logs_without_a_key" {
  command = plan
  variables {
    log_key_arn = ""
  }
  expect_failures = [var.log_key_arn]
}

run "refuses_logs_of_one_day" {
  command = plan
  variables {
    flow_log_days = 1
  }
  expect_failures = [var.flow_log_days]
}

run "refuses_an_invalid_account" {
  command = plan
  variables {
    account_id = "me"
  }
  expect_failures = [var.account_id]
}

run "refuses_an_invalid_name" {
  command = plan
  variables {
    name = "Not A Name"
  }
  expect_failures = [var.name]
}
