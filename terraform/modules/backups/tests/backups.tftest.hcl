mock_provider "aws" {
  mock_data "aws_iam_policy_document" {
    defaults = { json = "{}" }
  }
  mock_resource "aws_s3_bucket" {
    defaults = { arn = "arn:aws:s3:::x", id = "x" }
  }
}

variables {
  name       = "test"
  account_id = "111122223333"
  keys       = { "authority-1" = "arn:aws:kms:eu-central-1:111122223333:key/1", operator = "arn:aws:kms:eu-central-1:111122223333:key/0" }
}

run "locked_encrypted_private" {
  command = plan

  assert {
    condition     = length(aws_s3_bucket.this) == 2 && aws_s3_bucket.this["authority-1"].bucket == "test-111122223333-authority-1"
    error_message = "A bucket for each owner."
  }

  assert {
    condition     = alltrue([for l in aws_s3_bucket_object_lock_configuration.this : l.rule[0].default_retention[0].mode == "COMPLIANCE" && l.rule[0].default_retention[0].days == 35])
    error_message = "Nobody shortens the lock."
  }

  assert {
    condition     = alltrue([for owner, e in aws_s3_bucket_server_side_encryption_configuration.this : one(one(e.rule).apply_server_side_encryption_by_default).kms_master_key_id == var.keys[owner]])
    error_message = "Under the owner's key."
  }

  assert {
    condition     = alltrue([for b in aws_s3_bucket_public_access_block.this : b.block_public_acls && b.block_public_policy && b.ignore_public_acls && b.restrict_public_buckets])
    error_message = "Not public in any way."
  }
}

run "expiry_before_the_lock_ends" {
  command = plan
  variables {
    lock_days   = 60
    expire_days = 60
  }
  expect_failures = [var.expire_days]
}

run "somebody_else_s_bucket" {
  command = plan
  variables {
    keys = { everybody = "arn:aws:kms:eu-central-1:111122223333:key/0" }
  }
  expect_failures = [var.keys]
}
