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
    "authority-1" = { namespace = "solidus-authority-1", database_account = "authority-1-db", bucket_arn = "arn:aws:s3:::b1", key_arn = "arn:aws:kms:eu-central-1:111122223333:key/1", secret_prefix = "solidus/authority-1/" }
    "authority-2" = { namespace = "solidus-authority-2", database_account = "authority-2-db", bucket_arn = "arn:aws:s3:::b2", key_arn = "arn:aws:kms:eu-central-1:111122223333:key/2", secret_prefix = "solidus/authority-2/" }
  }
}

run "each_reaches_its_own_only" {
  command = plan

  assert {
    condition     = alltrue([for owner, d in data.aws_iam_policy_document.backup : alltrue([for s in d.statement : alltrue([for r in s.resources : startswith(r, var.owners[owner].bucket_arn) || r == var.owners[owner].key_arn])])])
    error_message = "A database reaches its owner's bucket and key."
  }

  assert {
    condition     = alltrue([for owner, d in data.aws_iam_policy_document.secrets : alltrue([for s in d.statement : alltrue([for r in s.resources : strcontains(r, "secret:${var.owners[owner].secret_prefix}") || r == var.owners[owner].key_arn])])])
    error_message = "A reader of secrets reads its owner's."
  }

  assert {
    condition = alltrue([for key, d in data.aws_iam_policy_document.trust : contains(flatten([for c in one(d.statement).condition : c.values]),
    "system:serviceaccount:${var.owners[local.accounts[key].owner].namespace}:${local.accounts[key].account}")])
    error_message = "A role is taken by one service account of the owner's namespace."
  }

  assert {
    condition     = alltrue(flatten([for d in concat(values(data.aws_iam_policy_document.backup), values(data.aws_iam_policy_document.secrets)) : [for s in d.statement : !contains(s.actions, "*") && !contains(s.resources, "*")]]))
    error_message = "No wildcard."
  }
}

run "an_issuer_with_a_scheme" {
  command = plan
  variables {
    oidc_issuer = "https://oidc.example/id/X"
  }
  expect_failures = [var.oidc_issuer]
}
