mock_provider "aws" {
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
  name         = "test"
  vpc_id       = "vpc-1"
  subnets      = ["subnet-a", "subnet-b", "subnet-c"]
  client_cidrs = ["10.0.0.0/20"]
  key_arn      = "arn:aws:kms:eu-central-1:111122223333:key/operator"
  users        = ["sanctions", "authority-1"]
}

run "facts_are_kept_and_guarded" {
  command = plan

  assert {
    condition     = aws_msk_cluster.this.encryption_info[0].encryption_in_transit[0].client_broker == "TLS" && !aws_msk_cluster.this.client_authentication[0].unauthenticated
    error_message = "Nobody without a name and TLS."
  }

  assert {
    condition = alltrue([for line in ["min.insync.replicas=2", "auto.create.topics.enable=false", "unclean.leader.election.enable=false"] :
    strcontains(aws_msk_configuration.this.server_properties, line)])
    error_message = "An acknowledged fact is on two brokers, and nobody makes itself a topic."
  }

  assert {
    condition     = length(aws_secretsmanager_secret.user) == 2 && alltrue([for s in aws_secretsmanager_secret.user : startswith(s.name, "AmazonMSK_")])
    error_message = "A secret for each client, with the prefix the broker wants."
  }

  assert {
    condition     = alltrue([for r in aws_vpc_security_group_ingress_rule.clients : r.from_port == 9096 && r.to_port == 9096])
    error_message = "Only the port of SASL over TLS."
  }
}

run "two_zones" {
  command = plan
  variables {
    subnets = ["subnet-a", "subnet-b"]
  }
  expect_failures = [var.subnets]
}
