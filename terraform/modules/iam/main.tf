locals {
  accounts = {
    for pair in flatten([for owner, o in var.owners : [
      { key = "${owner}-backup", owner = owner, account = o.database_account },
      { key = "${owner}-secrets", owner = owner, account = "external-secrets" },
    ]]) : pair.key => pair
  }
}

data "aws_iam_policy_document" "trust" {
  for_each = local.accounts

  statement {
    actions = ["sts:AssumeRoleWithWebIdentity"]

    principals {
      type        = "Federated"
      identifiers = [var.oidc_provider_arn]
    }

    condition {
      test     = "StringEquals"
      variable = "${var.oidc_issuer}:sub"
      values   = ["system:serviceaccount:${var.owners[each.value.owner].namespace}:${each.value.account}"]
    }

    condition {
      test     = "StringEquals"
      variable = "${var.oidc_issuer}:aud"
      values   = ["sts.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "this" {
  for_each             = local.accounts
  name                 = "${var.name}-${each.key}"
  assume_role_policy   = data.aws_iam_policy_document.trust[each.key].json
  max_session_duration = 3600
  tags                 = merge(var.tags, { Owner = each.value.owner })
}

data "aws_iam_policy_document" "backup" {
  for_each = var.owners

  statement {
    sid       = "OwnBucket"
    actions   = ["s3:ListBucket", "s3:GetBucketLocation"]
    resources = [each.value.bucket_arn]
  }

  # a writer cannot delete old versions, because the object lock of the bucket holds them
  statement {
    sid       = "OwnBackups"
    actions   = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload"]
    resources = ["${each.value.bucket_arn}/*"]
  }

  statement {
    sid       = "OwnKey"
    actions   = ["kms:Decrypt", "kms:GenerateDataKey"]
    resources = [each.value.key_arn]

    condition {
      test     = "StringEquals"
      variable = "kms:ViaService"
      values   = ["s3.${var.region}.amazonaws.com"]
    }
  }
}

data "aws_iam_policy_document" "secrets" {
  for_each = var.owners

  statement {
    sid       = "OwnSecrets"
    actions   = ["secretsmanager:GetSecretValue", "secretsmanager:DescribeSecret"]
    resources = ["arn:aws:secretsmanager:${var.region}:${var.account_id}:secret:${each.value.secret_prefix}*"]
  }

  statement {
    sid       = "OwnKey"
    actions   = ["kms:Decrypt"]
    resources = [each.value.key_arn]

    condition {
      test     = "StringEquals"
      variable = "kms:ViaService"
      values   = ["secretsmanager.${var.region}.amazonaws.com"]
    }
  }
}

resource "aws_iam_role_policy" "backup" {
  for_each = var.owners
  name     = "backup"
  role     = aws_iam_role.this["${each.key}-backup"].id
  policy   = data.aws_iam_policy_document.backup[each.key].json
}

resource "aws_iam_role_policy" "secrets" {
  for_each = var.owners
  name     = "secrets"
  role     = aws_iam_role.this["${each.key}-secrets"].id
  policy   = data.aws_iam_policy_document.secrets[each.key].json
}
