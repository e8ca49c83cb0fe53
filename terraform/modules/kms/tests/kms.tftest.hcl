mock_provider "aws" {
  # nothing is made, so nothing has to be destroyed that must not be
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

run "a_key_for_each" {
  command = plan

  assert {
    condition     = length(aws_kms_key.this) == 6 && length(output.authority_keys) == 5 && aws_kms_alias.this["authority-10"].name == "alias/test-authority-10"
    error_message = "Five authorities and the operator."
  }

  assert {
    condition     = alltrue([for k in aws_kms_key.this : k.enable_key_rotation && k.deletion_window_in_days == 30])
    error_message = "Keys rotate, and a deletion can be taken back for a month."
  }

  assert {
    condition     = alltrue([for owner, k in aws_kms_key.this : k.policy == data.aws_iam_policy_document.key[owner].json])
    error_message = "Each key has its policy, and not AWS's own, which lets in the whole account."
  }
}

run "who_manages_may_not_use" {
  command = plan

  # Whatever a custodian may do beyond managing is tied to the first passwords of database servers.
  assert {
    condition = alltrue(flatten([for d in data.aws_iam_policy_document.key : [
      for s in d.statement : !anytrue([for a in s.actions : can(regex("Decrypt|Encrypt|GenerateDataKey|CreateGrant|Sign|Mac", a))])
      if s.sid != "FirstPasswordsOfServers" && contains(flatten([for p in s.principals : p.identifiers]), "arn:aws:iam::111122223333:role/key-custodian")
    ]]))
    error_message = "A custodian must not be able to read."
  }

  assert {
    condition = alltrue([for d in data.aws_iam_policy_document.key : one([
      for s in d.statement : one(s.condition).variable == "kms:EncryptionContext:SecretARN" && one(s.condition).values == tolist(["arn:aws:secretsmanager:eu-central-1:111122223333:secret:rds!db-*"])
      if s.sid == "FirstPasswordsOfServers"
    ])])
    error_message = "For the secrets that RDS names, and no share among them."
  }

  assert {
    condition     = alltrue([for d in data.aws_iam_policy_document.key : contains(flatten([for s in d.statement : s.actions if s.sid == "Manage"]), "kms:PutKeyPolicy")])
    error_message = "Without this AWS refuses the policy: nobody could change it again."
  }
}

run "each_key_for_its_owner" {
  command = plan

  assert {
    condition = alltrue([for owner, d in data.aws_iam_policy_document.key : one([
      for s in d.statement : one(s.condition).variable == "aws:PrincipalArn" && toset(one(s.condition).values) == toset(["arn:aws:iam::111122223333:role/test-${owner}-backup", "arn:aws:iam::111122223333:role/test-${owner}-secrets"])
      if s.sid == "RolesOfTheOwner"
    ])])
    error_message = "A key is used by its owner's two roles."
  }

  # No policy names another owner's role, in a condition or as a principal.
  assert {
    condition = alltrue(flatten([for owner, d in data.aws_iam_policy_document.key : [for other in ["authority-1", "authority-2", "authority-10", "operator"] : [for s in d.statement :
      !anytrue([for v in concat(flatten([for c in s.condition : c.values]), flatten([for p in s.principals : p.identifiers])) : strcontains(v, "test-${other}-")])
    ] if other != owner]]))
    error_message = "Another owner is in the policy of this one's key."
  }

  # The account as a principal stands for everybody in it: only with a condition that names roles, and never a pattern of them.
  assert {
    condition = alltrue(flatten([for d in data.aws_iam_policy_document.key : [for s in d.statement :
      anytrue([for c in s.condition : c.variable == "aws:PrincipalArn" && c.test == "ArnEquals" && !anytrue([for v in c.values : strcontains(v, "*")])])
      if contains(flatten([for p in s.principals : p.identifiers]), "arn:aws:iam::111122223333:root")
    ]]))
    error_message = "The whole account may use a key."
  }

  assert {
    condition     = alltrue(flatten([for d in data.aws_iam_policy_document.key : [for s in d.statement : [for a in s.actions : !strcontains(a, "*") && startswith(a, "kms:")]]]))
    error_message = "No wildcard among the actions."
  }

  assert {
    condition     = alltrue(flatten([for d in data.aws_iam_policy_document.key : [for s in d.statement : !contains(flatten([for p in s.principals : p.identifiers]), "*")]]))
    error_message = "A key is for somebody."
  }
}

run "grants_are_for_services" {
  command = plan

  assert {
    condition = alltrue(flatten([for d in data.aws_iam_policy_document.key : [for s in d.statement :
      anytrue([for c in s.condition : c.variable == "kms:GrantIsForAWSResource" && c.values == tolist(["true"])]) && length(s.actions) == 1
      if contains(s.actions, "kms:CreateGrant")
    ]]))
    error_message = "A grant to a person would be a way round the policy."
  }

  assert {
    condition = alltrue([for d in data.aws_iam_policy_document.key : length([for s in d.statement : s.sid
    if contains(flatten([for p in s.principals : p.identifiers]), var.autoscaling_role_arn)]) == 2])
    error_message = "Without these nodes with encrypted volumes do not start."
  }
}

run "logs_and_secrets" {
  command = plan

  assert {
    condition = alltrue([for owner, d in data.aws_iam_policy_document.key : alltrue(flatten([for s in d.statement : [for v in one(s.condition).values :
    startswith(v, "arn:aws:logs:eu-central-1:111122223333:log-group:/") && (owner == "operator" || strcontains(v, "test-${owner}/"))] if s.sid == "Logs"]))])
    error_message = "CloudWatch uses a key for its owner's groups."
  }

  assert {
    condition = (one([for s in data.aws_iam_policy_document.key["authority-1"].statement : s.condition if s.sid == "WritersOfSecrets"]) != null &&
      one(one([for s in data.aws_iam_policy_document.key["authority-1"].statement : s.condition if s.sid == "WritersOfSecrets"])).values == tolist(["secretsmanager.eu-central-1.amazonaws.com"]) &&
    length([for s in data.aws_iam_policy_document.key["authority-2"].statement : s if s.sid == "WritersOfSecrets"]) == 0)
    error_message = "Who puts secrets in uses the key by way of the store, and only the owner's."
  }
}

run "nobody_manages" {
  command = plan
  variables {
    administrators = []
  }
  expect_failures = [var.administrators]
}

run "the_whole_account_manages" {
  command = plan
  variables {
    administrators = ["arn:aws:iam::111122223333:root"]
  }
  expect_failures = [var.administrators]
}

run "a_custodian_who_writes_secrets" {
  command = plan
  variables {
    secret_writers = { "authority-1" = ["arn:aws:iam::111122223333:role/key-custodian"] }
  }
  expect_failures = [var.secret_writers]
}

run "one_writer_for_two_authorities" {
  command = plan
  variables {
    secret_writers = { "authority-1" = ["arn:aws:iam::111122223333:role/officer"], "authority-2" = ["arn:aws:iam::111122223333:role/officer"] }
  }
  expect_failures = [var.secret_writers]
}

run "a_pattern_of_writers" {
  command = plan
  variables {
    secret_writers = { "authority-1" = ["arn:aws:iam::111122223333:role/*"] }
  }
  expect_failures = [var.secret_writers]
}

run "an_authority_zero" {
  command = plan
  variables {
    authorities    = ["0", "1"]
    secret_writers = {}
  }
  expect_failures = [var.authorities]
}

run "no_account" {
  command = plan
  variables {
    account_id = "1111-2222-3333"
  }
  expect_failures = [var.account_id]
}

run "a_role_that_is_not_auto_scaling_s" {
  command = plan
  variables {
    autoscaling_role_arn = "arn:aws:iam::111122223333:role/anything"
  }
  expect_failures = [var.autoscaling_role_arn]
}

run "a_name_that_is_none" {
  command = plan
  variables {
    name = "Not A Name"
  }
  expect_failures = [var.name]
}

run "secrets_of_an_authority_that_is_none" {
  command = plan
  variables {
    secret_writers = { "authority-99" = ["arn:aws:iam::111122223333:role/officer"] }
  }
  expect_failures = [var.secret_writers]
}
