mock_provider "aws" {
  mock_data "aws_iam_policy_document" {
    defaults = { json = "{}" }
  }
}

variables {
  name           = "test"
  authorities    = ["1", "2", "3", "4"]
  account_id     = "111122223333"
  region         = "eu-central-1"
  administrators = ["arn:aws:iam::111122223333:role/key-custodian"]
}

run "a_key_for_each" {
  command = apply

  assert {
    condition     = length(aws_kms_key.this) == 5 && length(output.authority_keys) == 4
    error_message = "Four authorities and the operator."
  }

  assert {
    condition     = alltrue([for k in aws_kms_key.this : k.enable_key_rotation && k.deletion_window_in_days == 30])
    error_message = "Keys rotate, and a deletion can be taken back for a month."
  }
}

run "who_manages_may_not_use" {
  command = plan

  assert {
    condition = alltrue(flatten([for d in data.aws_iam_policy_document.key : [
      for s in d.statement : !anytrue([for a in s.actions : can(regex("Decrypt|Encrypt|GenerateDataKey|Create\\*|CreateGrant|kms:\\*", a))]) if s.sid == "Manage"
    ]]))
    error_message = "A custodian must not be able to read."
  }

  assert {
    condition = alltrue([for owner, d in data.aws_iam_policy_document.key : alltrue([
      for s in d.statement : contains(one(s.condition).values, "arn:aws:iam::111122223333:role/test-${owner}-*") if s.sid == "UseByRolesOfTheOwner"
    ])])
    error_message = "A key is used by its owner's roles."
  }
}

run "nobody_manages" {
  command = plan
  variables {
    administrators = []
  }
  expect_failures = [var.administrators]
}
