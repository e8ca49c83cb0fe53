# A key for each authority (its share, volumes and backups), and one for what the operator runs. Whoever manages a key may not use it, nor let
# others; what is left to a custodian is to change the key's policy, which is on record.

locals {
  owners = toset(concat([for a in var.authorities : "authority-${a}"], ["operator"]))
}

data "aws_iam_policy_document" "key" {
  for_each = local.owners

  statement {
    sid       = "Manage"
    actions   = ["kms:CreateAlias", "kms:Describe*", "kms:Enable*", "kms:List*", "kms:Put*", "kms:Update*", "kms:Revoke*", "kms:Disable*", "kms:Get*", "kms:Delete*", "kms:TagResource", "kms:UntagResource", "kms:ScheduleKeyDeletion", "kms:CancelKeyDeletion"]
    resources = ["*"]

    principals {
      type        = "AWS"
      identifiers = var.administrators
    }
  }

  # Roles of this account get the use of a key by their own policies, and volumes by the service that attaches them.
  statement {
    sid       = "UseByRolesOfTheOwner"
    actions   = ["kms:Encrypt", "kms:Decrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:DescribeKey"]
    resources = ["*"]

    principals {
      type        = "AWS"
      identifiers = ["arn:aws:iam::${var.account_id}:root"]
    }

    condition {
      test     = "StringLike"
      variable = "aws:PrincipalArn"
      values   = ["arn:aws:iam::${var.account_id}:role/${var.name}-${each.key}-*", "arn:aws:iam::${var.account_id}:role/${var.name}-storage"]
    }
  }

  statement {
    sid       = "GrantsToServices"
    actions   = ["kms:CreateGrant"]
    resources = ["*"]

    principals {
      type        = "AWS"
      identifiers = ["arn:aws:iam::${var.account_id}:root"]
    }

    condition {
      test     = "Bool"
      variable = "kms:GrantIsForAWSResource"
      values   = ["true"]
    }
  }

  dynamic "statement" {
    for_each = each.key == "operator" ? [1] : []

    content {
      sid       = "Logs"
      actions   = ["kms:Encrypt*", "kms:Decrypt*", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:Describe*"]
      resources = ["*"]

      principals {
        type        = "Service"
        identifiers = ["logs.${var.region}.amazonaws.com"]
      }
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
}

resource "aws_kms_alias" "this" {
  for_each      = local.owners
  name          = "alias/${var.name}-${each.key}"
  target_key_id = aws_kms_key.this[each.key].key_id
}
