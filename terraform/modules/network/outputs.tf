output "vpc_id" {
  description = "Id of the VPC."
  value       = aws_vpc.this.id
}

output "cidr" {
  description = "Address range of the VPC."
  value       = aws_vpc.this.cidr_block
}

output "node_subnets" {
  description = "Ids of the node subnets, by zone."
  value       = { for zone, subnet in aws_subnet.nodes : zone => subnet.id }
}

output "node_cidrs" {
  description = "Address ranges of nodes and pods."
  value       = [for subnet in aws_subnet.nodes : subnet.cidr_block]
}

output "control_subnets" {
  description = "Ids of the subnets with the network interfaces of the Kubernetes API, by zone."
  value       = { for zone, subnet in aws_subnet.control : zone => subnet.id }
}

output "control_cidrs" {
  description = "Address ranges of the subnets with the network interfaces of the Kubernetes API."
  value       = [for subnet in aws_subnet.control : subnet.cidr_block]
}

output "data_subnets" {
  description = "Ids of the subnets with databases, brokers and VPC endpoints, by zone."
  value       = { for zone, subnet in aws_subnet.data : zone => subnet.id }
}

output "data_cidrs" {
  description = "Address ranges of the subnets with databases, brokers and VPC endpoints."
  value       = [for subnet in aws_subnet.data : subnet.cidr_block]
}

output "public_cidrs" {
  description = "Address ranges of the load balancers."
  value       = [for subnet in aws_subnet.public : subnet.cidr_block]
}
