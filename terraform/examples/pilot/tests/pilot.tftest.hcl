mock_provider "aws" {
  # nothing is made, so nothing has to be destroyed that must not be
  override_during = plan

  mock_data "aws_iam_policy_document" {
    defaults = { json = "{}" }
  }
  mock_data "aws_region" {
    defaults = { name = "eu-central-1" }
  }
  mock_data "aws_caller_identity" {
    defaults = { account_id = "111122223333" }
  }
  mock_resource "aws_cloudwatch_log_group" {
    defaults = { arn = "arn:aws:logs:eu-central-1:111122223333:log-group:x" }
  }
  mock_resource "aws_iam_role" {
    defaults = { arn = "arn:aws:iam::111122223333:role/x" }
  }
  mock_resource "aws_iam_openid_connect_provider" {
    defaults = { arn = "arn:aws:iam::111122223333:oidc-provider/x" }
  }
  mock_resource "aws_kms_key" {
    defaults = { arn = "arn:aws:kms:eu-central-1:111122223333:key/x" }
  }
  mock_resource "aws_s3_bucket" {
    defaults = { arn = "arn:aws:s3:::x", id = "x" }
  }
  mock_resource "aws_launch_template" {
    defaults = { id = "lt-0123456789abcdef0", latest_version = 1 }
  }
  mock_resource "aws_msk_configuration" {
    defaults = { arn = "arn:aws:kafka:eu-central-1:111122223333:configuration/x/1", latest_revision = 1 }
  }
  mock_resource "aws_msk_cluster" {
    defaults = { arn = "arn:aws:kafka:eu-central-1:111122223333:cluster/x/1", bootstrap_brokers_sasl_scram = "b-1.example:9096,b-2.example:9096" }
  }
  mock_resource "aws_secretsmanager_secret" {
    defaults = { arn = "arn:aws:secretsmanager:eu-central-1:111122223333:secret:x" }
  }
  mock_resource "aws_db_instance" {
    defaults = { address = "db.example", port = 5432, master_user_secret = [{ secret_arn = "arn:aws:secretsmanager:eu-central-1:111122223333:secret:y", secret_status = "active", kms_key_id = "x" }] }
  }
  mock_resource "aws_eks_cluster" {
    defaults = {
      arn        = "arn:aws:eks:eu-central-1:111122223333:cluster/test"
      identity   = [{ oidc = [{ issuer = "https://oidc.eks.eu-central-1.amazonaws.com/id/TEST" }] }]
      vpc_config = { cluster_security_group_id = "sg-nodes" }
    }
  }
}

variables {
  domain             = "pilot.example"
  key_administrators = ["arn:aws:iam::111122223333:role/key-custodian"]
}

run "ten_authorities" {
  command = plan

  assert {
    condition     = length([for name, on in output.helm_values.global.authorities : name if on]) == 10
    error_message = "The charts are told of ten."
  }

  assert {
    condition     = alltrue([for i in range(1, 11) : output.helm_values["a${i}"].signer.nodeSelector["solidus.io/authority"] == tostring(i)])
    error_message = "Each authority on its own nodes."
  }

  assert {
    condition     = alltrue([for i in range(1, 11) : output.helm_values["a${i}"].database.cnpg.backup.destinationPath == "s3://solidus-pilot-111122223333-authority-${i}/postgresql"])
    error_message = "Each authority's backups in its own bucket."
  }

  assert {
    condition     = output.helm_values.operator.publicUrls.gateway == "https://pay.pilot.example"
    error_message = "Public addresses."
  }

  assert {
    condition     = length(output.secret_roles) == 11
    error_message = "A reader of secrets for each owner."
  }
}

run "four_with_servers_of_the_provider" {
  command = plan
  variables {
    committee           = 4
    nodes_per_authority = 1
    authority_database  = "rds"
  }

  assert {
    condition     = length(module.authority_database) == 4
    error_message = "A server for each authority."
  }
}

run "cloudnativepg_on_one_node" {
  command = plan
  variables {
    nodes_per_authority = 1
  }
  expect_failures = [var.authority_database]
}

run "five" {
  command = plan
  variables {
    committee = 5
  }
  expect_failures = [var.committee]
}
