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
    error_message = "Twelve subnets with twelve ranges."
  }

  # The third number of an address says where it is: nodes to 95 (six zones of sixteen), control from 208, data from 224, public from 240.
  assert {
    condition     = alltrue([for s in aws_subnet.nodes : endswith(s.cidr_block, ".0/20") && tonumber(split(".", s.cidr_block)[2]) <= 80])
    error_message = "Nodes' ranges stay below the others."
  }

  assert {
    condition = (alltrue([for s in aws_subnet.control : endswith(s.cidr_block, ".0/24") && contains([208, 209, 210], tonumber(split(".", s.cidr_block)[2]))]) &&
      alltrue([for s in aws_subnet.data : endswith(s.cidr_block, ".0/24") && contains([224, 225, 226], tonumber(split(".", s.cidr_block)[2]))]) &&
    alltrue([for s in aws_subnet.public : endswith(s.cidr_block, ".0/24") && contains([240, 241, 242], tonumber(split(".", s.cidr_block)[2]))]))
    error_message = "The ranges are those the charts' network policies are told."
  }

  assert {
    condition     = tolist(output.control_cidrs) == tolist(["10.0.208.0/24", "10.0.209.0/24", "10.0.210.0/24"]) && length(setintersection(output.control_cidrs, output.node_cidrs)) == 0
    error_message = "The Kubernetes API's interfaces are where no pod is."
  }
}

run "six_zones_in_the_smallest_network" {
  command = plan
  variables {
    cidr  = "192.168.64.0/18"
    zones = ["eu-central-1a", "eu-central-1b", "eu-central-1c", "eu-central-1d", "eu-central-1e", "eu-central-1f"]
  }

  assert {
    condition     = aws_subnet.nodes["eu-central-1f"].cidr_block == "192.168.84.0/22" && aws_subnet.control["eu-central-1a"].cidr_block == "192.168.116.0/26" && aws_subnet.public["eu-central-1f"].cidr_block == "192.168.125.64/26"
    error_message = "Ranges of six zones fit, and do not meet."
  }
}

run "a_way_out_for_each_zone_and_none_for_data" {
  command = plan

  assert {
    condition     = length(aws_nat_gateway.this) == 3 && length(aws_route.nodes) == 3 && alltrue([for r in aws_route.nodes : r.destination_cidr_block == "0.0.0.0/0"])
    error_message = "One way out for each zone."
  }

  assert {
    condition     = alltrue([for s in concat(values(aws_subnet.public), values(aws_subnet.nodes), values(aws_subnet.data)) : s.map_public_ip_on_launch != true])
    error_message = "Nothing gets a public address by itself."
  }

  assert {
    condition     = length(aws_default_security_group.none.ingress) == 0 && length(aws_default_security_group.none.egress) == 0
    error_message = "What names no security group reaches nothing."
  }
}

run "the_inside_way_to_aws" {
  command = plan

  assert {
    condition     = alltrue([for s in ["s3", "sts", "kms", "secretsmanager", "ecr.api", "ecr.dkr", "logs"] : aws_vpc_endpoint.interface[s].service_name == "com.amazonaws.eu-central-1.${s}" && aws_vpc_endpoint.interface[s].private_dns_enabled])
    error_message = "By their usual names."
  }

  assert {
    condition     = aws_vpc_endpoint.interface["s3"].dns_options[0].private_dns_only_for_inbound_resolver_endpoint == false
    error_message = "Otherwise backups go to the object store's public addresses, which the charts' network policies refuse."
  }

  assert {
    condition     = length(aws_vpc_security_group_ingress_rule.endpoints) == 3 && alltrue([for r in aws_vpc_security_group_ingress_rule.endpoints : r.from_port == 443 && r.to_port == 443 && endswith(r.cidr_ipv4, "/20")])
    error_message = "Interfaces of AWS services are reached from nodes by HTTPS only."
  }

  assert {
    condition     = toset(keys(data.aws_iam_policy_document.endpoint)) == toset(["s3", "kms", "secretsmanager", "logs"]) && alltrue([for s, d in data.aws_iam_policy_document.endpoint : aws_vpc_endpoint.interface[s].policy == d.json])
    error_message = "What holds secrets or backups has a policy."
  }

  assert {
    condition = alltrue(flatten([for d in data.aws_iam_policy_document.endpoint : [for s in d.statement :
      toset([for c in s.condition : "${c.test} ${c.variable} ${one(c.values)}"]) == toset(["StringEquals aws:PrincipalAccount 111122223333", "StringEquals aws:ResourceAccount 111122223333"])
    if s.sid == "OwnAccountOnly"]]))
    error_message = "This account's own, by this account's own."
  }

  assert {
    condition = alltrue(flatten([for d in data.aws_iam_policy_document.endpoint : [for s in d.statement :
    s.actions == toset(["s3:GetObject"]) && s.resources == toset(["arn:aws:s3:::prod-eu-central-1-starport-layer-bucket/*"]) if s.sid != "OwnAccountOnly"]]))
    error_message = "Beside it layers of images, to be read."
  }
}

run "refused_connections_are_on_record" {
  command = plan

  assert {
    condition     = aws_flow_log.this.traffic_type == "REJECT" && aws_cloudwatch_log_group.flow.kms_key_id == var.log_key_arn && aws_cloudwatch_log_group.flow.retention_in_days == 30
    error_message = "Refused ones, encrypted, for a month; accepted ones would say who paid when."
  }
}

run "two_zones_are_too_few" {
  command = plan
  variables {
    zones = ["eu-central-1a", "eu-central-1b"]
  }
  expect_failures = [var.zones]
}

run "a_zone_twice" {
  command = plan
  variables {
    zones = ["eu-central-1a", "eu-central-1b", "eu-central-1b"]
  }
  expect_failures = [var.zones]
}

run "zones_that_are_none" {
  command = plan
  variables {
    zones = ["a", "b", "c"]
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

run "a_network_larger_than_aws_makes" {
  command = plan
  variables {
    cidr = "10.0.0.0/8"
  }
  expect_failures = [var.cidr]
}

run "public_addresses" {
  command = plan
  variables {
    cidr = "8.8.0.0/16"
  }
  expect_failures = [var.cidr]
}

run "ipv6" {
  command = plan
  variables {
    cidr = "fd00::/16"
  }
  expect_failures = [var.cidr]
}

run "a_range_that_begins_elsewhere" {
  command = plan
  variables {
    cidr = "10.0.5.0/16"
  }
  expect_failures = [var.cidr]
}

run "logs_without_a_key" {
  command = plan
  variables {
    log_key_arn = ""
  }
  expect_failures = [var.log_key_arn]
}

run "logs_of_a_day" {
  command = plan
  variables {
    flow_log_days = 1
  }
  expect_failures = [var.flow_log_days]
}

run "no_account" {
  command = plan
  variables {
    account_id = "me"
  }
  expect_failures = [var.account_id]
}

run "a_name_that_is_none" {
  command = plan
  variables {
    name = "Not A Name"
  }
  expect_failures = [var.name]
}
