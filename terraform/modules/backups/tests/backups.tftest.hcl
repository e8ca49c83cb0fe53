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

run "buckets_are_locked_encrypted_and_private" {
  command = plan

  assert {
    condition     = length(aws_s3_bucket.this) == 2 && aws_s3_bucket.this["authority-1"].bucket == "test-111122223333-authority-1"
    error_message = "Each owner must have a bucket."
  }

  assert {
    condition     = alltrue([for l in aws_s3_bucket_object_lock_configuration.this : l.rule[0].default_retention[0].mode == "COMPLIANCE" && l.rule[0].default_retention[0].days == 35])
    error_message = "The lock must be in compliance mode, so that no user can shorten it."
  }

  assert {
    condition     = alltrue([for owner, e in aws_s3_bucket_server_side_encryption_configuration.this : one(one(e.rule).apply_server_side_encryption_by_default).kms_master_key_id == var.keys[owner]])
    error_message = "The bucket must be encrypted with the owner's key."
  }

  assert {
    condition     = alltrue([for b in aws_s3_bucket_public_access_block.this : b.block_public_acls && b.block_public_policy && b.ignore_public_acls && b.restrict_public_buckets])
    error_message = "The bucket must block all public access."
  }

  assert {
    condition     = alltrue([for v in aws_s3_bucket_versioning.this : v.versioning_configuration[0].status == "Enabled"]) && alltrue([for b in aws_s3_bucket.this : b.object_lock_enabled])
    error_message = "The bucket must keep versions."
  }

  assert {
    condition     = alltrue([for l in aws_s3_bucket_lifecycle_configuration.this : l.rule[0].expiration[0].days == 90 && l.rule[0].noncurrent_version_expiration[0].noncurrent_days == 35])
    error_message = "Old versions must expire."
  }

  assert {
    condition     = alltrue([for o in aws_s3_bucket_ownership_controls.this : o.rule[0].object_ownership == "BucketOwnerEnforced"])
    error_message = "The bucket must have no access lists."
  }

  assert {
    condition     = output.buckets["authority-1"].arn == "arn:aws:s3:::test-111122223333-authority-1" && output.buckets["operator"].name == "test-111122223333-operator"
    error_message = "The output must have the bucket's name and ARN."
  }
}

run "bucket_policy_denies_other_access" {
  command = plan

  assert {
    condition     = alltrue(flatten([for d in data.aws_iam_policy_document.bucket : [for s in d.statement : s.effect == "Deny" && length(s.condition) >= 1]]))
    error_message = "The bucket policy must only have Deny statements, each with a condition."
  }

  assert {
    condition = alltrue([for owner, d in data.aws_iam_policy_document.bucket : one([for s in d.statement :
      one(s.condition).test == "ArnNotEquals" && one(s.condition).variable == "aws:PrincipalArn" && one(s.condition).values == tolist(["arn:aws:iam::111122223333:role/test-${owner}-backup"]) &&
      s.resources == toset(["arn:aws:s3:::test-111122223333-${owner}/*"]) && length(setsubtract(["s3:GetObject", "s3:GetObjectVersion", "s3:PutObject", "s3:DeleteObjectVersion"], s.actions)) == 0
    if s.sid == "OwnerOnly"])])
    error_message = "Only the owner's role may reach the objects of the bucket."
  }

  assert {
    condition = alltrue([for d in data.aws_iam_policy_document.bucket : length(setsubtract(
      ["Bool aws:SecureTransport false", "NumericLessThan s3:TlsVersion 1.2"],
    flatten([for s in d.statement : [for c in s.condition : "${c.test} ${c.variable} ${one(c.values)}"]]))) == 0])
    error_message = "The policy must require TLS 1.2 or later."
  }

  assert {
    condition = alltrue([for owner, d in data.aws_iam_policy_document.bucket : one([for s in d.statement :
    toset([for c in s.condition : "${c.test}=${one(c.values)}"]) == toset(["Null=false", "StringNotEquals=${var.keys[owner]}"]) if s.sid == "OwnKeyOnly"])])
    error_message = "The policy must refuse another key, and accept a request that names none."
  }

  assert {
    condition     = alltrue([for owner, p in aws_s3_bucket_policy.this : p.policy == data.aws_iam_policy_document.bucket[owner].json])
    error_message = "The policy must belong to the bucket."
  }
}

run "refuses_expiry_before_the_lock_ends" {
  command = plan
  variables {
    lock_days   = 60
    expire_days = 60
  }
  expect_failures = [var.expire_days]
}

run "refuses_a_lock_of_one_day" {
  command = plan
  variables {
    lock_days = 1
  }
  expect_failures = [var.lock_days]
}

run "refuses_an_unknown_owner" {
  command = plan
  variables {
    keys = { everybody = "arn:aws:kms:eu-central-1:111122223333:key/0" }
  }
  expect_failures = [var.keys]
}

run "refuses_no_key" {
  command = plan
  variables {
    keys = { operator = "" }
  }
  expect_failures = [var.keys]
}

run "refuses_one_key_for_two_owners" {
  command = plan
  variables {
    keys = { "authority-1" = "arn:aws:kms:eu-central-1:111122223333:key/0", operator = "arn:aws:kms:eu-central-1:111122223333:key/0" }
  }
  expect_failures = [var.keys]
}

run "refuses_a_name_too_long_for_a_bucket" {
  command = plan
  variables {
    name = "a-name-that-leaves-no-room-for-the-account"
  }
  expect_failures = [var.name]
}

run "refuses_an_invalid_account" {
  command = plan
  variables {
    account_id = "me"
  }
  expect_failures = [var.account_id]
}
