resource "aws_security_group" "this" {
  name        = "${var.name}-kafka"
  description = "Kafka, from the nodes of its clients"
  vpc_id      = var.vpc_id
  tags        = merge(var.tags, { Name = "${var.name}-kafka" })
}

resource "aws_vpc_security_group_ingress_rule" "clients" {
  for_each                     = var.client_security_groups
  security_group_id            = aws_security_group.this.id
  description                  = "SASL over TLS, from ${each.key}"
  referenced_security_group_id = each.value
  ip_protocol                  = "tcp"
  from_port                    = 9096
  to_port                      = 9096
  tags                         = var.tags
}

# Administrators create topics and access rules with an IAM role. A SCRAM user could not create the first access rule.
resource "aws_vpc_security_group_ingress_rule" "administrators" {
  security_group_id            = aws_security_group.this.id
  description                  = "IAM over TLS, for administration"
  referenced_security_group_id = var.administrator_security_group
  ip_protocol                  = "tcp"
  from_port                    = 9098
  to_port                      = 9098
  tags                         = var.tags
}

resource "aws_vpc_security_group_ingress_rule" "metrics" {
  security_group_id            = aws_security_group.this.id
  description                  = "Metrics of brokers and their machines, for the operator's Prometheus"
  referenced_security_group_id = var.administrator_security_group
  ip_protocol                  = "tcp"
  from_port                    = 11001
  to_port                      = 11002
  tags                         = var.tags
}

resource "aws_msk_configuration" "this" {
  name           = var.name
  kafka_versions = [var.kafka_version]

  # The operator creates the topics, with one partition each. Brokers create no topic automatically.
  server_properties = <<-PROPERTIES
    auto.create.topics.enable=false
    default.replication.factor=3
    min.insync.replicas=2
    num.partitions=1
    unclean.leader.election.enable=false
    allow.everyone.if.no.acl.found=false
  PROPERTIES
}

resource "aws_cloudwatch_log_group" "brokers" {
  name              = "/solidus/${var.name}/kafka"
  retention_in_days = var.log_days
  kms_key_id        = var.key_arn
  tags              = var.tags
}

resource "aws_msk_cluster" "this" {
  cluster_name           = var.name
  kafka_version          = var.kafka_version
  number_of_broker_nodes = length(var.subnets)
  # Prometheus reads the other metrics from the brokers
  enhanced_monitoring = "PER_BROKER"

  broker_node_group_info {
    instance_type   = var.instance_type
    client_subnets  = var.subnets
    security_groups = [aws_security_group.this.id]

    storage_info {
      ebs_storage_info {
        volume_size = var.volume_gib
      }
    }
  }

  client_authentication {
    unauthenticated = false

    sasl {
      scram = true
      iam   = true
    }
  }

  configuration_info {
    arn      = aws_msk_configuration.this.arn
    revision = aws_msk_configuration.this.latest_revision
  }

  encryption_info {
    encryption_at_rest_kms_key_arn = var.key_arn

    encryption_in_transit {
      client_broker = "TLS"
      in_cluster    = true
    }
  }

  open_monitoring {
    prometheus {
      jmx_exporter {
        enabled_in_broker = true
      }

      node_exporter {
        enabled_in_broker = true
      }
    }
  }

  logging_info {
    broker_logs {
      cloudwatch_logs {
        enabled   = true
        log_group = aws_cloudwatch_log_group.brokers.name
      }
    }
  }

  tags = var.tags

  # the events of these topics are kept for ever, and the brokers have the only copy
  lifecycle {
    prevent_destroy = true
  }
}

# MSK accepts only secrets with this prefix. The operator of Kafka fills them in, because a password in a state file is not secret.
# MSK refuses an empty secret, so the association waits until the secrets are filled in.
resource "aws_secretsmanager_secret" "user" {
  for_each    = var.users
  name        = "AmazonMSK_${var.name}_${each.key}"
  description = "SCRAM name and password of ${each.key}"
  kms_key_id  = var.key_arn
  tags        = merge(var.tags, { Owner = each.key })
}

resource "aws_msk_scram_secret_association" "this" {
  count           = var.passwords_filled_in ? 1 : 0
  cluster_arn     = aws_msk_cluster.this.arn
  secret_arn_list = [for secret in aws_secretsmanager_secret.user : secret.arn]
}
