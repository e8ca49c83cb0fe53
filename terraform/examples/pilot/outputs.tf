# `terraform output -json helm_values > values.json` writes a values file for helm/solidus-pilot.
# Keys, trust and the id of the network come from the ceremony, not from Terraform.
output "helm_values" {
  description = "Values of helm/solidus-pilot that follow from the infrastructure."
  value = merge(
    {
      global = {
        authorities = { for i in range(1, 11) : "a${i}" => i <= var.committee }
        kafka = {
          bootstrapServers = module.kafka.bootstrap_servers
          port             = module.kafka.port
          securityProtocol = "SASL_SSL"
          saslMechanism    = "SCRAM-SHA-512"
          caSecret         = "kafka-ca"
          saslSecret       = "kafka-login"
          peers            = [for cidr in module.network.data_cidrs : { ipBlock = { cidr = cidr } }]
        }
        peers = {
          apiServerCidrs   = module.network.control_cidrs
          objectStoreCidrs = module.network.data_cidrs
        }
      }
      operator = {
        publicUrls = module.dns.urls
        database = {
          host     = module.operator_database.host
          caSecret = "operator-database-ca"
          peers    = [for cidr in module.network.data_cidrs : { ipBlock = { cidr = cidr } }]
        }
      }
    },
    { for a in local.authorities : "a${a}" => {
      authority = { index = tonumber(a) }
      shards    = module.eks.placement[a]
      signer = merge(module.eks.placement[a], {
        signLog = { storageClass = "solidus-authority-${a}" }
        anchor  = { storageClass = "solidus-authority-${a}" }
      })
      complianceIssuer = module.eks.placement[a]
      # one of the two and no attribute of the other, because Helm takes a null for a value
      database = merge(concat([for kind in [var.authority_database] : {
        mode                = "external"
        synchronousStandbys = 0
        external = {
          host     = module.authority_database[a].host
          port     = 5432
          secret   = "authority-database"
          caSecret = "authority-database-ca"
          peers    = [for cidr in module.network.data_cidrs : { ipBlock = { cidr = cidr } }]
        }
        } if kind == "rds"], [for kind in [var.authority_database] : {
        mode                = "cnpg"
        synchronousStandbys = 1
        cnpg = {
          storage      = { storageClass = "solidus-authority-${a}" }
          walStorage   = { storageClass = "solidus-authority-${a}" }
          nodeSelector = module.eks.placement[a].nodeSelector
          tolerations  = module.eks.placement[a].tolerations
          backup = {
            enabled                   = true
            destinationPath           = "s3://${module.backups.buckets["authority-${a}"].name}/postgresql"
            serviceAccountAnnotations = { "eks.amazonaws.com/role-arn" = module.iam.backup_roles["authority-${a}"] }
          }
        }
      } if kind == "cnpg"])...)
    } },
  )
}

output "storage_classes" {
  description = "A storage class for each owner, encrypted with its key: `terraform output -json storage_classes | kubectl apply -f -`."
  value       = module.eks.storage_classes
}

output "name_servers" {
  description = "Name servers, for the delegation of the domain."
  value       = module.dns.name_servers
}

output "cluster_name" {
  description = "Name of the cluster."
  value       = module.eks.cluster_name
}

output "secret_roles" {
  description = "ARNs of the roles that read secrets, by owner."
  value       = module.iam.secret_roles
}
