locals {
  owners = toset(concat([for a in var.authorities : "authority-${a}"], ["operator"]))

  role    = "arn:aws:iam::${var.account_id}:role/${var.name}"
  storage = "${local.role}-storage"
  root    = "arn:aws:iam::${var.account_id}:root"
  groups  = "arn:aws:logs:${var.region}:${var.account_id}:log-group"

  manage = ["CreateAlias", "UpdateAlias", "DeleteAlias", "DescribeKey", "UpdateKeyDescription", "EnableKey", "DisableKey", "EnableKeyRotation",
    "DisableKeyRotation", "GetKeyRotationStatus", "ListKeyRotations", "GetKeyPolicy", "PutKeyPolicy", "ListKeyPolicies", "ListGrants",
  "RevokeGrant", "ListResourceTags", "TagResource", "UntagResource", "ScheduleKeyDeletion", "CancelKeyDeletion"]

  # actions for attaching an encrypted volume or writing an encrypted log
  envelope = ["Encrypt", "Decrypt", "ReEncryptFrom", "ReEncryptTo", "GenerateDataKey", "GenerateDataKeyWithoutPlaintext", "DescribeKey"]

  # log groups that each owner's key encrypts
  logs = { for owner in local.owners : owner => concat(
    ["${local.groups}:/aws/rds/instance/${var.name}-${owner}/*"],
    owner == "operator" ? ["${local.groups}:/solidus/${var.name}/*", "${local.groups}:/aws/eks/${var.name}/*"] : [],
  ) }
}

data "aws_iam_policy_document" "key" {
  for_each = local.owners

  statement {
    sid       = "Manage"
    actions   = [for action in local.manage : "kms:${action}"]
    resources = ["*"]

    principals {
      type        = "AWS"
      identifiers = var.administrators
    }
  }

  # The account as principal grants nothing by itself: a role needs its own policy too, and the condition must name the role.
  statement {
    sid       = "RolesOfTheOwner"
    actions   = ["kms:Decrypt", "kms:GenerateDataKey", "kms:DescribeKey"]
    resources = ["*"]

    principals {
      type        = "AWS"
      identifiers = [local.root]
    }

    condition {
      test     = "ArnEquals"
      variable = "aws:PrincipalArn"
      values   = ["${local.role}-${each.key}-backup", "${local.role}-${each.key}-secrets"]
    }
  }

  # Volumes of pods: the storage driver, through EC2 only.
  statement {
    sid       = "VolumesOfPods"
    actions   = [for action in local.envelope : "kms:${action}"]
    resources = ["*"]

    principals {
      type        = "AWS"
      identifiers = [local.root]
    }

    condition {
      test     = "ArnEquals"
      variable = "aws:PrincipalArn"
      values   = [local.storage]
    }

    condition {
      test     = "StringEquals"
      variable = "kms:ViaService"
      values   = ["ec2.${var.region}.amazonaws.com"]
    }
  }

  # Root volumes of nodes: Auto Scaling starts nodes with its own role, which has no policy for keys.
  statement {
    sid       = "VolumesOfNodes"
    actions   = [for action in local.envelope : "kms:${action}"]
    resources = ["*"]

    principals {
      type        = "AWS"
      identifiers = [var.autoscaling_role_arn]
    }
  }

  statement {
    sid       = "GrantsForVolumesOfNodes"
    actions   = ["kms:CreateGrant"]
    resources = ["*"]

    principals {
      type        = "AWS"
      identifiers = [var.autoscaling_role_arn]
    }

    condition {
      test     = "Bool"
      variable = "kms:GrantIsForAWSResource"
      values   = ["true"]
    }
  }

  # Databases, brokers and volumes use their key by a grant. Their creator may grant it to AWS services only.
  statement {
    sid       = "GrantsToServices"
    actions   = ["kms:CreateGrant"]
    resources = ["*"]

    principals {
      type        = "AWS"
      identifiers = [local.root]
    }

    condition {
      test     = "Bool"
      variable = "kms:GrantIsForAWSResource"
      values   = ["true"]
    }

    condition {
      test     = "ArnEquals"
      variable = "aws:PrincipalArn"
      values   = concat(var.administrators, [local.storage])
    }
  }

  # RDS creates the first password of a server with the rights of the server's creator. Only RDS can give secrets these names.
  statement {
    sid       = "FirstPasswordsOfServers"
    actions   = ["kms:Decrypt", "kms:GenerateDataKey"]
    resources = ["*"]

    principals {
      type        = "AWS"
      identifiers = var.administrators
    }

    condition {
      test     = "StringLike"
      variable = "kms:EncryptionContext:SecretARN"
      values   = ["arn:aws:secretsmanager:${var.region}:${var.account_id}:secret:rds!db-*"]
    }
  }

  dynamic "statement" {
    for_each = length(lookup(var.secret_writers, each.key, [])) > 0 ? [var.secret_writers[each.key]] : []

    content {
      sid       = "WritersOfSecrets"
      actions   = ["kms:Decrypt", "kms:GenerateDataKey", "kms:DescribeKey"]
      resources = ["*"]

      principals {
        type        = "AWS"
        identifiers = statement.value
      }

      condition {
        test     = "StringEquals"
        variable = "kms:ViaService"
        values   = ["secretsmanager.${var.region}.amazonaws.com"]
      }
    }
  }

  # Kubernetes encrypts its secrets with the operator's key.
  dynamic "statement" {
    for_each = each.key == "operator" ? [1] : []

    content {
      sid       = "Kubernetes"
      actions   = ["kms:Encrypt", "kms:Decrypt", "kms:ListGrants", "kms:DescribeKey"]
      resources = ["*"]

      principals {
        type        = "AWS"
        identifiers = [local.root]
      }

      condition {
        test     = "ArnEquals"
        variable = "aws:PrincipalArn"
        values   = ["${local.role}-cluster"]
      }
    }
  }

  statement {
    sid       = "Logs"
    actions   = [for action in local.envelope : "kms:${action}"]
    resources = ["*"]

    principals {
      type        = "Service"
      identifiers = ["logs.${var.region}.amazonaws.com"]
    }

    condition {
      test     = "ArnLike"
      variable = "kms:EncryptionContext:aws:logs:arn"
      values   = local.logs[each.key]
    }
  }
}

resource "aws_kms_key" "this" {
  for_each                = local.owners
  description             = "Solidus ${var.name}: ${each.key}"
  enable_key_rotation     = true
  deletion_window_in_days = 30
  policy                  = data.aws_iam_policy_document.key[each.key].json
  tags                    = merge(var.tags, { Owner = each.key })

  # without the key, everything that it encrypts is lost
  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_kms_alias" "this" {
  for_each      = local.owners
  name          = "alias/${var.name}-${each.key}"
  target_key_id = aws_kms_key.this[each.key].key_id
}
