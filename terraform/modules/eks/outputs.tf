output "cluster_name" {
  description = "Name of the cluster."
  value       = aws_eks_cluster.this.name
}

output "oidc_provider_arn" {
  description = "ARN of the OIDC provider for service accounts."
  value       = aws_iam_openid_connect_provider.this.arn
}

output "oidc_issuer" {
  description = "Issuer of the OIDC provider, without https://."
  value       = local.issuer
}

output "node_security_groups" {
  description = "Id of the security group of each owner's nodes, by owner (authority-1, ..., operator)."
  value       = { for owner in keys(local.groups) : owner => aws_security_group.node[owner].id }
}

output "storage_classes" {
  description = "A storage class for each owner, encrypted with its key, as a list for kubectl. The cluster has no other storage class with encryption."
  value = {
    apiVersion = "v1"
    kind       = "List"
    items = [for owner, group in local.groups : {
      apiVersion = "storage.k8s.io/v1"
      kind       = "StorageClass"
      metadata   = { name = "solidus-${owner}" }
      parameters = { type = "gp3", encrypted = "true", kmsKeyId = group.key }
      # a volume outlives its claim, so that a deleted claim does not delete a sign-log
      reclaimPolicy        = "Retain"
      provisioner          = "ebs.csi.aws.com"
      volumeBindingMode    = "WaitForFirstConsumer"
      allowVolumeExpansion = true
    }]
  }
}

output "placement" {
  description = "nodeSelector and tolerations of each authority's pods, for the charts, by number."
  value = { for index in keys(var.authorities) : index => {
    nodeSelector = { "solidus.io/authority" = index }
    tolerations  = [{ key = "solidus.io/authority", operator = "Equal", value = index, effect = "NoSchedule" }]
  } }
}
