locals {
  zones = { for i, zone in var.zones : zone => i }
}

data "aws_region" "here" {}

resource "aws_vpc" "this" {
  cidr_block           = var.cidr
  enable_dns_hostnames = true
  enable_dns_support   = true
  tags                 = merge(var.tags, { Name = var.name })
}

resource "aws_default_security_group" "none" {
  vpc_id  = aws_vpc.this.id
  ingress = []
  egress  = []
  tags    = merge(var.tags, { Name = "${var.name}-nothing" })
}

resource "aws_subnet" "public" {
  for_each          = local.zones
  vpc_id            = aws_vpc.this.id
  availability_zone = each.key
  cidr_block        = cidrsubnet(var.cidr, 8, 240 + each.value)
  tags              = merge(var.tags, { Name = "${var.name}-public-${each.key}", "kubernetes.io/role/elb" = "1" })
}

resource "aws_subnet" "nodes" {
  for_each          = local.zones
  vpc_id            = aws_vpc.this.id
  availability_zone = each.key
  cidr_block        = cidrsubnet(var.cidr, 4, each.value)
  tags              = merge(var.tags, { Name = "${var.name}-nodes-${each.key}", "kubernetes.io/role/internal-elb" = "1" })
}

resource "aws_subnet" "data" {
  for_each          = local.zones
  vpc_id            = aws_vpc.this.id
  availability_zone = each.key
  cidr_block        = cidrsubnet(var.cidr, 8, 224 + each.value)
  tags              = merge(var.tags, { Name = "${var.name}-data-${each.key}" })
}

# Subnets of the Kubernetes API. No pod runs in them, so a network policy for these addresses allows the API only.
resource "aws_subnet" "control" {
  for_each          = local.zones
  vpc_id            = aws_vpc.this.id
  availability_zone = each.key
  cidr_block        = cidrsubnet(var.cidr, 8, 208 + each.value)
  tags              = merge(var.tags, { Name = "${var.name}-control-${each.key}" })
}

resource "aws_internet_gateway" "this" {
  vpc_id = aws_vpc.this.id
  tags   = merge(var.tags, { Name = var.name })
}

resource "aws_eip" "nat" {
  for_each = local.zones
  domain   = "vpc"
  tags     = merge(var.tags, { Name = "${var.name}-nat-${each.key}" })
}

# One for each zone, so that the failure of a zone does not cut off the others.
resource "aws_nat_gateway" "this" {
  for_each      = local.zones
  allocation_id = aws_eip.nat[each.key].id
  subnet_id     = aws_subnet.public[each.key].id
  tags          = merge(var.tags, { Name = "${var.name}-${each.key}" })
  depends_on    = [aws_internet_gateway.this]
}

resource "aws_route_table" "public" {
  vpc_id = aws_vpc.this.id
  tags   = merge(var.tags, { Name = "${var.name}-public" })
}

resource "aws_route" "public" {
  route_table_id         = aws_route_table.public.id
  destination_cidr_block = "0.0.0.0/0"
  gateway_id             = aws_internet_gateway.this.id
}

resource "aws_route_table_association" "public" {
  for_each       = local.zones
  subnet_id      = aws_subnet.public[each.key].id
  route_table_id = aws_route_table.public.id
}

resource "aws_route_table" "nodes" {
  for_each = local.zones
  vpc_id   = aws_vpc.this.id
  tags     = merge(var.tags, { Name = "${var.name}-nodes-${each.key}" })
}

resource "aws_route" "nodes" {
  for_each               = local.zones
  route_table_id         = aws_route_table.nodes[each.key].id
  destination_cidr_block = "0.0.0.0/0"
  nat_gateway_id         = aws_nat_gateway.this[each.key].id
}

resource "aws_route_table_association" "nodes" {
  for_each       = local.zones
  subnet_id      = aws_subnet.nodes[each.key].id
  route_table_id = aws_route_table.nodes[each.key].id
}

resource "aws_route_table" "data" {
  vpc_id = aws_vpc.this.id
  tags   = merge(var.tags, { Name = "${var.name}-data" })
}

resource "aws_route_table_association" "data" {
  for_each       = local.zones
  subnet_id      = aws_subnet.data[each.key].id
  route_table_id = aws_route_table.data.id
}

resource "aws_route_table_association" "control" {
  for_each       = local.zones
  subnet_id      = aws_subnet.control[each.key].id
  route_table_id = aws_route_table.data.id
}

# Backups go through the interface endpoint of S3. Network policies can name its addresses.
resource "aws_security_group" "endpoints" {
  name        = "${var.name}-endpoints"
  description = "Interfaces of AWS services, from nodes"
  vpc_id      = aws_vpc.this.id
  tags        = merge(var.tags, { Name = "${var.name}-endpoints" })
}

resource "aws_vpc_security_group_ingress_rule" "endpoints" {
  for_each          = local.zones
  security_group_id = aws_security_group.endpoints.id
  description       = "HTTPS from nodes in ${each.key}"
  cidr_ipv4         = aws_subnet.nodes[each.key].cidr_block
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
}

# The endpoints reach only buckets, keys, secrets and logs of this account.
# An attacker with a pod that writes backups cannot send them to a bucket of another account.
data "aws_iam_policy_document" "endpoint" {
  for_each = toset(["s3", "kms", "secretsmanager", "logs"])

  statement {
    sid       = "OwnAccountOnly"
    actions   = ["${each.key}:*"]
    resources = ["*"]

    principals {
      type        = "*"
      identifiers = ["*"]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:PrincipalAccount"
      values   = [var.account_id]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:ResourceAccount"
      values   = [var.account_id]
    }
  }

  # ECR serves image layers from its own bucket
  dynamic "statement" {
    for_each = each.key == "s3" ? [1] : []

    content {
      sid       = "LayersOfImages"
      actions   = ["s3:GetObject"]
      resources = ["arn:aws:s3:::prod-${data.aws_region.here.name}-starport-layer-bucket/*"]

      principals {
        type        = "*"
        identifiers = ["*"]
      }
    }
  }
}

resource "aws_vpc_endpoint" "interface" {
  for_each            = toset(["s3", "sts", "kms", "secretsmanager", "ecr.api", "ecr.dkr", "logs"])
  vpc_id              = aws_vpc.this.id
  service_name        = "com.amazonaws.${data.aws_region.here.name}.${each.key}"
  vpc_endpoint_type   = "Interface"
  subnet_ids          = [for subnet in aws_subnet.data : subnet.id]
  security_group_ids  = [aws_security_group.endpoints.id]
  private_dns_enabled = true
  policy              = contains(keys(data.aws_iam_policy_document.endpoint), each.key) ? data.aws_iam_policy_document.endpoint[each.key].json : null
  tags                = merge(var.tags, { Name = "${var.name}-${each.key}" })

  # The usual name of S3 resolves to this endpoint in the whole VPC.
  # Otherwise AWS requires a gateway endpoint, which has no addresses for network policies.
  dynamic "dns_options" {
    for_each = each.key == "s3" ? [1] : []

    content {
      private_dns_only_for_inbound_resolver_endpoint = false
    }
  }
}

resource "aws_cloudwatch_log_group" "flow" {
  name              = "/solidus/${var.name}/flow"
  retention_in_days = var.flow_log_days
  kms_key_id        = var.log_key_arn
  tags              = var.tags
}

data "aws_iam_policy_document" "flow_trust" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["vpc-flow-logs.amazonaws.com"]
    }
  }
}

data "aws_iam_policy_document" "flow" {
  statement {
    actions   = ["logs:CreateLogStream", "logs:PutLogEvents", "logs:DescribeLogStreams"]
    resources = ["${aws_cloudwatch_log_group.flow.arn}:*"]
  }
}

resource "aws_iam_role" "flow" {
  name               = "${var.name}-flow-log"
  assume_role_policy = data.aws_iam_policy_document.flow_trust.json
  tags               = var.tags
}

resource "aws_iam_role_policy" "flow" {
  name   = "write"
  role   = aws_iam_role.flow.id
  policy = data.aws_iam_policy_document.flow.json
}

# Only refused connections. Records of accepted ones would show which address paid at which time.
resource "aws_flow_log" "this" {
  vpc_id          = aws_vpc.this.id
  traffic_type    = "REJECT"
  log_destination = aws_cloudwatch_log_group.flow.arn
  iam_role_arn    = aws_iam_role.flow.arn
  tags            = merge(var.tags, { Name = var.name })
}
