mock_provider "aws" {
  mock_data "aws_iam_policy_document" {
    defaults = { json = "{}" }
  }
}

variables {
  name              = "test"
  oidc_provider_arn = "arn:aws:iam::111122223333:oidc-provider/x"
  oidc_issuer       = "oidc.example/id/X"
  account_id        = "111122223333"
  region            = "eu-central-1"
  owners = {
    "authority-1"  = { namespace = "solidus-authority-1", database_account = "authority-1-db", bucket_arn = "arn:aws:s3:::b1", key_arn = "arn:aws:kms:eu-central-1:111122223333:key/1", secret_prefix = "solidus/authority-1/" }
    "authority-10" = { namespace = "solidus-authority-10", database_account = "authority-10-db", bucket_arn = "arn:aws:s3:::b10", key_arn = "arn:aws:kms:eu-central-1:111122223333:key/10", secret_prefix = "solidus/authority-10/" }
  }
}

run "each_role_reaches_its_owners_resources_only" {
  command = plan

  assert {
    condition = alltrue([for owner, d in data.aws_iam_policy_document.backup : toset(flatten([for s in d.statement : tolist(s.resources)]))
    == toset([var.owners[owner].bucket_arn, "${var.owners[owner].bucket_arn}/*", var.owners[owner].key_arn])])
    error_message = "A database must reach only its owner's bucket and key."
  }

  assert {
    condition = alltrue([for owner, d in data.aws_iam_policy_document.secrets : toset(flatten([for s in d.statement : tolist(s.resources)]))
    == toset(["arn:aws:secretsmanager:eu-central-1:111122223333:secret:solidus/${owner}/*", var.owners[owner].key_arn])])
    error_message = "A reader of secrets must read only its owner's secrets."
  }
}

run "each_policy_belongs_to_its_owners_role" {
  command = apply

  assert {
    condition     = alltrue([for owner in keys(var.owners) : aws_iam_role_policy.backup[owner].role == aws_iam_role.this["${owner}-backup"].id && aws_iam_role_policy.secrets[owner].role == aws_iam_role.this["${owner}-secrets"].id])
    error_message = "Each policy must belong to its owner's role."
  }

  assert {
    condition     = alltrue([for owner in keys(var.owners) : aws_iam_role_policy.backup[owner].policy == data.aws_iam_policy_document.backup[owner].json && aws_iam_role_policy.secrets[owner].policy == data.aws_iam_policy_document.secrets[owner].json])
    error_message = "Each role must have the policy document that the other test checks."
  }
}

run "one_service_account_may_assume_a_role" {
  command = plan

  assert {
    condition = alltrue([for key, d in data.aws_iam_policy_document.trust : toset([for c in one(d.statement).condition : "${c.test} ${c.variable} ${one(c.values)}"]) == toset([
      "StringEquals oidc.example/id/X:sub system:serviceaccount:${var.owners[local.accounts[key].owner].namespace}:${local.accounts[key].account}",
      "StringEquals oidc.example/id/X:aud sts.amazonaws.com",
    ])])
    error_message = "Only one service account of the owner's namespace may assume a role, with a token for STS."
  }

  assert {
    condition     = toset(keys(aws_iam_role.this)) == toset(["authority-1-backup", "authority-1-secrets", "authority-10-backup", "authority-10-secrets"]) && alltrue([for r in aws_iam_role.this : r.max_session_duration == 3600])
    error_message = "Each owner must have two roles, with sessions of one hour."
  }
}

run "policies_allow_only_listed_actions" {
  command = plan

  assert {
    condition     = alltrue(flatten([for d in concat(values(data.aws_iam_policy_document.backup), values(data.aws_iam_policy_document.secrets)) : [for s in d.statement : [for a in s.actions : !strcontains(a, "*")]]]))
    error_message = "No action may have a wildcard."
  }

  assert {
    condition = length(setsubtract(flatten([for d in concat(values(data.aws_iam_policy_document.backup), values(data.aws_iam_policy_document.secrets)) : [for s in d.statement : tolist(s.actions)]]),
    ["s3:ListBucket", "s3:GetBucketLocation", "s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload", "kms:Decrypt", "kms:GenerateDataKey", "secretsmanager:GetSecretValue", "secretsmanager:DescribeSecret"])) == 0
    error_message = "The policies must have only the listed actions."
  }

  assert {
    condition = alltrue(flatten([for kind, documents in { s3 = data.aws_iam_policy_document.backup, secretsmanager = data.aws_iam_policy_document.secrets } : [for d in documents : [for s in d.statement :
    one(s.condition).variable == "kms:ViaService" && one(s.condition).values == tolist(["${kind}.eu-central-1.amazonaws.com"]) if s.sid == "OwnKey"]]]))
    error_message = "A key must be used only through the service that stores the encrypted data."
  }
}

run "refuses_an_issuer_with_a_scheme" {
  command = plan
  variables {
    oidc_issuer = "https://oidc.example/id/X"
  }
  expect_failures = [var.oidc_issuer]
}

run "refuses_a_prefix_that_matches_authority_10_too" {
  command = plan
  variables {
    owners = {
      "authority-1"  = { namespace = "solidus-authority-1", database_account = "a", bucket_arn = "arn:aws:s3:::b1", key_arn = "arn:aws:kms:eu-central-1:111122223333:key/1", secret_prefix = "solidus/authority-1" }
      "authority-10" = { namespace = "solidus-authority-10", database_account = "a", bucket_arn = "arn:aws:s3:::b10", key_arn = "arn:aws:kms:eu-central-1:111122223333:key/10", secret_prefix = "solidus/authority-10/" }
    }
  }
  expect_failures = [var.owners]
}

run "refuses_a_prefix_of_another_prefix" {
  command = plan
  variables {
    owners = {
      "authority-1"  = { namespace = "solidus-authority-1", database_account = "a", bucket_arn = "arn:aws:s3:::b1", key_arn = "arn:aws:kms:eu-central-1:111122223333:key/1", secret_prefix = "solidus/" }
      "authority-10" = { namespace = "solidus-authority-10", database_account = "a", bucket_arn = "arn:aws:s3:::b10", key_arn = "arn:aws:kms:eu-central-1:111122223333:key/10", secret_prefix = "solidus/authority-10/" }
    }
  }
  expect_failures = [var.owners]
}

run "refuses_a_pattern_of_buckets" {
  command = plan
  variables {
    owners = {
      "authority-1"  = { namespace = "solidus-authority-1", database_account = "a", bucket_arn = "arn:aws:s3:::*", key_arn = "arn:aws:kms:eu-central-1:111122223333:key/1", secret_prefix = "solidus/authority-1/" }
      "authority-10" = { namespace = "solidus-authority-10", database_account = "a", bucket_arn = "arn:aws:s3:::b10", key_arn = "arn:aws:kms:eu-central-1:111122223333:key/10", secret_prefix = "solidus/authority-10/" }
    }
  }
  expect_failures = [var.owners]
}

run "refuses_a_shared_bucket" {
  command = plan
  variables {
    owners = {
      "authority-1"  = { namespace = "solidus-authority-1", database_account = "a", bucket_arn = "arn:aws:s3:::b10", key_arn = "arn:aws:kms:eu-central-1:111122223333:key/1", secret_prefix = "solidus/authority-1/" }
      "authority-10" = { namespace = "solidus-authority-10", database_account = "a", bucket_arn = "arn:aws:s3:::b10", key_arn = "arn:aws:kms:eu-central-1:111122223333:key/10", secret_prefix = "solidus/authority-10/" }
    }
  }
  expect_failures = [var.owners]
}

run "refuses_a_shared_key" {
  command = plan
  variables {
    owners = {
      "authority-1"  = { namespace = "solidus-authority-1", database_account = "a", bucket_arn = "arn:aws:s3:::b1", key_arn = "arn:aws:kms:eu-central-1:111122223333:key/10", secret_prefix = "solidus/authority-1/" }
      "authority-10" = { namespace = "solidus-authority-10", database_account = "a", bucket_arn = "arn:aws:s3:::b10", key_arn = "arn:aws:kms:eu-central-1:111122223333:key/10", secret_prefix = "solidus/authority-10/" }
    }
  }
  expect_failures = [var.owners]
}

run "refuses_a_shared_namespace" {
  command = plan
  variables {
    owners = {
      "authority-1"  = { namespace = "solidus-authority-10", database_account = "a", bucket_arn = "arn:aws:s3:::b1", key_arn = "arn:aws:kms:eu-central-1:111122223333:key/1", secret_prefix = "solidus/authority-1/" }
      "authority-10" = { namespace = "solidus-authority-10", database_account = "a", bucket_arn = "arn:aws:s3:::b10", key_arn = "arn:aws:kms:eu-central-1:111122223333:key/10", secret_prefix = "solidus/authority-10/" }
    }
  }
  expect_failures = [var.owners]
}

run "refuses_an_invalid_account" {
  command = plan
  variables {
    account_id = "me"
  }
  expect_failures = [var.account_id]
}

run "refuses_an_invalid_name" {
  command = plan
  variables {
    name = "Not A Name"
  }
  expect_failures = [var.name]
}

run "refuses_a_prefix_without_a_slash" {
  command = plan
  variables {
    owners = {
      "authority-1" = { namespace = "solidus-authority-1", database_account = "a", bucket_arn = "arn:aws:s3:::b1", key_arn = "arn:aws:kms:eu-central-1:111122223333:key/1", secret_prefix = "elsewhere" }
    }
  }
  expect_failures = [var.owners]
}
