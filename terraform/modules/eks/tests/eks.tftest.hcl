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
  mock_data "aws_region" {
    defaults = { name = "eu-central-1" }
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
  name                     = "test"
  vpc_id                   = "vpc-1"
  control_subnets          = ["subnet-x", "subnet-y", "subnet-z"]
  administrators           = ["arn:aws:iam::111122223333:role/platform"]
  authority_administrators = { "1" = ["arn:aws:iam::111122223333:role/officer-1"], "4" = ["arn:aws:iam::111122223333:role/officer-4"] }
  node_subnets             = { a = "subnet-a", b = "subnet-b", c = "subnet-c" }
  authorities              = { "1" = {}, "2" = {}, "3" = {}, "4" = {} }
  key_arn                  = "arn:aws:kms:eu-central-1:111122223333:key/operator"
  volume_key_arns          = { "1" = "arn:aws:kms:eu-central-1:111122223333:key/1", "2" = "arn:aws:kms:eu-central-1:111122223333:key/2", "3" = "arn:aws:kms:eu-central-1:111122223333:key/3", "4" = "arn:aws:kms:eu-central-1:111122223333:key/4" }
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

run "volumes_and_nodes_of_an_owner" {
  command = apply

  assert {
    condition     = alltrue([for t in aws_launch_template.node : t.block_device_mappings[0].ebs[0].encrypted == "true" && t.block_device_mappings[0].ebs[0].volume_type == "gp3"])
    error_message = "Root volumes are encrypted."
  }

  assert {
    condition     = length(aws_security_group.node) == 5 && alltrue([for owner, t in aws_launch_template.node : t.vpc_security_group_ids == toset([aws_security_group.node[owner].id, "sg-nodes"])])
    error_message = "Nodes carry the cluster's security group and their owner's."
  }

  assert {
    condition     = length(aws_iam_role.node) == 5 && toset([for a in aws_iam_role_policy_attachment.node : a.policy_arn]) == toset(["arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy", "arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryPullOnly"])
    error_message = "A role for each group, which joins the cluster and pulls images and does no more."
  }

  assert {
    condition = (alltrue([for item in output.storage_classes.items : item.parameters.encrypted == "true" && item.reclaimPolicy == "Retain" && item.volumeBindingMode == "WaitForFirstConsumer"]) &&
      { for item in output.storage_classes.items : item.metadata.name => item.parameters.kmsKeyId }
    == merge({ for i, arn in var.volume_key_arns : "solidus-authority-${i}" => arn }, { "solidus-operator" = var.key_arn }))
    error_message = "Claims are under the owner's key, and volumes outlive them."
  }

  assert {
    condition = alltrue([for s in data.aws_iam_policy_document.storage_keys.statement : !anytrue([for a in s.actions : strcontains(a, "*")]) && s.resources == toset(concat(values(var.volume_key_arns), [var.key_arn]))
    && contains(["kms:ViaService=ec2.eu-central-1.amazonaws.com", "kms:GrantIsForAWSResource=true"], "${one(s.condition).variable}=${one(one(s.condition).values)}")])
    error_message = "The driver of volumes uses keys by way of EC2 and by grants to it."
  }

  assert {
    condition = alltrue([for driver, d in data.aws_iam_policy_document.driver_trust : toset([for c in one(d.statement).condition : "${c.test} ${c.variable} ${one(c.values)}"]) == toset([
      "StringEquals oidc.eks.eu-central-1.amazonaws.com/id/TEST:sub system:serviceaccount:kube-system:${local.drivers[driver].account}",
      "StringEquals oidc.eks.eu-central-1.amazonaws.com/id/TEST:aud sts.amazonaws.com",
    ])])
    error_message = "Each driver's role is for its service account."
  }

  assert {
    condition     = jsondecode(aws_eks_addon.before_nodes["vpc-cni"].configuration_values).enableNetworkPolicy == "true" && toset(keys(aws_eks_addon.before_nodes)) == toset(["vpc-cni", "kube-proxy"])
    error_message = "Network policies are kept, and the network is there before the first node: without it none is ever ready."
  }
}

run "who_has_a_way_in" {
  command = apply

  assert {
    condition     = aws_eks_cluster.this.access_config[0].authentication_mode == "API" && !aws_eks_cluster.this.access_config[0].bootstrap_cluster_creator_admin_permissions
    error_message = "Who makes the cluster gets no right by that."
  }

  assert {
    condition = { for arn, p in aws_eks_access_policy_association.person : arn => "${p.policy_arn} ${p.access_scope[0].type} ${join(",", p.access_scope[0].namespaces == null ? [] : p.access_scope[0].namespaces)}" } == {
      "arn:aws:iam::111122223333:role/platform"  = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy cluster "
      "arn:aws:iam::111122223333:role/officer-1" = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSAdminPolicy namespace solidus-authority-1"
      "arn:aws:iam::111122223333:role/officer-4" = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSAdminPolicy namespace solidus-authority-4"
    }
    error_message = "An authority's administrator is in its namespace, and nobody else is anywhere."
  }
}

run "seven" {
  command = plan
  variables {
    authorities     = { "1" = {}, "2" = {}, "3" = {}, "4" = {}, "5" = {}, "6" = {}, "7" = {} }
    volume_key_arns = { for i in range(1, 8) : tostring(i) => "arn:aws:kms:eu-central-1:111122223333:key/${i}" }
  }

  assert {
    condition     = length(aws_eks_node_group.this) == 8
    error_message = "Seven authorities and the operator."
  }
}

run "the_api_is_private_unless_somebody_is_named" {
  command = plan

  assert {
    condition     = aws_eks_cluster.this.vpc_config[0].endpoint_public_access == false && aws_eks_cluster.this.vpc_config[0].endpoint_private_access
    error_message = "Private by default."
  }

  assert {
    condition     = aws_eks_cluster.this.vpc_config[0].subnet_ids == toset(["subnet-x", "subnet-y", "subnet-z"])
    error_message = "The API's interfaces are where no pod is."
  }

  assert {
    condition     = length(setsubtract(["api", "audit", "authenticator"], aws_eks_cluster.this.enabled_cluster_log_types)) == 0 && aws_cloudwatch_log_group.cluster.kms_key_id == var.key_arn && aws_cloudwatch_log_group.cluster.retention_in_days == 365
    error_message = "Who did what is on record for a year, encrypted."
  }

  assert {
    condition     = aws_eks_cluster.this.encryption_config[0].resources == toset(["secrets"])
    error_message = "Secrets are wrapped."
  }
}

run "somebody_is_named" {
  command = plan
  variables {
    api_cidrs = ["198.51.100.0/24"]
  }

  assert {
    condition     = aws_eks_cluster.this.vpc_config[0].endpoint_public_access && aws_eks_cluster.this.vpc_config[0].public_access_cidrs == toset(["198.51.100.0/24"])
    error_message = "From there and from nowhere else."
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

run "half_of_everybody" {
  command = plan
  variables {
    api_cidrs = ["0.0.0.0/1", "128.0.0.0/1"]
  }
  expect_failures = [var.api_cidrs]
}

run "an_address_that_is_none" {
  command = plan
  variables {
    api_cidrs = ["office"]
  }
  expect_failures = [var.api_cidrs]
}

run "nobody_administers" {
  command = plan
  variables {
    administrators = []
  }
  expect_failures = [var.administrators]
}

run "the_whole_account_administers" {
  command = plan
  variables {
    administrators = ["arn:aws:iam::111122223333:root"]
  }
  expect_failures = [var.administrators]
}

run "one_administrator_for_two_authorities" {
  command = plan
  variables {
    authority_administrators = { "1" = ["arn:aws:iam::111122223333:role/officer"], "2" = ["arn:aws:iam::111122223333:role/officer"] }
  }
  expect_failures = [var.authority_administrators]
}

run "an_administrator_of_nobody" {
  command = plan
  variables {
    authority_administrators = { "9" = ["arn:aws:iam::111122223333:role/officer"] }
  }
  expect_failures = [var.authority_administrators]
}

run "one_namespace_for_all" {
  command = plan
  variables {
    namespace_pattern = "solidus"
  }
  expect_failures = [var.namespace_pattern]
}

run "secrets_without_a_key" {
  command = plan
  variables {
    key_arn = ""
  }
  expect_failures = [var.key_arn]
}

run "an_authority_without_a_key" {
  command = plan
  variables {
    volume_key_arns = { "1" = "arn:aws:kms:eu-central-1:111122223333:key/1" }
  }
  expect_failures = [var.volume_key_arns]
}

run "two_zones" {
  command = plan
  variables {
    node_subnets = { a = "subnet-a", b = "subnet-b" }
  }
  expect_failures = [var.node_subnets]
}

run "the_api_among_pods" {
  command = plan
  variables {
    control_subnets = ["subnet-a", "subnet-y", "subnet-z"]
  }
  expect_failures = [var.control_subnets]
}

run "less_than_least" {
  command = plan
  variables {
    authorities = { "1" = { nodes = 2 }, "2" = {}, "3" = {}, "4" = {} }
  }
  expect_failures = [var.authorities]
}

run "an_audit_log_of_a_day" {
  command = plan
  variables {
    log_days = 1
  }
  expect_failures = [var.log_days]
}

run "a_name_that_is_none" {
  command = plan
  variables {
    name = "Not A Name"
  }
  expect_failures = [var.name]
}

run "a_pattern_of_administrators" {
  command = plan
  variables {
    authority_administrators = { "1" = ["arn:aws:iam::111122223333:role/*"] }
  }
  expect_failures = [var.authority_administrators]
}

run "volumes_without_a_key" {
  command = plan
  variables {
    volume_key_arns = { "1" = "", "2" = "", "3" = "", "4" = "" }
  }
  expect_failures = [var.volume_key_arns]
}
