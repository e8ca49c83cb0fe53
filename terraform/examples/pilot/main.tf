data "aws_caller_identity" "me" {}

locals {
  tags        = { Project = var.name, ManagedBy = "terraform" }
  account     = data.aws_caller_identity.me.account_id
  authorities = toset([for i in range(1, var.committee + 1) : tostring(i)])
  owners      = toset(concat([for a in local.authorities : "authority-${a}"], ["operator"]))
  keys        = merge({ for a, arn in module.kms.authority_keys : "authority-${a}" => arn }, { operator = module.kms.operator_key })
}

module "kms" {
  source               = "../../modules/kms"
  name                 = var.name
  authorities          = local.authorities
  account_id           = local.account
  region               = var.region
  administrators       = var.key_administrators
  secret_writers       = var.secret_writers
  autoscaling_role_arn = "arn:aws:iam::${local.account}:role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling"
}

module "network" {
  source      = "../../modules/network"
  name        = var.name
  account_id  = local.account
  cidr        = var.cidr
  zones       = var.zones
  log_key_arn = module.kms.operator_key
}

module "eks" {
  source          = "../../modules/eks"
  name            = var.name
  vpc_id          = module.network.vpc_id
  node_subnets    = module.network.node_subnets
  control_subnets = values(module.network.control_subnets)
  authorities = { for a in local.authorities : a => {
    nodes     = var.nodes_per_authority
    min_nodes = var.nodes_per_authority
    max_nodes = var.nodes_per_authority * 2
  } }
  api_cidrs                = var.api_cidrs
  administrators           = var.cluster_administrators
  authority_administrators = var.authority_administrators
  key_arn                  = module.kms.operator_key
  volume_key_arns          = module.kms.authority_keys
}

module "kafka" {
  source  = "../../modules/kafka"
  name    = var.name
  vpc_id  = module.network.vpc_id
  subnets = values(module.network.data_subnets)
  # the nodes of every owner connect to the brokers; access rules of the brokers say who reads and writes which topic
  client_security_groups       = module.eks.node_security_groups
  administrator_security_group = module.eks.node_security_groups["operator"]
  key_arn                      = module.kms.operator_key
  users                        = setunion(["sanctions", "registration", "issuance"], [for a in local.authorities : "authority-${a}"])
  passwords_filled_in          = var.kafka_passwords_filled_in
}

module "operator_database" {
  source                 = "../../modules/database"
  name                   = "${var.name}-operator"
  vpc_id                 = module.network.vpc_id
  subnets                = values(module.network.data_subnets)
  client_security_groups = { operator = module.eks.node_security_groups["operator"] }
  key_arn                = module.kms.operator_key
}

module "authority_database" {
  source                 = "../../modules/database"
  for_each               = var.authority_database == "rds" ? local.authorities : []
  name                   = "${var.name}-authority-${each.key}"
  vpc_id                 = module.network.vpc_id
  subnets                = values(module.network.data_subnets)
  client_security_groups = { "authority-${each.key}" = module.eks.node_security_groups["authority-${each.key}"] }
  instance_class         = "db.m6i.2xlarge"
  storage_gib            = 400
  max_connections        = 150
  key_arn                = module.kms.authority_keys[each.key]
}

module "backups" {
  source     = "../../modules/backups"
  name       = var.name
  account_id = local.account
  keys       = local.keys
}

module "iam" {
  source            = "../../modules/iam"
  name              = var.name
  oidc_provider_arn = module.eks.oidc_provider_arn
  oidc_issuer       = module.eks.oidc_issuer
  account_id        = local.account
  region            = var.region
  owners = { for owner in local.owners : owner => {
    namespace        = "solidus-${owner}"
    database_account = "${owner}-db"
    bucket_arn       = module.backups.buckets[owner].arn
    key_arn          = local.keys[owner]
    secret_prefix    = "solidus/${owner}/"
  } }
}

module "dns" {
  source = "../../modules/dns"
  zone   = var.domain
}
