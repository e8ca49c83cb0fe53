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
  value       = trimprefix(aws_eks_cluster.this.identity[0].oidc[0].issuer, "https://")
}

output "node_security_group_id" {
  description = "Security group of the nodes."
  value       = aws_eks_cluster.this.vpc_config[0].cluster_security_group_id
}

output "placement" {
  description = "Where each authority's pods go: nodeSelector and tolerations for the charts, by number."
  value = { for index in keys(var.authorities) : index => {
    nodeSelector = { "solidus.io/authority" = index }
    tolerations  = [{ key = "solidus.io/authority", operator = "Equal", value = index, effect = "NoSchedule" }]
  } }
}
