mock_provider "aws" {
  mock_data "aws_iam_policy_document" {
    defaults = { json = "{}" }
  }
  mock_resource "aws_eks_cluster" {
    defaults = {
      arn        = "arn:aws:eks:eu-central-1:111122223333:cluster/test"
      identity   = [{ oidc = [{ issuer = "https://oidc.eks.eu-central-1.amazonaws.com/id/TEST" }] }]
      vpc_config = { cluster_security_group_id = "sg-nodes" }
    }
  }
  mock_resource "aws_iam_role" {
    defaults = { arn = "arn:aws:iam::111122223333:role/x" }
  }
  mock_resource "aws_iam_openid_connect_provider" {
    defaults = { arn = "arn:aws:iam::111122223333:oidc-provider/x" }
  }
  mock_resource "aws_launch_template" {
    defaults = { id = "lt-0123456789abcdef0", latest_version = 1 }
  }
}

variables {
  name            = "test"
  node_subnets    = { a = "subnet-a", b = "subnet-b", c = "subnet-c" }
  authorities     = { "1" = {}, "2" = {}, "3" = {}, "4" = {} }
  key_arn         = "arn:aws:kms:eu-central-1:111122223333:key/operator"
  volume_key_arns = { "1" = "arn:aws:kms:eu-central-1:111122223333:key/1", "2" = "arn:aws:kms:eu-central-1:111122223333:key/2", "3" = "arn:aws:kms:eu-central-1:111122223333:key/3", "4" = "arn:aws:kms:eu-central-1:111122223333:key/4" }
}

run "a_group_for_each_authority" {
  command = apply

  assert {
    condition     = length(aws_eks_node_group.this) == 5
    error_message = "Four authorities and the operator."
  }

  assert {
    condition     = alltrue([for i in ["1", "2", "3", "4"] : aws_eks_node_group.this["authority-${i}"].instance_types == tolist(["m5.8xlarge"]) && aws_eks_node_group.this["authority-${i}"].labels["solidus.io/authority"] == i])
    error_message = "m5.8xlarge nodes with the authority's label."
  }

  assert {
    condition     = alltrue([for i in ["1", "2", "3", "4"] : one(aws_eks_node_group.this["authority-${i}"].taint).value == i && one(aws_eks_node_group.this["authority-${i}"].taint).effect == "NO_SCHEDULE"])
    error_message = "Nobody else's pods on an authority's nodes."
  }

  assert {
    condition     = alltrue([for g in aws_eks_node_group.this : length(g.subnet_ids) == 3])
    error_message = "Spread over three zones."
  }

  assert {
    condition     = alltrue([for i in ["1", "2", "3", "4"] : aws_launch_template.node["authority-${i}"].block_device_mappings[0].ebs[0].kms_key_id == var.volume_key_arns[i]])
    error_message = "Volumes under the authority's own key."
  }

  assert {
    condition     = alltrue([for t in aws_launch_template.node : t.metadata_options[0].http_tokens == "required" && t.metadata_options[0].http_put_response_hop_limit == 1])
    error_message = "Pods must not reach the node's role."
  }

  assert {
    condition     = output.placement["3"].nodeSelector["solidus.io/authority"] == "3" && output.placement["3"].tolerations[0].value == "3"
    error_message = "What the charts are told."
  }
}

run "the_api_is_private_unless_somebody_is_named" {
  command = plan

  assert {
    condition     = aws_eks_cluster.this.vpc_config[0].endpoint_public_access == false && aws_eks_cluster.this.vpc_config[0].endpoint_private_access
    error_message = "Private by default."
  }

  assert {
    condition     = aws_eks_cluster.this.encryption_config[0].resources == toset(["secrets"])
    error_message = "Secrets are wrapped."
  }
}

run "five_authorities_are_no_committee" {
  command = plan
  variables {
    authorities = { "1" = {}, "2" = {}, "3" = {}, "4" = {}, "5" = {} }
  }
  expect_failures = [var.authorities]
}

run "a_gap_in_the_numbers" {
  command = plan
  variables {
    authorities = { "1" = {}, "2" = {}, "3" = {}, "5" = {} }
  }
  expect_failures = [var.authorities]
}

run "an_api_for_everybody" {
  command = plan
  variables {
    api_cidrs = ["0.0.0.0/0"]
  }
  expect_failures = [var.api_cidrs]
}

run "an_old_kubernetes" {
  command = plan
  variables {
    kubernetes_version = "1.29"
  }
  expect_failures = [var.kubernetes_version]
}
