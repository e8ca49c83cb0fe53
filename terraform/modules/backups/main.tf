locals {
  names = { for owner in keys(var.keys) : owner => "${var.name}-${var.account_id}-${owner}" }
  arns  = { for owner, name in local.names : owner => "arn:aws:s3:::${name}" }
}

resource "aws_s3_bucket" "this" {
  for_each            = var.keys
  bucket              = local.names[each.key]
  object_lock_enabled = true
  tags                = merge(var.tags, { Owner = each.key })

  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_s3_bucket_versioning" "this" {
  for_each = var.keys
  bucket   = aws_s3_bucket.this[each.key].id

  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_object_lock_configuration" "this" {
  for_each = var.keys
  bucket   = aws_s3_bucket.this[each.key].id

  rule {
    default_retention {
      mode = "COMPLIANCE"
      days = var.lock_days
    }
  }

  depends_on = [aws_s3_bucket_versioning.this]
}

resource "aws_s3_bucket_server_side_encryption_configuration" "this" {
  for_each = var.keys
  bucket   = aws_s3_bucket.this[each.key].id

  rule {
    bucket_key_enabled = true

    apply_server_side_encryption_by_default {
      sse_algorithm     = "aws:kms"
      kms_master_key_id = each.value
    }
  }
}

resource "aws_s3_bucket_public_access_block" "this" {
  for_each                = var.keys
  bucket                  = aws_s3_bucket.this[each.key].id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

# no access lists: only policies grant access
resource "aws_s3_bucket_ownership_controls" "this" {
  for_each = var.keys
  bucket   = aws_s3_bucket.this[each.key].id

  rule {
    object_ownership = "BucketOwnerEnforced"
  }
}

resource "aws_s3_bucket_lifecycle_configuration" "this" {
  for_each = var.keys
  bucket   = aws_s3_bucket.this[each.key].id

  rule {
    id     = "expire"
    status = "Enabled"

    filter {}

    expiration {
      days = var.expire_days
    }

    noncurrent_version_expiration {
      noncurrent_days = var.lock_days
    }

    abort_incomplete_multipart_upload {
      days_after_initiation = 3
    }
  }
}

# Only Deny statements, which override every other policy of the account. The owner's role grants the rights.
data "aws_iam_policy_document" "bucket" {
  for_each = var.keys

  statement {
    sid       = "TlsOnly"
    effect    = "Deny"
    actions   = ["s3:*"]
    resources = [local.arns[each.key], "${local.arns[each.key]}/*"]

    principals {
      type        = "*"
      identifiers = ["*"]
    }

    condition {
      test     = "Bool"
      variable = "aws:SecureTransport"
      values   = ["false"]
    }
  }

  statement {
    sid       = "Tls12"
    effect    = "Deny"
    actions   = ["s3:*"]
    resources = [local.arns[each.key], "${local.arns[each.key]}/*"]

    principals {
      type        = "*"
      identifiers = ["*"]
    }

    condition {
      test     = "NumericLessThan"
      variable = "s3:TlsVersion"
      values   = ["1.2"]
    }
  }

  # neither another authority nor an account administrator reads the content
  statement {
    sid       = "OwnerOnly"
    effect    = "Deny"
    actions   = ["s3:GetObject", "s3:GetObjectVersion", "s3:PutObject", "s3:DeleteObject", "s3:DeleteObjectVersion", "s3:RestoreObject"]
    resources = ["${local.arns[each.key]}/*"]

    principals {
      type        = "*"
      identifiers = ["*"]
    }

    condition {
      test     = "ArnNotEquals"
      variable = "aws:PrincipalArn"
      values   = ["arn:aws:iam::${var.account_id}:role/${var.name}-${each.key}-backup"]
    }
  }

  # a request that names a key must name the owner's
  statement {
    sid       = "OwnKeyOnly"
    effect    = "Deny"
    actions   = ["s3:PutObject"]
    resources = ["${local.arns[each.key]}/*"]

    principals {
      type        = "*"
      identifiers = ["*"]
    }

    condition {
      test     = "Null"
      variable = "s3:x-amz-server-side-encryption-aws-kms-key-id"
      values   = ["false"]
    }

    condition {
      test     = "StringNotEquals"
      variable = "s3:x-amz-server-side-encryption-aws-kms-key-id"
      values   = [each.value]
    }
  }

  # a request with "AES256" would override the default encryption of the bucket
  statement {
    sid       = "NoOtherEncryption"
    effect    = "Deny"
    actions   = ["s3:PutObject"]
    resources = ["${local.arns[each.key]}/*"]

    principals {
      type        = "*"
      identifiers = ["*"]
    }

    condition {
      test     = "Null"
      variable = "s3:x-amz-server-side-encryption"
      values   = ["false"]
    }

    condition {
      test     = "StringNotEquals"
      variable = "s3:x-amz-server-side-encryption"
      values   = ["aws:kms"]
    }
  }
}

resource "aws_s3_bucket_policy" "this" {
  for_each   = var.keys
  bucket     = aws_s3_bucket.this[each.key].id
  policy     = data.aws_iam_policy_document.bucket[each.key].json
  depends_on = [aws_s3_bucket_public_access_block.this]
}
