# A cluster with a node group for each authority (labelled and tainted, so that nobody else's pods run there) and one for the operator.

locals {
  groups = merge(
    { for index, group in var.authorities : "authority-${index}" => merge(group, { owner = "authority-${index}", authority = index, key = var.volume_key_arns[index] }) },
    { operator = merge(var.operator, { owner = "operator", authority = "", key = var.key_arn }) },
  )
}

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
    subnet_ids              = values(var.node_subnets)
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

  access_config {
    authentication_mode                         = "API"
    bootstrap_cluster_creator_admin_permissions = false
  }

  tags       = var.tags
  depends_on = [aws_iam_role_policy_attachment.cluster, aws_cloudwatch_log_group.cluster]
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
  for_each = { for pair in setproduct(keys(local.groups), ["AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEC2ContainerRegistryPullOnly"]) : "${pair[0]}/${pair[1]}" => pair }

  role       = aws_iam_role.node[each.value[0]].name
  policy_arn = "arn:aws:iam::aws:policy/${each.value[1]}"
}

resource "aws_launch_template" "node" {
  for_each = local.groups
  name     = "${var.name}-${each.key}"

  metadata_options {
    http_tokens = "required"
    # pods do not reach the node's role
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

  # one authority's node at a time; two authorities at a time is for whoever upgrades to avoid
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

  depends_on = [aws_iam_role_policy_attachment.node]
}

resource "aws_eks_addon" "this" {
  for_each                    = toset(["vpc-cni", "coredns", "kube-proxy", "aws-ebs-csi-driver", "eks-pod-identity-agent", "metrics-server"])
  cluster_name                = aws_eks_cluster.this.name
  addon_name                  = each.key
  resolve_conflicts_on_update = "OVERWRITE"
  # the network policies of the charts are kept by the network's own agent
  configuration_values     = each.key == "vpc-cni" ? jsonencode({ enableNetworkPolicy = "true" }) : null
  service_account_role_arn = each.key == "aws-ebs-csi-driver" ? aws_iam_role.storage.arn : null
  tags                     = var.tags
  depends_on               = [aws_eks_node_group.this]
}

resource "aws_iam_openid_connect_provider" "this" {
  url            = aws_eks_cluster.this.identity[0].oidc[0].issuer
  client_id_list = ["sts.amazonaws.com"]
  tags           = var.tags
}

data "aws_iam_policy_document" "storage_trust" {
  statement {
    actions = ["sts:AssumeRoleWithWebIdentity"]

    principals {
      type        = "Federated"
      identifiers = [aws_iam_openid_connect_provider.this.arn]
    }

    condition {
      test     = "StringEquals"
      variable = "${trimprefix(aws_eks_cluster.this.identity[0].oidc[0].issuer, "https://")}:sub"
      values   = ["system:serviceaccount:kube-system:ebs-csi-controller-sa"]
    }
  }
}

resource "aws_iam_role" "storage" {
  name               = "${var.name}-storage"
  assume_role_policy = data.aws_iam_policy_document.storage_trust.json
  tags               = var.tags
}

resource "aws_iam_role_policy_attachment" "storage" {
  role       = aws_iam_role.storage.name
  policy_arn = "arn:aws:iam::aws:policy/service-role/AmazonEBSCSIDriverPolicy"
}
