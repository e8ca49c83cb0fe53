locals {
  groups = merge(
    { for index, group in var.authorities : "authority-${index}" => merge(group, { owner = "authority-${index}", authority = index, key = var.volume_key_arns[index] }) },
    { operator = merge(var.operator, { owner = "operator", authority = "", key = var.key_arn }) },
  )

  people = merge(
    { for arn in var.administrators : arn => "operator" },
    [for index, arns in var.authority_administrators : { for arn in arns : arn => "authority-${index}" }]...
  )

  issuer = trimprefix(aws_eks_cluster.this.identity[0].oidc[0].issuer, "https://")

  # service accounts of the add-ons that call AWS
  drivers = {
    storage = { account = "ebs-csi-controller-sa", policy = "service-role/AmazonEBSCSIDriverPolicy" }
    network = { account = "aws-node", policy = "AmazonEKS_CNI_Policy" }
  }

  # nodes become ready only after the network agent assigns addresses; the other add-ons need nodes
  before_nodes = toset(["vpc-cni", "kube-proxy"])
  after_nodes  = toset(["coredns", "aws-ebs-csi-driver", "metrics-server"])
}

data "aws_region" "here" {}

data "aws_iam_policy_document" "cluster_trust" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["eks.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "cluster" {
  name               = "${var.name}-cluster"
  assume_role_policy = data.aws_iam_policy_document.cluster_trust.json
  tags               = var.tags
}

resource "aws_iam_role_policy_attachment" "cluster" {
  role       = aws_iam_role.cluster.name
  policy_arn = "arn:aws:iam::aws:policy/AmazonEKSClusterPolicy"
}

# the operator's key encrypts the Kubernetes secrets
data "aws_iam_policy_document" "cluster_key" {
  statement {
    actions   = ["kms:Encrypt", "kms:Decrypt", "kms:ListGrants", "kms:DescribeKey"]
    resources = [var.key_arn]
  }
}

resource "aws_iam_role_policy" "cluster_key" {
  name   = "key"
  role   = aws_iam_role.cluster.id
  policy = data.aws_iam_policy_document.cluster_key.json
}

resource "aws_cloudwatch_log_group" "cluster" {
  name              = "/aws/eks/${var.name}/cluster"
  retention_in_days = var.log_days
  kms_key_id        = var.key_arn
  tags              = var.tags
}

resource "aws_eks_cluster" "this" {
  name                          = var.name
  version                       = var.kubernetes_version
  role_arn                      = aws_iam_role.cluster.arn
  enabled_cluster_log_types     = ["api", "audit", "authenticator"]
  bootstrap_self_managed_addons = false

  vpc_config {
    subnet_ids              = var.control_subnets
    endpoint_private_access = true
    endpoint_public_access  = length(var.api_cidrs) > 0
    public_access_cidrs     = length(var.api_cidrs) > 0 ? var.api_cidrs : null
  }

  encryption_config {
    resources = ["secrets"]

    provider {
      key_arn = var.key_arn
    }
  }

  # no automatic upgrade at the end of a version's support: a person upgrades one authority at a time
  upgrade_policy {
    support_type = "EXTENDED"
  }

  access_config {
    authentication_mode                         = "API"
    bootstrap_cluster_creator_admin_permissions = false
  }

  tags       = var.tags
  depends_on = [aws_iam_role_policy_attachment.cluster, aws_iam_role_policy.cluster_key, aws_cloudwatch_log_group.cluster]
}

# Administrators of the cluster and of single namespaces. No other role has access.
resource "aws_eks_access_entry" "person" {
  for_each      = local.people
  cluster_name  = aws_eks_cluster.this.name
  principal_arn = each.key
  type          = "STANDARD"
  tags          = merge(var.tags, { Owner = each.value })
}

resource "aws_eks_access_policy_association" "person" {
  for_each      = local.people
  cluster_name  = aws_eks_cluster.this.name
  principal_arn = aws_eks_access_entry.person[each.key].principal_arn
  policy_arn    = "arn:aws:eks::aws:cluster-access-policy/${each.value == "operator" ? "AmazonEKSClusterAdminPolicy" : "AmazonEKSAdminPolicy"}"

  access_scope {
    type       = each.value == "operator" ? "cluster" : "namespace"
    namespaces = each.value == "operator" ? null : [replace(var.namespace_pattern, "{index}", trimprefix(each.value, "authority-"))]
  }
}

data "aws_iam_policy_document" "node_trust" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["ec2.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "node" {
  for_each           = local.groups
  name               = "${var.name}-${each.key}-node"
  assume_role_policy = data.aws_iam_policy_document.node_trust.json
  tags               = var.tags
}

resource "aws_iam_role_policy_attachment" "node" {
  for_each = { for pair in setproduct(keys(local.groups), ["AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly"]) : "${pair[0]}/${pair[1]}" => pair }

  role       = aws_iam_role.node[each.value[0]].name
  policy_arn = "arn:aws:iam::aws:policy/${each.value[1]}"
}

# The group has no rules. Databases and brokers name it in their own rules.
resource "aws_security_group" "node" {
  for_each    = local.groups
  name        = "${var.name}-${each.key}"
  description = "Nodes of ${each.key}"
  vpc_id      = var.vpc_id
  tags        = merge(var.tags, { Name = "${var.name}-${each.key}", Owner = each.value.owner })
}

resource "aws_launch_template" "node" {
  for_each               = local.groups
  name                   = "${var.name}-${each.key}"
  vpc_security_group_ids = [aws_eks_cluster.this.vpc_config[0].cluster_security_group_id, aws_security_group.node[each.key].id]

  metadata_options {
    http_endpoint = "enabled"
    http_tokens   = "required"
    # pods cannot get the credentials of the node's role
    http_put_response_hop_limit = 1
  }

  block_device_mappings {
    device_name = "/dev/xvda"

    ebs {
      volume_size = 100
      volume_type = "gp3"
      encrypted   = true
      kms_key_id  = each.value.key
    }
  }

  tag_specifications {
    resource_type = "instance"
    tags          = merge(var.tags, { Name = "${var.name}-${each.key}", Owner = each.value.owner })
  }

  tags = var.tags
}

resource "aws_eks_node_group" "this" {
  for_each        = local.groups
  cluster_name    = aws_eks_cluster.this.name
  node_group_name = each.key
  node_role_arn   = aws_iam_role.node[each.key].arn
  subnet_ids      = values(var.node_subnets)
  instance_types  = [each.value.instance_type]
  ami_type        = "AL2023_x86_64_STANDARD"
  capacity_type   = "ON_DEMAND"

  scaling_config {
    desired_size = each.value.nodes
    min_size     = each.value.min_nodes
    max_size     = each.value.max_nodes
  }

  # one node of an authority at a time; the person who upgrades must not upgrade two authorities at the same time
  update_config {
    max_unavailable = 1
  }

  launch_template {
    id      = aws_launch_template.node[each.key].id
    version = aws_launch_template.node[each.key].latest_version
  }

  labels = each.value.authority == "" ? { "solidus.io/operator" = "true" } : { "solidus.io/authority" = each.value.authority }

  dynamic "taint" {
    for_each = each.value.authority == "" ? [] : [each.value.authority]

    content {
      key    = "solidus.io/authority"
      value  = taint.value
      effect = "NO_SCHEDULE"
    }
  }

  tags = merge(var.tags, { Owner = each.value.owner })

  lifecycle {
    ignore_changes = [scaling_config[0].desired_size]
  }

  depends_on = [aws_iam_role_policy_attachment.node, aws_eks_addon.before_nodes]
}

resource "aws_eks_addon" "before_nodes" {
  for_each                    = local.before_nodes
  cluster_name                = aws_eks_cluster.this.name
  addon_name                  = each.key
  resolve_conflicts_on_update = "OVERWRITE"
  # the network agent enforces the network policies of the charts
  configuration_values     = each.key == "vpc-cni" ? jsonencode({ enableNetworkPolicy = "true" }) : null
  service_account_role_arn = each.key == "vpc-cni" ? aws_iam_role.driver["network"].arn : null
  tags                     = var.tags
  depends_on               = [aws_iam_role_policy_attachment.driver]
}

resource "aws_eks_addon" "after_nodes" {
  for_each                    = local.after_nodes
  cluster_name                = aws_eks_cluster.this.name
  addon_name                  = each.key
  resolve_conflicts_on_update = "OVERWRITE"
  service_account_role_arn    = each.key == "aws-ebs-csi-driver" ? aws_iam_role.driver["storage"].arn : null
  tags                        = var.tags
  depends_on                  = [aws_eks_node_group.this, aws_iam_role_policy_attachment.driver, aws_iam_role_policy.storage_keys]
}

resource "aws_iam_openid_connect_provider" "this" {
  url            = aws_eks_cluster.this.identity[0].oidc[0].issuer
  client_id_list = ["sts.amazonaws.com"]
  tags           = var.tags
}

data "aws_iam_policy_document" "driver_trust" {
  for_each = local.drivers

  statement {
    actions = ["sts:AssumeRoleWithWebIdentity"]

    principals {
      type        = "Federated"
      identifiers = [aws_iam_openid_connect_provider.this.arn]
    }

    condition {
      test     = "StringEquals"
      variable = "${local.issuer}:sub"
      values   = ["system:serviceaccount:kube-system:${each.value.account}"]
    }

    condition {
      test     = "StringEquals"
      variable = "${local.issuer}:aud"
      values   = ["sts.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "driver" {
  for_each           = local.drivers
  name               = "${var.name}-${each.key}"
  assume_role_policy = data.aws_iam_policy_document.driver_trust[each.key].json
  tags               = var.tags
}

resource "aws_iam_role_policy_attachment" "driver" {
  for_each   = local.drivers
  role       = aws_iam_role.driver[each.key].name
  policy_arn = "arn:aws:iam::aws:policy/${each.value.policy}"
}

# AWS's managed policy for the driver grants nothing on keys. The driver may use a volume's key through EC2 only.
data "aws_iam_policy_document" "storage_keys" {
  statement {
    sid       = "UseByEc2"
    actions   = ["kms:Encrypt", "kms:Decrypt", "kms:ReEncryptFrom", "kms:ReEncryptTo", "kms:GenerateDataKey", "kms:GenerateDataKeyWithoutPlaintext", "kms:DescribeKey"]
    resources = concat(values(var.volume_key_arns), [var.key_arn])

    condition {
      test     = "StringEquals"
      variable = "kms:ViaService"
      values   = ["ec2.${data.aws_region.here.name}.amazonaws.com"]
    }
  }

  statement {
    sid       = "GrantsToEc2"
    actions   = ["kms:CreateGrant"]
    resources = concat(values(var.volume_key_arns), [var.key_arn])

    condition {
      test     = "Bool"
      variable = "kms:GrantIsForAWSResource"
      values   = ["true"]
    }
  }
}

resource "aws_iam_role_policy" "storage_keys" {
  name   = "keys"
  role   = aws_iam_role.driver["storage"].id
  policy = data.aws_iam_policy_document.storage_keys.json
}
