mock_provider "aws" {}

variables {
  name                   = "test"
  vpc_id                 = "vpc-1"
  subnets                = ["subnet-a", "subnet-b", "subnet-c"]
  client_security_groups = { "authority-1" = "sg-1" }
  key_arn                = "arn:aws:kms:eu-central-1:111122223333:key/operator"
}

run "durable_and_private" {
  command = plan

  assert {
    condition     = aws_db_instance.this.storage_encrypted && aws_db_instance.this.multi_az && aws_db_instance.this.deletion_protection && !aws_db_instance.this.publicly_accessible && !aws_db_instance.this.skip_final_snapshot
    error_message = "Encrypted, in two zones, not deleted by mistake, not on the internet."
  }

  assert {
    condition     = aws_db_instance.this.manage_master_user_password && aws_db_instance.this.password == null
    error_message = "No password passes through Terraform."
  }

  assert {
    condition = length(setsubtract(["rds.force_ssl=1", "ssl_min_protocol_version=TLSv1.2", "synchronous_commit=on", "log_connections=1", "log_statement=ddl", "log_min_duration_statement=-1"],
    [for p in aws_db_parameter_group.this.parameter : "${p.name}=${p.value}"])) == 0
    error_message = "TLS of today, commits that are on disk, and logs of who came but of no payment."
  }

  assert {
    condition     = length([for p in aws_db_parameter_group.this.parameter : p if contains(["fsync", "full_page_writes"], p.name)]) == 0 && aws_db_instance.this.parameter_group_name == aws_db_parameter_group.this.name && aws_db_parameter_group.this.family == "postgres17"
    error_message = "The server has these parameters, and none that gives durability away."
  }

  assert {
    condition     = aws_db_instance.this.kms_key_id == var.key_arn && aws_db_instance.this.master_user_secret_kms_key_id == var.key_arn && aws_db_instance.this.performance_insights_kms_key_id == var.key_arn && alltrue([for g in aws_cloudwatch_log_group.server : g.kms_key_id == var.key_arn])
    error_message = "All under the owner's key."
  }

  assert {
    condition     = aws_db_instance.this.backup_retention_period == 35 && !aws_db_instance.this.delete_automated_backups && aws_db_instance.this.final_snapshot_identifier == "test-final"
    error_message = "Backups outlive the server."
  }

  assert {
    condition     = toset(keys(aws_cloudwatch_log_group.server)) == aws_db_instance.this.enabled_cloudwatch_logs_exports && aws_cloudwatch_log_group.server["postgresql"].name == "/aws/rds/instance/test/postgresql"
    error_message = "The groups are those that RDS writes to."
  }
}

run "only_its_owner_s_nodes" {
  command = plan

  assert {
    condition     = length(aws_vpc_security_group_ingress_rule.clients) == 1 && alltrue([for r in aws_vpc_security_group_ingress_rule.clients : r.referenced_security_group_id == "sg-1" && r.cidr_ipv4 == null && r.from_port == 5432 && r.to_port == 5432])
    error_message = "From one security group, to one port, and from no range of addresses."
  }
}

run "an_old_postgresql" {
  command = plan
  variables {
    engine_version = "14.12"
  }
  expect_failures = [var.engine_version]
}

run "a_version_that_is_none" {
  command = plan
  variables {
    engine_version = "latest"
  }
  expect_failures = [var.engine_version]
}

run "backups_of_a_day" {
  command = plan
  variables {
    backup_days = 1
  }
  expect_failures = [var.backup_days]
}

run "an_old_tls" {
  command = plan
  variables {
    minimum_tls = "TLSv1.1"
  }
  expect_failures = [var.minimum_tls]
}

run "unencrypted" {
  command = plan
  variables {
    key_arn = ""
  }
  expect_failures = [var.key_arn]
}

run "two_zones" {
  command = plan
  variables {
    subnets = ["subnet-a", "subnet-b"]
  }
  expect_failures = [var.subnets]
}

run "one_subnet_thrice" {
  command = plan
  variables {
    subnets = ["subnet-a", "subnet-a", "subnet-a"]
  }
  expect_failures = [var.subnets]
}

run "from_everywhere" {
  command = plan
  variables {
    client_security_groups = { everybody = "0.0.0.0/0" }
  }
  expect_failures = [var.client_security_groups]
}

run "from_nowhere" {
  command = plan
  variables {
    client_security_groups = {}
  }
  expect_failures = [var.client_security_groups]
}

run "a_server_on_credit" {
  command = plan
  variables {
    instance_class = "db.t3.medium"
  }
  expect_failures = [var.instance_class]
}

run "a_tiny_disk" {
  command = plan
  variables {
    storage_gib = 10
  }
  expect_failures = [var.storage_gib]
}

run "few_connections" {
  command = plan
  variables {
    max_connections = 5
  }
  expect_failures = [var.max_connections]
}

run "logs_for_a_day" {
  command = plan
  variables {
    log_days = 1
  }
  expect_failures = [var.log_days]
}

run "a_name_that_is_none" {
  command = plan
  variables {
    name = "Not A Name"
  }
  expect_failures = [var.name]
}
