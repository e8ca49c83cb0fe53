# A bucket for each owner: the write-ahead log and base backups of its database. Versions are kept and locked, so that who holds the
# cluster does not hold its past. Sign-logs and anchors are not in it: a restored signer is told by them that its database is old.

resource "aws_s3_bucket" "this" {
  for_each            = var.keys
  bucket              = "${var.name}-${var.account_id}-${each.key}"
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

data "aws_iam_policy_document" "tls" {
  for_each = var.keys

  statement {
    sid       = "TlsOnly"
    effect    = "Deny"
    actions   = ["s3:*"]
    resources = [aws_s3_bucket.this[each.key].arn, "${aws_s3_bucket.this[each.key].arn}/*"]

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
}

resource "aws_s3_bucket_policy" "this" {
  for_each   = var.keys
  bucket     = aws_s3_bucket.this[each.key].id
  policy     = data.aws_iam_policy_document.tls[each.key].json
  depends_on = [aws_s3_bucket_public_access_block.this]
}
