{{/* dict root name namespace labels selector port path [authority] */}}
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

{{/* dict root alert expr for severity summary description -> one alert; its runbook is the file of its name */}}
{{- define "solidus.alert" -}}
- alert: {{ .alert }}
  expr: {{ .expr | quote }}
  {{- with .for }}
  for: {{ . }}
  {{- end }}
  labels:
    severity: {{ .severity }}
    {{- with .authority }}
    authority: {{ . | quote }}
    {{- end }}
  annotations:
    summary: {{ .summary | quote }}
    description: {{ .description | quote }}
    runbook_url: {{ .root.Values.global.monitoring.runbookBase }}/{{ .alert }}.md
{{- end }}
