mock_provider "aws" {
  # only plans, because resources with prevent_destroy could not be destroyed
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
  mock_resource "aws_security_group" {
    defaults = { id = "sg-mock" }
  }
  mock_resource "aws_eks_cluster" {
    defaults = {
      arn        = "arn:aws:eks:eu-central-1:111122223333:cluster/test"
      identity   = [{ oidc = [{ issuer = "https://oidc.eks.eu-central-1.amazonaws.com/id/TEST" }] }]
      vpc_config = { cluster_security_group_id = "sg-nodes" }
    }
  }
}

# Each owner has its own key and roles, so that an assertion detects a mix-up.
override_resource {
  target          = module.kms.aws_kms_key.this["authority-1"]
  override_during = plan
  values          = { arn = "arn:aws:kms:eu-central-1:111122223333:key/authority-1", key_id = "authority-1" }
}
override_resource {
  target          = module.iam.aws_iam_role.this["authority-1-backup"]
  override_during = plan
  values          = { arn = "arn:aws:iam::111122223333:role/solidus-pilot-authority-1-backup" }
}
override_resource {
  target          = module.kms.aws_kms_key.this["authority-2"]
  override_during = plan
  values          = { arn = "arn:aws:kms:eu-central-1:111122223333:key/authority-2", key_id = "authority-2" }
}
override_resource {
  target          = module.iam.aws_iam_role.this["authority-2-backup"]
  override_during = plan
  values          = { arn = "arn:aws:iam::111122223333:role/solidus-pilot-authority-2-backup" }
}
override_resource {
  target          = module.kms.aws_kms_key.this["authority-3"]
  override_during = plan
  values          = { arn = "arn:aws:kms:eu-central-1:111122223333:key/authority-3", key_id = "authority-3" }
}
override_resource {
  target          = module.iam.aws_iam_role.this["authority-3-backup"]
  override_during = plan
  values          = { arn = "arn:aws:iam::111122223333:role/solidus-pilot-authority-3-backup" }
}
override_resource {
  target          = module.kms.aws_kms_key.this["authority-4"]
  override_during = plan
  values          = { arn = "arn:aws:kms:eu-central-1:111122223333:key/authority-4", key_id = "authority-4" }
}
override_resource {
  target          = module.iam.aws_iam_role.this["authority-4-backup"]
  override_during = plan
  values          = { arn = "arn:aws:iam::111122223333:role/solidus-pilot-authority-4-backup" }
}
override_resource {
  target          = module.kms.aws_kms_key.this["authority-5"]
  override_during = plan
  values          = { arn = "arn:aws:kms:eu-central-1:111122223333:key/authority-5", key_id = "authority-5" }
}
override_resource {
  target          = module.iam.aws_iam_role.this["authority-5-backup"]
  override_during = plan
  values          = { arn = "arn:aws:iam::111122223333:role/solidus-pilot-authority-5-backup" }
}
override_resource {
  target          = module.kms.aws_kms_key.this["authority-6"]
  override_during = plan
  values          = { arn = "arn:aws:kms:eu-central-1:111122223333:key/authority-6", key_id = "authority-6" }
}
override_resource {
  target          = module.iam.aws_iam_role.this["authority-6-backup"]
  override_during = plan
  values          = { arn = "arn:aws:iam::111122223333:role/solidus-pilot-authority-6-backup" }
}
override_resource {
  target          = module.kms.aws_kms_key.this["authority-7"]
  override_during = plan
  values          = { arn = "arn:aws:kms:eu-central-1:111122223333:key/authority-7", key_id = "authority-7" }
}
override_resource {
  target          = module.iam.aws_iam_role.this["authority-7-backup"]
  override_during = plan
  values          = { arn = "arn:aws:iam::111122223333:role/solidus-pilot-authority-7-backup" }
}
override_resource {
  target          = module.kms.aws_kms_key.this["authority-8"]
  override_during = plan
  values          = { arn = "arn:aws:kms:eu-central-1:111122223333:key/authority-8", key_id = "authority-8" }
}
override_resource {
  target          = module.iam.aws_iam_role.this["authority-8-backup"]
  override_during = plan
  values          = { arn = "arn:aws:iam::111122223333:role/solidus-pilot-authority-8-backup" }
}
override_resource {
  target          = module.kms.aws_kms_key.this["authority-9"]
  override_during = plan
  values          = { arn = "arn:aws:kms:eu-central-1:111122223333:key/authority-9", key_id = "authority-9" }
}
override_resource {
  target          = module.iam.aws_iam_role.this["authority-9-backup"]
  override_during = plan
  values          = { arn = "arn:aws:iam::111122223333:role/solidus-pilot-authority-9-backup" }
}
override_resource {
  target          = module.kms.aws_kms_key.this["authority-10"]
  override_during = plan
  values          = { arn = "arn:aws:kms:eu-central-1:111122223333:key/authority-10", key_id = "authority-10" }
}
override_resource {
  target          = module.iam.aws_iam_role.this["authority-10-backup"]
  override_during = plan
  values          = { arn = "arn:aws:iam::111122223333:role/solidus-pilot-authority-10-backup" }
}
override_resource {
  target          = module.kms.aws_kms_key.this["operator"]
  override_during = plan
  values          = { arn = "arn:aws:kms:eu-central-1:111122223333:key/operator", key_id = "operator" }
}

variables {
  domain                 = "pilot.example"
  key_administrators     = ["arn:aws:iam::111122223333:role/key-custodian"]
  cluster_administrators = ["arn:aws:iam::111122223333:role/platform"]
}

run "plans_ten_authorities" {
  command = plan

  assert {
    condition     = length([for name, on in output.helm_values.global.authorities : name if on]) == 10
    error_message = "The charts must get ten authorities."
  }

  assert {
    condition = alltrue(flatten([for i in range(1, 11) : [for part in ["shards", "signer", "complianceIssuer"] :
    output.helm_values["a${i}"][part].nodeSelector["solidus.io/authority"] == tostring(i) && output.helm_values["a${i}"][part].tolerations[0].value == tostring(i)]]))
    error_message = "Each authority must run on its own nodes."
  }

  assert {
    condition = alltrue([for i in range(1, 11) : output.helm_values["a${i}"].database.cnpg.backup.destinationPath == "s3://solidus-pilot-111122223333-authority-${i}/postgresql"
    && output.helm_values["a${i}"].database.cnpg.backup.serviceAccountAnnotations["eks.amazonaws.com/role-arn"] == "arn:aws:iam::111122223333:role/solidus-pilot-authority-${i}-backup"])
    error_message = "Each authority must write its backups into its own bucket with its own role."
  }

  assert {
    condition = (alltrue([for item in output.storage_classes.items : item.metadata.name == "solidus-${basename(item.parameters.kmsKeyId)}"]) &&
      alltrue([for i in range(1, 11) : toset([output.helm_values["a${i}"].signer.signLog.storageClass, output.helm_values["a${i}"].signer.anchor.storageClass,
    output.helm_values["a${i}"].database.cnpg.storage.storageClass, output.helm_values["a${i}"].database.cnpg.walStorage.storageClass]) == toset(["solidus-authority-${i}"])]))
    error_message = "Each authority's volumes must be encrypted with its own key."
  }

  assert {
    condition     = length(setintersection(output.helm_values.global.peers.apiServerCidrs, module.network.node_cidrs)) == 0 && output.helm_values.global.peers.objectStoreCidrs == module.network.data_cidrs
    error_message = "The addresses that database pods may reach must contain no pod."
  }

  assert {
    condition     = output.helm_values.global.kafka.securityProtocol == "SASL_SSL" && output.helm_values.global.kafka.port == 9096
    error_message = "Kafka clients must use TLS with a user name and a password."
  }

  assert {
    condition     = output.helm_values.operator.publicUrls.gateway == "https://pay.pilot.example"
    error_message = "The charts must get the public addresses."
  }

  assert {
    condition     = length(output.secret_roles) == 11 && length(module.kms.authority_keys) == 10 && length(distinct(values(module.kms.authority_keys))) == 10 && length(module.backups.buckets) == 11
    error_message = "Each owner must have a reader of secrets, a key and a bucket."
  }
}

run "plans_seven_authorities" {
  command = plan
  variables {
    committee = 7
  }

  assert {
    condition     = [for i in range(1, 11) : output.helm_values.global.authorities["a${i}"]] == [true, true, true, true, true, true, true, false, false, false] && length(output.secret_roles) == 8
    error_message = "The plan must have the first seven authorities and the operator."
  }
}

run "plans_four_authorities" {
  command = plan
  variables {
    committee = 4
  }

  assert {
    condition     = [for i in range(1, 11) : output.helm_values.global.authorities["a${i}"]] == [true, true, true, true, false, false, false, false, false, false] && length(module.authority_database) == 0
    error_message = "The plan must have the first four authorities, with CloudNativePG."
  }
}

run "plans_four_authorities_on_rds" {
  command = plan
  variables {
    committee           = 4
    nodes_per_authority = 1
    authority_database  = "rds"
  }

  assert {
    condition     = length(module.authority_database) == 4 && alltrue([for i in range(1, 5) : output.helm_values["a${i}"].database.mode == "external" && output.helm_values["a${i}"].database.synchronousStandbys == 0])
    error_message = "Each authority must have a server, and the charts must not wait for its standby, which is below PostgreSQL."
  }
}

run "associates_filled_in_passwords" {
  command = plan
  variables {
    committee                 = 4
    kafka_passwords_filled_in = true
    secret_writers            = { "authority-1" = ["arn:aws:iam::111122223333:role/officer-1"], operator = ["arn:aws:iam::111122223333:role/officer-0"] }
    authority_administrators  = { "1" = ["arn:aws:iam::111122223333:role/officer-1"] }
  }

  assert {
    condition     = toset(keys(module.kafka.user_secrets)) == toset(["authority-1", "authority-2", "authority-3", "authority-4", "issuance", "registration", "sanctions"])
    error_message = "Each writer and each reader must have a login."
  }
}

run "refuses_cloudnativepg_on_one_node" {
  command = plan
  variables {
    nodes_per_authority = 1
  }
  expect_failures = [var.authority_database]
}

run "refuses_two_nodes" {
  command = plan
  variables {
    nodes_per_authority = 2
    authority_database  = "rds"
  }
  expect_failures = [var.nodes_per_authority]
}

run "refuses_five_authorities" {
  command = plan
  variables {
    committee = 5
  }
  expect_failures = [var.committee]
}

run "refuses_thirteen_authorities" {
  command = plan
  variables {
    committee = 13
  }
  expect_failures = [var.committee]
}

run "refuses_a_fraction_of_authorities" {
  command = plan
  variables {
    committee = 4.5
  }
  expect_failures = [var.committee]
}

run "refuses_an_unknown_database" {
  command = plan
  variables {
    authority_database = "mysql"
  }
  expect_failures = [var.authority_database]
}

run "refuses_zones_of_another_region" {
  command = plan
  variables {
    zones = ["us-east-1a", "us-east-1b", "us-east-1c"]
  }
  expect_failures = [var.zones]
}

run "refuses_two_zones" {
  command = plan
  variables {
    zones = ["eu-central-1a", "eu-central-1b"]
  }
  expect_failures = [var.zones]
}

run "refuses_another_partition" {
  command = plan
  variables {
    region = "us-gov-west-1"
    zones  = ["us-gov-west-1a", "us-gov-west-1b", "us-gov-west-1c"]
  }
  expect_failures = [var.region]
}

run "refuses_a_long_name" {
  command = plan
  variables {
    name = "a-name-that-is-much-too-long"
  }
  expect_failures = [var.name]
}
