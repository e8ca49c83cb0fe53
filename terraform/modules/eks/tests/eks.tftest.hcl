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

run "each_authority_has_a_node_group" {
  command = apply

  assert {
    condition     = length(aws_eks_node_group.this) == 5
    error_message = "There must be node groups for four authorities and the operator."
  }

  assert {
    condition     = alltrue([for i in ["1", "2", "3", "4"] : aws_eks_node_group.this["authority-${i}"].instance_types == tolist(["m5.8xlarge"]) && aws_eks_node_group.this["authority-${i}"].labels["solidus.io/authority"] == i])
    error_message = "The nodes must be m5.8xlarge with the authority's label."
  }

  assert {
    condition     = alltrue([for i in ["1", "2", "3", "4"] : one(aws_eks_node_group.this["authority-${i}"].taint).value == i && one(aws_eks_node_group.this["authority-${i}"].taint).effect == "NO_SCHEDULE"])
    error_message = "A taint must keep other pods off an authority's nodes."
  }

  assert {
    condition     = alltrue([for g in aws_eks_node_group.this : length(g.subnet_ids) == 3])
    error_message = "The nodes must be spread over three zones."
  }

  assert {
    condition     = alltrue([for i in ["1", "2", "3", "4"] : aws_launch_template.node["authority-${i}"].block_device_mappings[0].ebs[0].kms_key_id == var.volume_key_arns[i]])
    error_message = "Volumes must be encrypted with the authority's own key."
  }

  assert {
    condition     = alltrue([for t in aws_launch_template.node : t.metadata_options[0].http_tokens == "required" && t.metadata_options[0].http_put_response_hop_limit == 1])
    error_message = "Pods must not reach the credentials of the node's role."
  }

  assert {
    condition     = output.placement["3"].nodeSelector["solidus.io/authority"] == "3" && output.placement["3"].tolerations[0].value == "3"
    error_message = "The output must have nodeSelector and tolerations for the charts."
  }
}

run "volumes_and_nodes_belong_to_their_owner" {
  command = apply

  assert {
    condition     = alltrue([for t in aws_launch_template.node : t.block_device_mappings[0].ebs[0].encrypted == "true" && t.block_device_mappings[0].ebs[0].volume_type == "gp3"])
    error_message = "Root volumes must be encrypted."
  }

  assert {
    condition     = length(aws_security_group.node) == 5 && alltrue([for owner, t in aws_launch_template.node : t.vpc_security_group_ids == toset([aws_security_group.node[owner].id, "sg-nodes"])])
    error_message = "Nodes must have the security groups of the cluster and of their owner."
  }

  assert {
    condition     = length(aws_iam_role.node) == 5 && toset([for a in aws_iam_role_policy_attachment.node : a.policy_arn]) == toset(["arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy", "arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryPullOnly"])
    error_message = "Each group must have a role that may only join the cluster and pull images."
  }

  assert {
    condition = (alltrue([for item in output.storage_classes.items : item.parameters.encrypted == "true" && item.reclaimPolicy == "Retain" && item.volumeBindingMode == "WaitForFirstConsumer"]) &&
      { for item in output.storage_classes.items : item.metadata.name => item.parameters.kmsKeyId }
    == merge({ for i, arn in var.volume_key_arns : "solidus-authority-${i}" => arn }, { "solidus-operator" = var.key_arn }))
    error_message = "Volumes of claims must be encrypted with the owner's key and outlive the claims."
  }

  assert {
    condition = alltrue([for s in data.aws_iam_policy_document.storage_keys.statement : !anytrue([for a in s.actions : strcontains(a, "*")]) && s.resources == toset(concat(values(var.volume_key_arns), [var.key_arn]))
    && contains(["kms:ViaService=ec2.eu-central-1.amazonaws.com", "kms:GrantIsForAWSResource=true"], "${one(s.condition).variable}=${one(one(s.condition).values)}")])
    error_message = "The storage driver must use keys through EC2 and grants only."
  }

  assert {
    condition = alltrue([for driver, d in data.aws_iam_policy_document.driver_trust : toset([for c in one(d.statement).condition : "${c.test} ${c.variable} ${one(c.values)}"]) == toset([
      "StringEquals oidc.eks.eu-central-1.amazonaws.com/id/TEST:sub system:serviceaccount:kube-system:${local.drivers[driver].account}",
      "StringEquals oidc.eks.eu-central-1.amazonaws.com/id/TEST:aud sts.amazonaws.com",
    ])])
    error_message = "Each driver's role must be for its service account only."
  }

  assert {
    condition     = jsondecode(aws_eks_addon.before_nodes["vpc-cni"].configuration_values).enableNetworkPolicy == "true" && toset(keys(aws_eks_addon.before_nodes)) == toset(["vpc-cni", "kube-proxy"])
    error_message = "The network agent must enforce network policies and be installed before the first node, which otherwise never becomes ready."
  }
}

run "only_named_roles_have_access" {
  command = apply

  assert {
    condition     = aws_eks_cluster.this.access_config[0].authentication_mode == "API" && !aws_eks_cluster.this.access_config[0].bootstrap_cluster_creator_admin_permissions
    error_message = "The creator of the cluster must get no rights."
  }

  assert {
    condition = { for arn, p in aws_eks_access_policy_association.person : arn => "${p.policy_arn} ${p.access_scope[0].type} ${join(",", p.access_scope[0].namespaces == null ? [] : p.access_scope[0].namespaces)}" } == {
      "arn:aws:iam::111122223333:role/platform"  = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy cluster "
      "arn:aws:iam::111122223333:role/officer-1" = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSAdminPolicy namespace solidus-authority-1"
      "arn:aws:iam::111122223333:role/officer-4" = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSAdminPolicy namespace solidus-authority-4"
    }
    error_message = "An authority's administrator must have rights in its namespace only, and no other role may have access."
  }
}

run "plans_seven_authorities" {
  command = plan
  variables {
    authorities     = { "1" = {}, "2" = {}, "3" = {}, "4" = {}, "5" = {}, "6" = {}, "7" = {} }
    volume_key_arns = { for i in range(1, 8) : tostring(i) => "arn:aws:kms:eu-central-1:111122223333:key/${i}" }
  }

  assert {
    condition     = length(aws_eks_node_group.this) == 8
    error_message = "There must be node groups for seven authorities and the operator."
  }
}

run "api_is_private_by_default" {
  command = plan

  assert {
    condition     = aws_eks_cluster.this.vpc_config[0].endpoint_public_access == false && aws_eks_cluster.this.vpc_config[0].endpoint_private_access
    error_message = "The API must be private by default."
  }

  assert {
    condition     = aws_eks_cluster.this.vpc_config[0].subnet_ids == toset(["subnet-x", "subnet-y", "subnet-z"])
    error_message = "The network interfaces of the API must be in subnets without pods."
  }

  assert {
    condition     = length(setsubtract(["api", "audit", "authenticator"], aws_eks_cluster.this.enabled_cluster_log_types)) == 0 && aws_cloudwatch_log_group.cluster.kms_key_id == var.key_arn && aws_cloudwatch_log_group.cluster.retention_in_days == 365
    error_message = "The audit log must be encrypted and kept for a year."
  }

  assert {
    condition     = aws_eks_cluster.this.encryption_config[0].resources == toset(["secrets"])
    error_message = "Kubernetes secrets must be encrypted with the operator's key."
  }
}

run "api_is_open_to_named_addresses" {
  command = plan
  variables {
    api_cidrs = ["198.51.100.0/24"]
  }

  assert {
    condition     = aws_eks_cluster.this.vpc_config[0].endpoint_public_access && aws_eks_cluster.this.vpc_config[0].public_access_cidrs == toset(["198.51.100.0/24"])
    error_message = "Only the given addresses may reach the API."
  }
}

run "refuses_five_authorities" {
  command = plan
  variables {
    authorities = { "1" = {}, "2" = {}, "3" = {}, "4" = {}, "5" = {} }
  }
  expect_failures = [var.authorities]
}

run "refuses_a_gap_in_the_numbers" {
  command = plan
  variables {
    authorities = { "1" = {}, "2" = {}, "3" = {}, "5" = {} }
  }
  expect_failures = [var.authorities]
}

run "refuses_an_api_open_to_the_internet" {
  command = plan
  variables {
    api_cidrs = ["0.0.0.0/0"]
  }
  expect_failures = [var.api_cidrs]
}

run "refuses_an_old_kubernetes" {
  command = plan
  variables {
    kubernetes_version = "1.29"
  }
  expect_failures = [var.kubernetes_version]
}

run "refuses_half_of_the_internet" {
  command = plan
  variables {
    api_cidrs = ["0.0.0.0/1", "128.0.0.0/1"]
  }
  expect_failures = [var.api_cidrs]
}

run "refuses_an_invalid_address" {
  command = plan
  variables {
    api_cidrs = ["office"]
  }
  expect_failures = [var.api_cidrs]
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

run "refuses_one_administrator_for_two_authorities" {
  command = plan
  variables {
    authority_administrators = { "1" = ["arn:aws:iam::111122223333:role/officer"], "2" = ["arn:aws:iam::111122223333:role/officer"] }
  }
  expect_failures = [var.authority_administrators]
}

run "refuses_an_administrator_of_an_unknown_authority" {
  command = plan
  variables {
    authority_administrators = { "9" = ["arn:aws:iam::111122223333:role/officer"] }
  }
  expect_failures = [var.authority_administrators]
}

run "refuses_one_namespace_for_all" {
  command = plan
  variables {
    namespace_pattern = "solidus"
  }
  expect_failures = [var.namespace_pattern]
}

run "refuses_secrets_without_a_key" {
  command = plan
  variables {
    key_arn = ""
  }
  expect_failures = [var.key_arn]
}

run "refuses_an_authority_without_a_key" {
  command = plan
  variables {
    volume_key_arns = { "1" = "arn:aws:kms:eu-central-1:111122223333:key/1" }
  }
  expect_failures = [var.volume_key_arns]
}

run "refuses_two_zones" {
  command = plan
  variables {
    node_subnets = { a = "subnet-a", b = "subnet-b" }
  }
  expect_failures = [var.node_subnets]
}

run "refuses_the_api_in_node_subnets" {
  command = plan
  variables {
    control_subnets = ["subnet-a", "subnet-y", "subnet-z"]
  }
  expect_failures = [var.control_subnets]
}

run "refuses_fewer_nodes_than_the_minimum" {
  command = plan
  variables {
    authorities = { "1" = { nodes = 2 }, "2" = {}, "3" = {}, "4" = {} }
  }
  expect_failures = [var.authorities]
}

run "refuses_an_audit_log_of_one_day" {
  command = plan
  variables {
    log_days = 1
  }
  expect_failures = [var.log_days]
}

run "refuses_an_invalid_name" {
  command = plan
  variables {
    name = "Not A Name"
  }
  expect_failures = [var.name]
}

run "refuses_a_pattern_of_administrators" {
  command = plan
  variables {
    authority_administrators = { "1" = ["arn:aws:iam::111122223333:role/*"] }
  }
  expect_failures = [var.authority_administrators]
}

run "refuses_volumes_without_a_key" {
  command = plan
  variables {
    volume_key_arns = { "1" = "", "2" = "", "3" = "", "4" = "" }
  }
  expect_failures = [var.volume_key_arns]
}
