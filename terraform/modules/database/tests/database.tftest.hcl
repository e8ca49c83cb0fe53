mock_provider "aws" {}

variables {
  name                   = "test"
  vpc_id                 = "vpc-1"
  subnets                = ["subnet-a", "subnet-b", "subnet-c"]
  client_security_groups = { "authority-1" = "sg-1" }
  key_arn                = "arn:aws:kms:eu-central-1:111122223333:key/operator"
}

run "server_is_durable_and_private" {
  command = plan

  assert {
    condition     = aws_db_instance.this.storage_encrypted && aws_db_instance.this.multi_az && aws_db_instance.this.deletion_protection && !aws_db_instance.this.publicly_accessible && !aws_db_instance.this.skip_final_snapshot
    error_message = "The server must be encrypted, in two zones, protected from deletion and not public."
  }

  assert {
    condition     = aws_db_instance.this.manage_master_user_password && aws_db_instance.this.password == null
    error_message = "RDS must manage the password, so that Terraform never has it."
  }

  assert {
    condition = length(setsubtract(["rds.force_ssl=1", "ssl_min_protocol_version=TLSv1.2", "synchronous_commit=on", "log_connections=1", "log_statement=ddl", "log_min_duration_statement=-1"],
    [for p in aws_db_parameter_group.this.parameter : "${p.name}=${p.value}"])) == 0
    error_message = "The server must require TLS 1.2 or later, flush commits to disk, and log connections but no statements."
  }

  assert {
    condition     = length([for p in aws_db_parameter_group.this.parameter : p if contains(["fsync", "full_page_writes"], p.name)]) == 0 && aws_db_instance.this.parameter_group_name == aws_db_parameter_group.this.name && aws_db_parameter_group.this.family == "postgres17"
    error_message = "The server must have these parameters and none that weakens durability."
  }

  assert {
    condition     = aws_db_instance.this.kms_key_id == var.key_arn && aws_db_instance.this.master_user_secret_kms_key_id == var.key_arn && aws_db_instance.this.performance_insights_kms_key_id == var.key_arn && alltrue([for g in aws_cloudwatch_log_group.server : g.kms_key_id == var.key_arn])
    error_message = "Disk, password, insights and logs must be encrypted with the owner's key."
  }

  assert {
    condition     = aws_db_instance.this.backup_retention_period == 35 && !aws_db_instance.this.delete_automated_backups && aws_db_instance.this.final_snapshot_identifier == "test-final"
    error_message = "Backups must outlive the server."
  }

  assert {
    condition     = toset(keys(aws_cloudwatch_log_group.server)) == aws_db_instance.this.enabled_cloudwatch_logs_exports && aws_cloudwatch_log_group.server["postgresql"].name == "/aws/rds/instance/test/postgresql"
    error_message = "The log groups must be those that RDS writes to."
  }
}

run "only_the_owners_nodes_connect" {
  command = plan

  assert {
    condition     = length(aws_vpc_security_group_ingress_rule.clients) == 1 && alltrue([for r in aws_vpc_security_group_ingress_rule.clients : r.referenced_security_group_id == "sg-1" && r.cidr_ipv4 == null && r.from_port == 5432 && r.to_port == 5432])
    error_message = "Only one security group may connect, to one port, and no address range."
  }
}

run "refuses_an_old_postgresql" {
  command = plan
  variables {
    engine_version = "14.12"
  }
  expect_failures = [var.engine_version]
}

run "refuses_an_invalid_version" {
  command = plan
  variables {
    engine_version = "latest"
  }
  expect_failures = [var.engine_version]
}

run "refuses_backups_of_one_day" {
  command = plan
  variables {
    backup_days = 1
  }
  expect_failures = [var.backup_days]
}

run "refuses_an_old_tls" {
  command = plan
  variables {
    minimum_tls = "TLSv1.1"
  }
  expect_failures = [var.minimum_tls]
}

run "refuses_no_key" {
  command = plan
  variables {
    key_arn = ""
  }
  expect_failures = [var.key_arn]
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

run "refuses_an_address_range_as_client" {
  command = plan
  variables {
    client_security_groups = { everybody = "0.0.0.0/0" }
  }
  expect_failures = [var.client_security_groups]
}

run "refuses_no_client" {
  command = plan
  variables {
    client_security_groups = {}
  }
  expect_failures = [var.client_security_groups]
}

run "refuses_a_burstable_server" {
  command = plan
  variables {
    instance_class = "db.t3.medium"
  }
  expect_failures = [var.instance_class]
}

run "refuses_a_small_disk" {
  command = plan
  variables {
    storage_gib = 10
  }
  expect_failures = [var.storage_gib]
}

run "refuses_few_connections" {
  command = plan
  variables {
    max_connections = 5
  }
  expect_failures = [var.max_connections]
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
