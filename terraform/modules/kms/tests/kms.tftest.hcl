mock_provider "aws" {
  # only plans, because resources with prevent_destroy could not be destroyed
  override_during = plan

  mock_data "aws_iam_policy_document" {
    defaults = { json = "{}" }
  }
  mock_resource "aws_kms_key" {
    defaults = { arn = "arn:aws:kms:eu-central-1:111122223333:key/x", key_id = "x" }
  }
}

variables {
  name                 = "test"
  authorities          = ["1", "2", "3", "4", "10"]
  account_id           = "111122223333"
  region               = "eu-central-1"
  administrators       = ["arn:aws:iam::111122223333:role/key-custodian"]
  autoscaling_role_arn = "arn:aws:iam::111122223333:role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling"
  secret_writers       = { "authority-1" = ["arn:aws:iam::111122223333:role/officer-1"], operator = ["arn:aws:iam::111122223333:role/officer-0"] }
}

run "each_owner_has_a_key" {
  command = plan

  assert {
    condition     = length(aws_kms_key.this) == 6 && length(output.authority_keys) == 5 && aws_kms_alias.this["authority-10"].name == "alias/test-authority-10"
    error_message = "There must be keys for five authorities and the operator."
  }

  assert {
    condition     = alltrue([for k in aws_kms_key.this : k.enable_key_rotation && k.deletion_window_in_days == 30])
    error_message = "Keys must rotate, and a deletion must wait for a month."
  }

  assert {
    condition     = alltrue([for owner, k in aws_kms_key.this : k.policy == data.aws_iam_policy_document.key[owner].json])
    error_message = "Each key must have its own policy instead of the default, which allows the whole account."
  }
}

run "administrators_may_not_use_keys" {
  command = plan

  # Beyond managing, an administrator may act only on the first passwords of database servers.
  assert {
    condition = alltrue(flatten([for d in data.aws_iam_policy_document.key : [
      for s in d.statement : !anytrue([for a in s.actions : can(regex("Decrypt|Encrypt|GenerateDataKey|CreateGrant|Sign|Mac", a))])
      if s.sid != "FirstPasswordsOfServers" && contains(flatten([for p in s.principals : p.identifiers]), "arn:aws:iam::111122223333:role/key-custodian")
    ]]))
    error_message = "A key administrator must not be able to decrypt."
  }

  assert {
    condition = alltrue([for d in data.aws_iam_policy_document.key : one([
      for s in d.statement : one(s.condition).variable == "kms:EncryptionContext:SecretARN" && one(s.condition).values == tolist(["arn:aws:secretsmanager:eu-central-1:111122223333:secret:rds!db-*"])
      if s.sid == "FirstPasswordsOfServers"
    ])])
    error_message = "The exception must cover only secrets that RDS names, and no share."
  }

  assert {
    condition     = alltrue([for d in data.aws_iam_policy_document.key : contains(flatten([for s in d.statement : s.actions if s.sid == "Manage"]), "kms:PutKeyPolicy")])
    error_message = "Administrators must be able to change the policy, or AWS refuses it."
  }
}

run "only_the_owner_uses_a_key" {
  command = plan

  assert {
    condition = alltrue([for owner, d in data.aws_iam_policy_document.key : one([
      for s in d.statement : one(s.condition).variable == "aws:PrincipalArn" && toset(one(s.condition).values) == toset(["arn:aws:iam::111122223333:role/test-${owner}-backup", "arn:aws:iam::111122223333:role/test-${owner}-secrets"])
      if s.sid == "RolesOfTheOwner"
    ])])
    error_message = "Only the owner's two roles may use a key."
  }

  # No policy names the role of another owner, in a condition or as a principal.
  assert {
    condition = alltrue(flatten([for owner, d in data.aws_iam_policy_document.key : [for other in ["authority-1", "authority-2", "authority-10", "operator"] : [for s in d.statement :
      !anytrue([for v in concat(flatten([for c in s.condition : c.values]), flatten([for p in s.principals : p.identifiers])) : strcontains(v, "test-${other}-")])
    ] if other != owner]]))
    error_message = "The policy of a key must not name another owner."
  }

  # The account as principal means every role of it, so a condition must name roles and no pattern.
  assert {
    condition = alltrue(flatten([for d in data.aws_iam_policy_document.key : [for s in d.statement :
      anytrue([for c in s.condition : c.variable == "aws:PrincipalArn" && c.test == "ArnEquals" && !anytrue([for v in c.values : strcontains(v, "*")])])
      if contains(flatten([for p in s.principals : p.identifiers]), "arn:aws:iam::111122223333:root")
    ]]))
    error_message = "The whole account must not be able to use a key."
  }

  assert {
    condition     = alltrue(flatten([for d in data.aws_iam_policy_document.key : [for s in d.statement : [for a in s.actions : !strcontains(a, "*") && startswith(a, "kms:")]]]))
    error_message = "No action may have a wildcard."
  }

  assert {
    condition     = alltrue(flatten([for d in data.aws_iam_policy_document.key : [for s in d.statement : !contains(flatten([for p in s.principals : p.identifiers]), "*")]]))
    error_message = "No statement may have a wildcard as principal."
  }
}

run "grants_are_for_aws_services_only" {
  command = plan

  assert {
    condition = alltrue(flatten([for d in data.aws_iam_policy_document.key : [for s in d.statement :
      anytrue([for c in s.condition : c.variable == "kms:GrantIsForAWSResource" && c.values == tolist(["true"])]) && length(s.actions) == 1
      if contains(s.actions, "kms:CreateGrant")
    ]]))
    error_message = "Grants must be for AWS services only, because a grant to a person bypasses the policy."
  }

  assert {
    condition = alltrue([for d in data.aws_iam_policy_document.key : length([for s in d.statement : s.sid
    if contains(flatten([for p in s.principals : p.identifiers]), var.autoscaling_role_arn)]) == 2])
    error_message = "Auto Scaling must have these rights to start nodes with encrypted volumes."
  }
}

run "logs_and_secrets_use_their_owners_key" {
  command = plan

  assert {
    condition = alltrue([for owner, d in data.aws_iam_policy_document.key : alltrue(flatten([for s in d.statement : [for v in one(s.condition).values :
    startswith(v, "arn:aws:logs:eu-central-1:111122223333:log-group:/") && (owner == "operator" || strcontains(v, "test-${owner}/"))] if s.sid == "Logs"]))])
    error_message = "CloudWatch may use a key only for its owner's log groups."
  }

  assert {
    condition = (one([for s in data.aws_iam_policy_document.key["authority-1"].statement : s.condition if s.sid == "WritersOfSecrets"]) != null &&
      one(one([for s in data.aws_iam_policy_document.key["authority-1"].statement : s.condition if s.sid == "WritersOfSecrets"])).values == tolist(["secretsmanager.eu-central-1.amazonaws.com"]) &&
    length([for s in data.aws_iam_policy_document.key["authority-2"].statement : s if s.sid == "WritersOfSecrets"]) == 0)
    error_message = "A writer of secrets may use only its owner's key, and only through the secret store."
  }
}

run "refuses_no_administrator" {
  command = plan
  variables {
    administrators = []
  }
  expect_failures = [var.administrators]
}

run "refuses_the_account_as_administrator" {
  command = plan
  variables {
    administrators = ["arn:aws:iam::111122223333:root"]
  }
  expect_failures = [var.administrators]
}

run "refuses_an_administrator_who_writes_secrets" {
  command = plan
  variables {
    secret_writers = { "authority-1" = ["arn:aws:iam::111122223333:role/key-custodian"] }
  }
  expect_failures = [var.secret_writers]
}

run "refuses_one_writer_for_two_authorities" {
  command = plan
  variables {
    secret_writers = { "authority-1" = ["arn:aws:iam::111122223333:role/officer"], "authority-2" = ["arn:aws:iam::111122223333:role/officer"] }
  }
  expect_failures = [var.secret_writers]
}

run "refuses_a_pattern_of_writers" {
  command = plan
  variables {
    secret_writers = { "authority-1" = ["arn:aws:iam::111122223333:role/*"] }
  }
  expect_failures = [var.secret_writers]
}

run "refuses_authority_zero" {
  command = plan
  variables {
    authorities    = ["0", "1"]
    secret_writers = {}
  }
  expect_failures = [var.authorities]
}

run "refuses_an_invalid_account" {
  command = plan
  variables {
    account_id = "1111-2222-3333"
  }
  expect_failures = [var.account_id]
}

run "refuses_a_role_of_another_service" {
  command = plan
  variables {
    autoscaling_role_arn = "arn:aws:iam::111122223333:role/anything"
  }
  expect_failures = [var.autoscaling_role_arn]
}

run "refuses_an_invalid_name" {
  command = plan
  variables {
    name = "Not A Name"
  }
  expect_failures = [var.name]
}

run "refuses_writers_for_an_unknown_authority" {
  command = plan
  variables {
    secret_writers = { "authority-99" = ["arn:aws:iam::111122223333:role/officer"] }
  }
  expect_failures = [var.secret_writers]
}
