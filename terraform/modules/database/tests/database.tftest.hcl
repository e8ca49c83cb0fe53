mock_provider "aws" {}

variables {
  name         = "test"
  vpc_id       = "vpc-1"
  subnets      = ["subnet-a", "subnet-b", "subnet-c"]
  client_cidrs = ["10.0.0.0/20", "10.0.16.0/20"]
  key_arn      = "arn:aws:kms:eu-central-1:111122223333:key/operator"
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
    condition     = contains([for p in aws_db_parameter_group.this.parameter : "${p.name}=${p.value}"], "rds.force_ssl=1") && contains([for p in aws_db_parameter_group.this.parameter : "${p.name}=${p.value}"], "synchronous_commit=on")
    error_message = "TLS, and commits that are on disk."
  }

  assert {
    condition     = length(aws_vpc_security_group_ingress_rule.clients) == 2
    error_message = "From each range of nodes."
  }
}

run "an_old_postgresql" {
  command = plan
  variables {
    engine_version = "14.12"
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
