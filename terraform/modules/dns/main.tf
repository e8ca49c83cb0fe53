resource "aws_route53_zone" "this" {
  name    = var.zone
  comment = "Solidus"
  tags    = var.tags
}

resource "aws_route53_record" "caa" {
  zone_id = aws_route53_zone.this.zone_id
  name    = var.zone
  type    = "CAA"
  ttl     = 3600
  records = ["0 issue \"${var.certificate_authority}\"", "0 issuewild \";\""]
}

resource "aws_route53_record" "service" {
  for_each = var.load_balancer == null ? {} : var.names
  zone_id  = aws_route53_zone.this.zone_id
  name     = "${each.value}.${var.zone}"
  type     = "A"

  alias {
    name                   = var.load_balancer.dns_name
    zone_id                = var.load_balancer.zone_id
    evaluate_target_health = true
  }
}
