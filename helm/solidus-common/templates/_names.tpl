{{/*
Names do not contain the name of the release, because other services find an authority by its number.
Two releases for one authority therefore conflict, which is intended.
*/}}

{{/* dict root index -> the namespace of an authority */}}
{{- define "solidus.authorityNamespace" -}}
{{- $pattern := .root.Values.global.namespaces.authority -}}
{{- if $pattern -}}{{ $pattern | replace "{index}" (toString .index) }}{{- else -}}{{ .root.Release.Namespace }}{{- end -}}
{{- end }}

{{/* root -> the namespace of the operator's services */}}
{{- define "solidus.operatorNamespace" -}}
{{- .Values.global.namespaces.operator | default .Release.Namespace -}}
{{- end }}

{{/* dict root component [authority] -> labels that never change, for selectors */}}
{{- define "solidus.selector" -}}
app.kubernetes.io/part-of: solidus
app.kubernetes.io/name: {{ .component }}
{{- if .authority }}
solidus.io/authority: {{ .authority | quote }}
{{- end }}
{{- end }}

{{/* dict root component [authority] -> all labels */}}
{{- define "solidus.labels" -}}
{{ include "solidus.selector" . }}
app.kubernetes.io/version: {{ .root.Values.global.image.tag | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{/* dict root service -> image reference; a digest takes precedence over the tag */}}
{{- define "solidus.image" -}}
{{- $image := .root.Values.global.image -}}
{{- $digest := index $image.digests .service | default "" -}}
{{- $repository := printf "%s/%s" $image.repository .service -}}
{{- if $image.registry }}{{ $repository = printf "%s/%s" $image.registry $repository }}{{ end -}}
{{- if $digest -}}{{ printf "%s@%s" $repository $digest }}{{- else -}}{{ printf "%s:%s" $repository $image.tag }}{{- end -}}
{{- end }}

{{/* dict root host namespace -> fully qualified name of a service, or of a pattern of pods */}}
{{- define "solidus.fqdn" -}}
{{ .host }}.{{ .namespace }}.svc.{{ .root.Values.global.clusterDomain }}
{{- end }}

{{/* dict root index -> address pattern of an authority's shards; {shard} stands for the number */}}
{{- define "solidus.shardPattern" -}}
{{- $name := printf "authority-%v-shard" .index -}}
{{- $namespace := include "solidus.authorityNamespace" . -}}
{{ include "solidus.fqdn" (dict "root" .root "host" (printf "%s-{shard}.%s" $name $name) "namespace" $namespace) }}:9100
{{- end }}
