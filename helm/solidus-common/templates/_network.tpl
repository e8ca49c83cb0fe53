{{/* dict namespace component [authority] -> a peer: the pods of a component */}}
{{- define "solidus.peer" -}}
- namespaceSelector:
    matchLabels:
      kubernetes.io/metadata.name: {{ .namespace }}
  podSelector:
    matchLabels:
      {{- include "solidus.selector" . | nindent 6 }}
{{- end }}

{{/* dict key(from or to) peers ports -> a rule of an ingress or egress list */}}
{{- define "solidus.rule" -}}
- {{ .key }}:
    {{- .peers | nindent 4 }}
  ports:
    {{- range .ports }}
    - {protocol: TCP, port: {{ . }}}
    {{- end }}
{{- end }}

{{/* root -> egress to the cluster's DNS service */}}
{{- define "solidus.dnsRule" -}}
- to:
    - namespaceSelector:
        matchLabels:
          kubernetes.io/metadata.name: {{ .Values.global.peers.dns.namespace }}
      podSelector:
        matchLabels:
          {{- toYaml .Values.global.peers.dns.podLabels | nindent 10 }}
  ports:
    - {protocol: UDP, port: 53}
    - {protocol: TCP, port: 53}
{{- end }}

{{/* dict root port -> ingress from the metrics collector */}}
{{- define "solidus.metricsRule" -}}
- from:
    - namespaceSelector:
        matchLabels:
          kubernetes.io/metadata.name: {{ .root.Values.global.peers.monitoring.namespace }}
      podSelector:
        matchLabels:
          {{- toYaml .root.Values.global.peers.monitoring.podLabels | nindent 10 }}
  ports:
    - {protocol: TCP, port: {{ .port }}}
{{- end }}

{{/* root -> egress to the trace collector, if there is one */}}
{{- define "solidus.tracingRule" -}}
{{- $t := .Values.global.tracing -}}
{{- if $t.endpoint -}}
{{- if not $t.peers }}{{ fail "global.tracing.peers is required: the network policy peers of the collector" }}{{ end -}}
{{- $port := regexReplaceAll "^https?://[^/:]+:?([0-9]*)(/.*)?$" $t.endpoint "${1}" | default (ternary "443" "80" (hasPrefix "https:" $t.endpoint)) -}}
{{- include "solidus.rule" (dict "key" "to" "peers" (toYaml $t.peers) "ports" (list $port)) -}}
{{- end -}}
{{- end }}

{{/* dict key(from or to) cidrs ports -> a rule for addresses outside the cluster */}}
{{- define "solidus.cidrRule" -}}
- {{ .key }}:
    {{- range .cidrs }}
    - ipBlock: {cidr: {{ . }}}
    {{- end }}
  ports:
    {{- range .ports }}
    - {protocol: TCP, port: {{ . }}}
    {{- end }}
{{- end }}

{{/* dict root name namespace labels selector ingress egress -> a policy */}}
{{- define "solidus.networkPolicy" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  labels:
    {{- .labels | nindent 4 }}
  {{- with .annotations }}
  annotations:
    {{- . | nindent 4 }}
  {{- end }}
spec:
  podSelector:
    {{- if .selector }}
    matchLabels:
      {{- .selector | nindent 6 }}
    {{- else }} {}
    {{- end }}
  policyTypes: [Ingress, Egress]
  {{- with .ingress }}
  ingress:
    {{- . | trim | nindent 4 }}
  {{- end }}
  {{- with .egress }}
  egress:
    {{- . | trim | nindent 4 }}
  {{- end }}
{{- end }}

{{/* root -> egress to Kafka, inside or outside the cluster */}}
{{- define "solidus.kafkaRule" -}}
{{- $k := .Values.global.kafka -}}
- to:
    {{- toYaml (required "global.kafka.peers is required: the network policy peers of the brokers" $k.peers) | nindent 4 }}
  ports:
    - {protocol: TCP, port: {{ $k.port }}}
{{- end }}
