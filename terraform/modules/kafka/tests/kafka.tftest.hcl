mock_provider "aws" {
  # only plans, because resources with prevent_destroy could not be destroyed
  override_during = plan

  mock_resource "aws_msk_configuration" {
    defaults = { arn = "arn:aws:kafka:eu-central-1:111122223333:configuration/x/1", latest_revision = 1 }
  }
  mock_resource "aws_msk_cluster" {
    defaults = { arn = "arn:aws:kafka:eu-central-1:111122223333:cluster/x/1" }
  }
  mock_resource "aws_secretsmanager_secret" {
    defaults = { arn = "arn:aws:secretsmanager:eu-central-1:111122223333:secret:x" }
  }
}

variables {
  name                         = "test"
  vpc_id                       = "vpc-1"
  subnets                      = ["subnet-a", "subnet-b", "subnet-c"]
  client_security_groups       = { "authority-1" = "sg-1", operator = "sg-0" }
  administrator_security_group = "sg-0"
  key_arn                      = "arn:aws:kms:eu-central-1:111122223333:key/operator"
  users                        = ["sanctions", "authority-1"]
}

run "facts_are_replicated_and_protected" {
  command = plan

  assert {
    condition     = aws_msk_cluster.this.encryption_info[0].encryption_in_transit[0].client_broker == "TLS" && !aws_msk_cluster.this.client_authentication[0].unauthenticated
    error_message = "Brokers must refuse clients without TLS or without a user name."
  }

  assert {
    condition = alltrue([for line in ["min.insync.replicas=2", "auto.create.topics.enable=false", "unclean.leader.election.enable=false", "default.replication.factor=3", "allow.everyone.if.no.acl.found=false"] :
    strcontains(aws_msk_configuration.this.server_properties, line)])
    error_message = "Two brokers must acknowledge a fact, and brokers must not create topics automatically."
  }

  assert {
    condition     = length(aws_secretsmanager_secret.user) == 2 && alltrue([for s in aws_secretsmanager_secret.user : startswith(s.name, "AmazonMSK_")])
    error_message = "Each client must have a secret with the prefix that MSK requires."
  }

  assert {
    condition     = aws_msk_cluster.this.encryption_info[0].encryption_in_transit[0].in_cluster && aws_msk_cluster.this.encryption_info[0].encryption_at_rest_kms_key_arn == var.key_arn && alltrue([for s in aws_secretsmanager_secret.user : s.kms_key_id == var.key_arn])
    error_message = "Traffic between brokers, disks and secrets must be encrypted with the key."
  }

  assert {
    condition     = aws_msk_cluster.this.client_authentication[0].sasl[0].scram && aws_msk_cluster.this.number_of_broker_nodes == 3 && output.port == 9096
    error_message = "There must be three brokers with SCRAM."
  }

  assert {
    condition     = aws_msk_cluster.this.logging_info[0].broker_logs[0].cloudwatch_logs[0].enabled && aws_cloudwatch_log_group.brokers.kms_key_id == var.key_arn
    error_message = "The brokers' logs must be kept and encrypted."
  }
}

run "only_clients_and_administrators_connect" {
  command = plan

  assert {
    condition = (length(aws_vpc_security_group_ingress_rule.clients) == 2 &&
    alltrue([for owner, r in aws_vpc_security_group_ingress_rule.clients : r.from_port == 9096 && r.to_port == 9096 && r.cidr_ipv4 == null && r.referenced_security_group_id == var.client_security_groups[owner]]))
    error_message = "Clients may use only the port of SASL over TLS."
  }

  assert {
    condition     = aws_vpc_security_group_ingress_rule.administrators.referenced_security_group_id == "sg-0" && aws_vpc_security_group_ingress_rule.administrators.from_port == 9098 && aws_vpc_security_group_ingress_rule.administrators.to_port == 9098
    error_message = "Only the operator's nodes may create topics and access rules."
  }

  assert {
    condition     = aws_vpc_security_group_ingress_rule.metrics.referenced_security_group_id == "sg-0" && aws_vpc_security_group_ingress_rule.metrics.from_port == 11001 && aws_vpc_security_group_ingress_rule.metrics.to_port == 11002
    error_message = "Only the operator's nodes may read metrics."
  }
}

run "empty_secrets_are_not_associated" {
  command = plan

  assert {
    condition     = length(aws_msk_scram_secret_association.this) == 0
    error_message = "Empty secrets must not be associated, because MSK refuses them."
  }
}

run "filled_in_secrets_are_associated" {
  command = plan
  variables {
    passwords_filled_in = true
  }

  assert {
    condition     = length(one(aws_msk_scram_secret_association.this[*].secret_arn_list)) >= 1
    error_message = "Filled-in secrets must be associated."
  }
}

run "refuses_two_zones" {
  command = plan
  variables {
    subnets = ["subnet-a", "subnet-b"]
  }
  expect_failures = [var.subnets]
}

run "refuses_one_subnet_three_times" {
  command = plan
  variables {
    subnets = ["subnet-a", "subnet-a", "subnet-a"]
  }
  expect_failures = [var.subnets]
}

run "refuses_no_key" {
  command = plan
  variables {
    key_arn = ""
  }
  expect_failures = [var.key_arn]
}

run "refuses_an_address_range_as_client" {
  command = plan
  variables {
    client_security_groups = { everybody = "0.0.0.0/0" }
  }
  expect_failures = [var.client_security_groups]
}

run "refuses_an_old_kafka" {
  command = plan
  variables {
    kafka_version = "2.8.1"
  }
  expect_failures = [var.kafka_version]
}

run "refuses_no_user" {
  command = plan
  variables {
    users = []
  }
  expect_failures = [var.users]
}

run "refuses_a_wildcard_user" {
  command = plan
  variables {
    users = ["*"]
  }
  expect_failures = [var.users]
}

run "refuses_a_small_disk" {
  command = plan
  variables {
    volume_gib = 1
  }
  expect_failures = [var.volume_gib]
}

run "refuses_an_invalid_instance_type" {
  command = plan
  variables {
    instance_type = "m5.large"
  }
  expect_failures = [var.instance_type]
}

run "refuses_logs_of_one_day" {
  command = plan
  variables {
    log_days = 1
  }
  expect_failures = [var.log_days]
}

run "refuses_an_invalid_name" {
  command = plan
  variables {
    name = "Not A Name"
  }
  expect_failures = [var.name]
}
