output "cluster_name" {
  description = "The cluster."
  value       = aws_eks_cluster.this.name
}

output "oidc_provider_arn" {
  description = "Provider of the identities of service accounts."
  value       = aws_iam_openid_connect_provider.this.arn
}

output "oidc_issuer" {
  description = "Its issuer, without the scheme."
  value       = local.issuer
}

output "node_security_groups" {
  description = "Security group of each owner's nodes, by owner (authority-1, ..., operator)."
  value       = { for owner in keys(local.groups) : owner => aws_security_group.node[owner].id }
}

output "storage_classes" {
  description = "A storage class for each owner, under its key, as a list for kubectl: nothing in the cluster makes an encrypted volume otherwise."
  value = {
    apiVersion = "v1"
    kind       = "List"
    items = [for owner, group in local.groups : {
      apiVersion = "storage.k8s.io/v1"
      kind       = "StorageClass"
      metadata   = { name = "solidus-${owner}" }
      parameters = { type = "gp3", encrypted = "true", kmsKeyId = group.key }
      # a volume outlives its claim: a sign-log is not thrown away with a pod's
      reclaimPolicy        = "Retain"
      provisioner          = "ebs.csi.aws.com"
      volumeBindingMode    = "WaitForFirstConsumer"
      allowVolumeExpansion = true
    }]
  }
}

output "placement" {
  description = "Where each authority's pods go: nodeSelector and tolerations for the charts, by number."
  value = { for index in keys(var.authorities) : index => {
    nodeSelector = { "solidus.io/authority" = index }
    tolerations  = [{ key = "solidus.io/authority", operator = "Equal", value = index, effect = "NoSchedule" }]
  } }
}
