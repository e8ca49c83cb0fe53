{{- define "relay.namespace" -}}
{{- .Values.global.namespaces.relay | default .Release.Namespace -}}
{{- end }}

{{- define "relay.labels" -}}
{{ include "solidus.labels" (dict "root" . "component" "relay") }}
{{- end }}

{{- define "relay.selector" -}}
{{ include "solidus.selector" (dict "root" . "component" "relay") }}
{{- end }}

{{- define "relay.check" -}}
{{- if not .Values.gateway.target }}{{ fail "gateway.target is required: the address of the gateway's route for the relay" }}{{ end -}}
{{- if not .Values.gateway.peers }}{{ fail "gateway.peers is required: the network policy peers of the gateway" }}{{ end -}}
{{- if and .Values.ingress.enabled (not .Values.publicUrl) }}{{ fail "publicUrl is required: the address of the relay in the network's signed services" }}{{ end -}}
{{- end }}

{{/* Calls go to a gateway elsewhere, so they trust public authorities and not the issuer of this namespace */}}
{{- define "relay.config" -}}
spring:
  ssl.bundle.pem.internal:
    reload-on-update: true
    keystore:
      certificate: file:/var/run/solidus/tls/tls.crt
      private-key: file:/var/run/solidus/tls/tls.key
  lifecycle.timeout-per-shutdown-phase: {{ .Values.global.shutdown.phaseSeconds }}s
management:
  endpoints.web.exposure.include: health,prometheus
  endpoint.health.probes.enabled: true
{{ include "solidus.configRest" . }}
{{- if .Values.ingress.enabled }}
# nobody but the ingress controller reaches the pods
server.forward-headers-strategy: native
{{- end }}
solidus.relay:
  target: {{ .Values.gateway.target | quote }}
  token-file: /var/run/solidus/secrets/relay.token
{{- range $name, $value := .Values.relay.properties }}
{{ $name }}: {{ $value | toJson }}
{{- end }}
{{- end }}
