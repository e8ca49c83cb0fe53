# Brokers that carry signed facts: over TLS with a name and password for each client, kept on three and acknowledged by two.

resource "aws_security_group" "this" {
  name        = "${var.name}-kafka"
  description = "Kafka, from nodes"
  vpc_id      = var.vpc_id
  tags        = merge(var.tags, { Name = "${var.name}-kafka" })
}

resource "aws_vpc_security_group_ingress_rule" "clients" {
  for_each          = toset(var.client_cidrs)
  security_group_id = aws_security_group.this.id
  description       = "SASL over TLS"
  cidr_ipv4         = each.key
  ip_protocol       = "tcp"
  from_port         = 9096
  to_port           = 9096
}

# Whoever makes topics and access rules comes with a role of the account: with a name and password alone nobody could make the first rule.
resource "aws_vpc_security_group_ingress_rule" "administrators" {
  for_each          = toset(var.client_cidrs)
  security_group_id = aws_security_group.this.id
  description       = "IAM over TLS, for administration"
  cidr_ipv4         = each.key
  ip_protocol       = "tcp"
  from_port         = 9098
  to_port           = 9098
}

resource "aws_msk_configuration" "this" {
  name           = var.name
  kafka_versions = [var.kafka_version]

  # Topics are made by the operator, with one partition each; nothing makes itself a topic.
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
  retention_in_days = 30
  kms_key_id        = var.key_arn
  tags              = var.tags
}

resource "aws_msk_cluster" "this" {
  cluster_name           = var.name
  kafka_version          = var.kafka_version
  number_of_broker_nodes = length(var.subnets)
  enhanced_monitoring    = "PER_TOPIC_PER_PARTITION"

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
}

# The broker takes secrets of this prefix only. Their content is put in by who runs Kafka: a password in a state file is no secret.
resource "aws_secretsmanager_secret" "user" {
  for_each    = var.users
  name        = "AmazonMSK_${var.name}_${each.key}"
  description = "SCRAM name and password of ${each.key}"
  kms_key_id  = var.key_arn
  tags        = merge(var.tags, { Owner = each.key })
}

resource "aws_msk_scram_secret_association" "this" {
  cluster_arn     = aws_msk_cluster.this.arn
  secret_arn_list = [for secret in aws_secretsmanager_secret.user : secret.arn]
}
