locals {
  logs = toset(["postgresql", "upgrade"])
}

resource "aws_db_subnet_group" "this" {
  name       = var.name
  subnet_ids = var.subnets
  tags       = var.tags
}

resource "aws_security_group" "this" {
  name        = "${var.name}-postgresql"
  description = "PostgreSQL, from the nodes of its owner"
  vpc_id      = var.vpc_id
  tags        = merge(var.tags, { Name = "${var.name}-postgresql" })
}

resource "aws_vpc_security_group_ingress_rule" "clients" {
  for_each                     = var.client_security_groups
  security_group_id            = aws_security_group.this.id
  description                  = "PostgreSQL over TLS, from ${each.key}"
  referenced_security_group_id = each.value
  ip_protocol                  = "tcp"
  from_port                    = 5432
  to_port                      = 5432
  tags                         = var.tags
}

# RDS would create the log group without encryption and without an end of retention
resource "aws_cloudwatch_log_group" "server" {
  for_each          = local.logs
  name              = "/aws/rds/instance/${var.name}/${each.key}"
  retention_in_days = var.log_days
  kms_key_id        = var.key_arn
  tags              = var.tags
}

resource "aws_db_parameter_group" "this" {
  name   = var.name
  family = "postgres${split(".", var.engine_version)[0]}"
  tags   = var.tags

  parameter {
    name  = "rds.force_ssl"
    value = "1"
  }

  parameter {
    name  = "ssl_min_protocol_version"
    value = var.minimum_tls
  }

  parameter {
    name  = "synchronous_commit"
    value = "on"
  }

  # logs connections and changes of tables, but no statements, because their values are payments
  dynamic "parameter" {
    for_each = { log_connections = "1", log_disconnections = "1", log_statement = "ddl", log_min_duration_statement = "-1" }

    content {
      name  = parameter.key
      value = parameter.value
    }
  }

  parameter {
    name         = "max_connections"
    value        = tostring(var.max_connections)
    apply_method = "pending-reboot"
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_db_instance" "this" {
  identifier     = var.name
  engine         = "postgres"
  engine_version = var.engine_version
  instance_class = var.instance_class

  allocated_storage     = var.storage_gib
  max_allocated_storage = var.storage_gib * 10
  storage_type          = "gp3"
  storage_encrypted     = true
  kms_key_id            = var.key_arn

  multi_az               = true
  db_subnet_group_name   = aws_db_subnet_group.this.name
  vpc_security_group_ids = [aws_security_group.this.id]
  publicly_accessible    = false
  parameter_group_name   = aws_db_parameter_group.this.name
  ca_cert_identifier     = "rds-ca-rsa2048-g1"

  # RDS creates and rotates the password, so it is never in a state file
  username                      = "solidus"
  manage_master_user_password   = true
  master_user_secret_kms_key_id = var.key_arn

  backup_retention_period         = var.backup_days
  copy_tags_to_snapshot           = true
  delete_automated_backups        = false
  deletion_protection             = true
  skip_final_snapshot             = false
  final_snapshot_identifier       = "${var.name}-final"
  auto_minor_version_upgrade      = false
  performance_insights_enabled    = true
  performance_insights_kms_key_id = var.key_arn
  enabled_cloudwatch_logs_exports = local.logs

  tags       = var.tags
  depends_on = [aws_cloudwatch_log_group.server]

  lifecycle {
    prevent_destroy = true
  }
}
