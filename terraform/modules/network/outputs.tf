output "vpc_id" {
  description = "The network."
  value       = aws_vpc.this.id
}

output "cidr" {
  description = "Its addresses."
  value       = aws_vpc.this.cidr_block
}

output "node_subnets" {
  description = "Subnets of nodes by zone."
  value       = { for zone, subnet in aws_subnet.nodes : zone => subnet.id }
}

output "node_cidrs" {
  description = "Addresses of nodes and pods."
  value       = [for subnet in aws_subnet.nodes : subnet.cidr_block]
}

output "control_subnets" {
  description = "Subnets of the Kubernetes API's interfaces, by zone."
  value       = { for zone, subnet in aws_subnet.control : zone => subnet.id }
}

output "control_cidrs" {
  description = "Their addresses."
  value       = [for subnet in aws_subnet.control : subnet.cidr_block]
}

output "data_subnets" {
  description = "Subnets of databases, brokers and interfaces of AWS services, by zone."
  value       = { for zone, subnet in aws_subnet.data : zone => subnet.id }
}

output "data_cidrs" {
  description = "Their addresses."
  value       = [for subnet in aws_subnet.data : subnet.cidr_block]
}

output "public_cidrs" {
  description = "Addresses of the load balancers."
  value       = [for subnet in aws_subnet.public : subnet.cidr_block]
}
