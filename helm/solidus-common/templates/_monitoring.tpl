{{/* dict root name namespace labels selector component [authority] -> a service monitor */}}
{{- define "solidus.serviceMonitor" -}}
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  labels:
    {{- .labels | nindent 4 }}
    {{- with .root.Values.global.monitoring.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  selector:
    matchLabels:
      {{- .selector | nindent 6 }}
  endpoints:
    - port: metrics
      path: /actuator/prometheus
      interval: {{ .root.Values.global.monitoring.interval }}
      scrapeTimeout: {{ .root.Values.global.monitoring.scrapeTimeout }}
      relabelings:
        - targetLabel: component
          replacement: {{ .component }}
        {{- if .authority }}
        - targetLabel: authority
          replacement: {{ .authority | quote }}
        {{- end }}
{{- end }}

{{/*
dict root name namespace labels wanted (component -> processes) [authority] -> the rules in files/rules.yaml, for this namespace.
They record the wanted number of processes, so that an alert fires for a process without a scrape target.
*/}}
{{- define "solidus.rules" -}}
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  labels:
    {{- .labels | nindent 4 }}
    {{- with .root.Values.global.monitoring.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  {{- .root.Files.Get "files/rules.yaml" | replace "__NAMESPACE__" .namespace | replace "docs/runbooks/" (printf "%s/" .root.Values.global.monitoring.runbookBase) | trim | nindent 2 }}
    - name: solidus-wanted
      rules:
        {{- range $component, $processes := .wanted }}
        - record: solidus:processes_wanted:count
          expr: vector({{ $processes }})
          labels:
            namespace: {{ $.namespace }}
            {{- with $.authority }}
            authority: {{ . | quote }}
            {{- end }}
            component: {{ $component }}
        {{- end }}
{{- end }}

{{/* dict root prefix namespace labels [authority] -> a config map for each file in files/dashboards */}}
{{- define "solidus.dashboards" -}}
{{- range $path, $bytes := .root.Files.Glob "files/dashboards/*.json" }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ $.prefix }}dashboard-{{ trimSuffix ".json" (base $path) }}
  namespace: {{ $.namespace }}
  labels:
    {{- $.labels | nindent 4 }}
    {{ $.root.Values.global.monitoring.dashboardLabel }}: "1"
data:
  {{ $.prefix }}{{ base $path }}: |
    {{- $bytes | toString | replace "__NAMESPACE__" $.namespace | replace "__AUTHORITY__" ($.authority | default "") | trim | nindent 4 }}
{{- end }}
{{- end }}
