{{- define "operator.labels" -}}
{{ include "solidus.labels" (dict "root" .root "component" .component) }}
{{- end }}
{{- define "operator.selector" -}}
{{ include "solidus.selector" (dict "root" .root "component" .component) }}
{{- end }}

{{/* Number of authorities: those that are on in the pilot, otherwise committee.size */}}
{{- define "operator.size" -}}
{{- $on := 0 -}}
{{- range $name, $is := .Values.global.authorities -}}{{- if $is -}}{{- $on = add1 $on -}}{{- end -}}{{- end -}}
{{- if .Values.global.authorities -}}{{ $on }}{{- else -}}{{ .Values.committee.size }}{{- end -}}
{{- end }}

{{/* the component of the authorities' replicas that follow this operator's gateways */}}
{{- define "operator.replica" -}}replica{{ with .Values.gateway.mailTables.mailbox }}-{{ . }}{{ end }}{{- end }}

{{- define "operator.check" -}}
{{- $n := int (include "operator.size" .) -}}
{{- if or (lt $n 4) (ne (mod $n 3) 1) }}{{ fail (printf "a committee of %d: it must have 3f+1 authorities, at least 4" $n) }}{{ end -}}
{{- if and (not .Values.oidc.publicKey) (not .Values.oidc.issuerUri) }}{{ fail "oidc.publicKey or oidc.issuerUri is required: without it every operator is refused" }}{{ end -}}
{{- if and .Values.global.production .Values.oidc.publicKey }}{{ fail "oidc.publicKey is for sandboxes and refused in production: set oidc.issuerUri, the issuer of the operators' tokens" }}{{ end -}}
{{- if and .Values.oidc.issuerUri (not .Values.global.tls.trustStoreConfigMap) }}{{ fail "oidc.issuerUri needs global.tls.trustStoreConfigMap: the JVM's trust store holds the network's own CA only" }}{{ end -}}
{{- if and .Values.oidc.issuerUri (not .Values.oidc.peers) }}{{ fail "oidc.peers is required: the network policy peers of the token issuer" }}{{ end -}}
{{- if and .Values.oidc.issuerUri (not .Values.registration.serviceClient.id) }}{{ fail "registration.serviceClient.id is required: the client with which the registration gets its tokens" }}{{ end -}}
{{- if and .Values.oidc.issuerUri (not .Values.issuance.serviceClient.id) }}{{ fail "issuance.serviceClient.id is required: without it nobody who pays in or is paid out is screened" }}{{ end -}}
{{- if not .Values.database.peers }}{{ fail "database.peers is required: the network policy peers of the operator's databases" }}{{ end -}}
{{- with .Values.gateway.mailTables -}}
{{- if and .replicas (eq .interval "0s") }}{{ fail "gateway.mailTables.replicas needs gateway.mailTables.interval: replicas copy tables" }}{{ end -}}
{{- if and .replicaKeys (ne (len .replicaKeys) $n) }}{{ fail (printf "gateway.mailTables.replicaKeys has %d keys for %d authorities" (len .replicaKeys) $n) }}{{ end -}}
{{- if .replicas -}}
{{- range $i, $there := $.Values.committee.elsewhere -}}
{{- if and (le (int $i) $n) (not $there.replica) }}{{ fail (printf "committee.elsewhere.%s.replica is required: gateways ask each authority's replica" $i) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if .Values.webhooks.targets -}}
{{- if not .Values.webhooks.peers }}{{ fail "webhooks.peers is required: the network policy peers of the receivers" }}{{ end -}}
{{- if not .Values.global.tls.trustStoreConfigMap }}{{ fail "webhooks.targets needs global.tls.trustStoreConfigMap: the JVM's trust store holds the network's own CA only" }}{{ end -}}
{{- range $name, $target := .Values.webhooks.targets -}}
{{- if and $.Values.global.production (not (hasPrefix "https://" $target.url)) }}{{ fail (printf "webhooks.targets.%s.url must start with https in production" $name) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- $public := list -}}
{{- range $name := list "gateway" "registration" "sanctions" "issuance" -}}
{{- if not (index $.Values.publicUrls $name) }}{{ fail (printf "publicUrls.%s is required" $name) }}{{ end -}}
{{- $public = append $public (urlParse (index $.Values.publicUrls $name)).host -}}
{{- end -}}
{{- $admin := list -}}
{{- if .Values.adminIngress.enabled -}}
{{- range $name := list "registration" "sanctions" "issuance" -}}
{{- $host := (urlParse (index $.Values.adminIngress.urls $name)).host -}}
{{- if not $host }}{{ fail (printf "adminIngress.urls.%s is required" $name) }}{{ end -}}
{{- if has $host $public }}{{ fail (printf "adminIngress.urls.%s is a host of the wallets: the admin API has hosts of its own" $name) }}{{ end -}}
{{- $admin = append $admin $host -}}
{{- end -}}
{{- end -}}
{{- if .Values.console.enabled -}}
{{- if not .Values.oidc.issuerUri }}{{ fail "console.enabled needs oidc.issuerUri: people log in at the OpenID provider" }}{{ end -}}
{{- $host := (urlParse .Values.console.publicUrl).host -}}
{{- if not $host }}{{ fail "console.publicUrl is required: the address of the console in the staff's browsers" }}{{ end -}}
{{- if has $host $public }}{{ fail "console.publicUrl is a host of the wallets: the console has a host of its own" }}{{ end -}}
{{- if has $host $admin }}{{ fail "console.publicUrl is a host of the admin API: the console has a host of its own" }}{{ end -}}
{{- if not .Values.console.login.clientId }}{{ fail "console.login.clientId is required: the client with which people log in" }}{{ end -}}
{{- end -}}
{{- end }}

{{- define "operator.databaseConfig" -}}
{{- $db := (index .root.Values .service).database -}}
spring.datasource.url: jdbc:postgresql://{{ required (printf "%s.database.host or database.host" .service) ($db.host | default .root.Values.database.host) }}:{{ $db.port }}/{{ $db.name }}?sslmode=verify-full&sslrootcert=/var/run/solidus/database-ca/ca.crt
{{- if $db.ownerSecret }}
spring.flyway.enabled: false
{{- else if and (hasKey $db "ownerSecret") .root.Values.global.production }}{{ fail (printf "%s.database.ownerSecret is required in production: the role that a service works as owns no tables" .service) }}
{{- end }}
{{- end }}

{{- define "operator.databaseVolumes" -}}
- {{ include "solidus.databaseVolume" (dict "secret" (index .root.Values .service).database.secret "usernameKey" "username" "passwordKey" "password") | nindent 2 | trim }}
- name: database-ca
  secret:
    secretName: {{ .root.Values.database.caSecret }}
    defaultMode: 0440
    items: [{key: ca.crt, path: ca.crt}]
{{- end }}

{{- define "operator.databaseMounts" -}}
- {name: database, mountPath: /var/run/solidus/properties/database, readOnly: true}
- {name: database-ca, mountPath: /var/run/solidus/database-ca, readOnly: true}
{{- end }}

{{- define "operator.keysVolume" -}}
- name: keys
  {{- toYaml .Values.global.keys.volume | nindent 2 }}
{{- end }}

{{- define "operator.secretVolume" -}}
- name: secrets
  secret: {secretName: {{ . }}, defaultMode: 0440}
{{- end }}

{{- define "operator.oidc" -}}
solidus.security.jwt:
  audience: {{ .Values.oidc.audience | quote }}
  {{- if .Values.oidc.publicKey }}
  public-key: |
    {{- .Values.oidc.publicKey | trim | nindent 4 }}
  {{- else }}
  issuer-uri: {{ .Values.oidc.issuerUri | quote }}
  token-types: {{ .Values.oidc.tokenTypes | toJson }}
  role-claims: {{ .Values.oidc.roleClaims | toJson }}
  bank-claim: {{ .Values.oidc.bankClaim | quote }}
  {{- end }}
{{ include "operator.banks" . }}
{{- end }}

{{- define "operator.banks" -}}
solidus.banks:
  known: {{ .Values.banks.known | toJson }}
  unnamed: {{ .Values.banks.unnamed | quote }}
  central: {{ .Values.banks.central | quote }}
{{- end }}

{{- define "operator.sanctionsUrl" -}}
https://{{ include "solidus.fqdn" (dict "root" . "host" "sanctions" "namespace" (include "solidus.operatorNamespace" .)) }}:8082
{{- end }}

{{- define "operator.sanctionsAdminUrl" -}}
https://{{ include "solidus.fqdn" (dict "root" . "host" "sanctions" "namespace" (include "solidus.operatorNamespace" .)) }}:8182
{{- end }}

{{/* dict root service -> the receivers of the service's webhooks */}}
{{- define "operator.webhooks" -}}
{{- $service := .service -}}
{{- if has $service (list "registration" "sanctions" "issuance") -}}
{{- range $name, $target := .root.Values.webhooks.targets -}}
{{- if or (not $target.services) (has $service $target.services) }}
solidus.webhooks.targets.{{ $name }}:
  url: {{ $target.url | quote }}
  secret-file: /var/run/solidus/webhooks/{{ $name }}
  kinds: {{ $target.kinds | default list | toJson }}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "operator.extra" -}}
{{- range $name, $value := . }}
{{ $name }}: {{ $value | toJson }}
{{- end }}
{{- end }}

{{/* dict root component config (YAML text) -> the config map of a service */}}
{{- define "operator.configMap" -}}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .component }}
  namespace: {{ include "solidus.operatorNamespace" .root }}
  labels:
    {{- include "operator.labels" (dict "root" .root "component" .component) | nindent 4 }}
data:
  solidus-{{ .component }}.yml: |
    {{- .config | trim | nindent 4 }}
    {{- include "operator.webhooks" (dict "root" .root "service" .component) | nindent 4 }}
    {{- include "operator.extra" (index .root.Values .component).properties | nindent 4 }}
{{- end }}

{{/* dict root component port(service port) portName metricsPort [adminPort] */}}
{{- define "operator.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ .component }}
  namespace: {{ include "solidus.operatorNamespace" .root }}
  labels:
    {{- include "operator.labels" (dict "root" .root "component" .component) | nindent 4 }}
spec:
  selector:
    {{- include "operator.selector" (dict "root" .root "component" .component) | nindent 4 }}
  ports:
    - {name: {{ .portName }}, port: {{ .port }}, targetPort: {{ .portName }}}
    {{- with .adminPort }}
    - {name: admin, port: {{ . }}, targetPort: admin}
    {{- end }}
    {{- with .exchangePort }}
    - {name: grpc, port: {{ . }}, targetPort: grpc}
    {{- end }}
    - {name: metrics, port: {{ .metricsPort }}, targetPort: metrics}
{{- end }}

{{/*
dict root component service main ports volumes mounts config [publicTrust alone] -> a deployment and its disruption budget
config: text for the checksum. alone: the old pod stops before the new one starts, because only one can mount the volume.
*/}}
{{- define "operator.deployment" -}}
{{- $values := index .root.Values .component -}}
{{- $selector := include "operator.selector" (dict "root" .root "component" .component) -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .component }}
  namespace: {{ include "solidus.operatorNamespace" .root }}
  labels:
    {{- include "operator.labels" (dict "root" .root "component" .component) | nindent 4 }}
spec:
  {{- if not (and $values.autoscaling $values.autoscaling.enabled) }}
  replicas: {{ $values.replicas }}
  {{- end }}
  {{- if .alone }}
  strategy: {type: Recreate}
  {{- else }}
  strategy:
    rollingUpdate: {maxUnavailable: 0, maxSurge: 1}
  {{- end }}
  selector:
    matchLabels:
      {{- $selector | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "operator.labels" (dict "root" .root "component" .component) | nindent 8 }}
      annotations:
        checksum/config: {{ printf "%s%s" .config (include "operator.webhooks" (dict "root" .root "service" .component)) | sha256sum }}
    spec:
      {{- include "solidus.podCommon" (dict "root" .root) | nindent 6 }}
      terminationGracePeriodSeconds: {{ .root.Values.global.shutdown.terminationSeconds }}
      topologySpreadConstraints:
        {{- include "solidus.spread" (dict "selector" $selector) | nindent 8 }}
      {{- with $values.nodeSelector }}
      nodeSelector: {{ toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations: {{ toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity: {{ toYaml . | nindent 8 }}
      {{- end }}
      {{- with ($values.database).ownerSecret }}
      # the tables belong to a role whose password the service's container does not have
      initContainers:
        {{- $mounts := list (dict "name" "database-owner" "mountPath" "/var/run/solidus/properties/database" "readOnly" true) -}}
        {{- range $.mounts -}}
        {{- if or (eq .name "database-ca") (and (ne .name "database") (hasPrefix "/var/run/solidus/properties/" .mountPath)) }}{{ $mounts = append $mounts . }}{{ end -}}
        {{- end }}
        {{- include "solidus.container" (dict "root" $.root "name" "migrations" "service" $.service "main" "io.solidus.platform.database.Migrations" "args" (list (printf "--solidus.migrations.service=%s" $.component)) "resources" $values.resources "mounts" $mounts "heapPercent" $values.heapPercent "publicTrust" $.publicTrust) | nindent 8 }}
      {{- end }}
      containers:
        {{- $mounts := .mounts -}}
        {{- $volumes := .volumes -}}
        {{- if include "operator.webhooks" (dict "root" .root "service" .component) -}}
        {{- $mounts = append $mounts (dict "name" "webhooks" "mountPath" "/var/run/solidus/webhooks" "readOnly" true) -}}
        {{- $volumes = append $volumes (dict "name" "webhooks" "secret" (dict "secretName" .root.Values.webhooks.secret "defaultMode" 0440)) -}}
        {{- end }}
        {{- include "solidus.container" (dict "root" .root "name" .component "service" .service "main" .main "ports" .ports "probePort" "metrics" "resources" $values.resources "mounts" $mounts "heapPercent" $values.heapPercent "publicTrust" .publicTrust) | nindent 8 }}
      volumes:
        {{- with ($values.database).ownerSecret -}}
        {{- $owner := dict "secret" (dict "name" . "items" (list (dict "key" "username" "path" "spring.datasource.username") (dict "key" "password" "path" "spring.datasource.password"))) -}}
        {{- $role := dict "secret" (dict "name" $values.database.secret "items" (list (dict "key" "username" "path" "solidus.migrations.role"))) -}}
        {{- $volumes = append $volumes (dict "name" "database-owner" "projected" (dict "defaultMode" 0440 "sources" (list $owner $role))) -}}
        {{- end }}
        {{- include "solidus.volumes" (dict "root" .root "configMap" .component "certificate" (printf "%s-tls" .component) "volumes" $volumes) | nindent 8 }}
{{- if or (gt (int $values.replicas) 1) (and $values.autoscaling $values.autoscaling.enabled) }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .component }}
  namespace: {{ include "solidus.operatorNamespace" .root }}
  labels:
    {{- include "operator.labels" (dict "root" .root "component" .component) | nindent 4 }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- $selector | nindent 6 }}
{{- end }}
{{- end }}

{{/* dict root component -> an autoscaler; only stateless services under wallet load have one */}}
{{- define "operator.autoscaler" -}}
{{- $a := (index .root.Values .component).autoscaling -}}
{{- if $a.enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ .component }}
  namespace: {{ include "solidus.operatorNamespace" .root }}
  labels:
    {{- include "operator.labels" (dict "root" .root "component" .component) | nindent 4 }}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: {{ .component }}}
  minReplicas: {{ $a.minReplicas }}
  maxReplicas: {{ $a.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: {type: Utilization, averageUtilization: {{ $a.cpuPercent }}}
  behavior:
    scaleUp:
      stabilizationWindowSeconds: 30
      policies: [{type: Percent, value: 100, periodSeconds: 30}]
    scaleDown:
      stabilizationWindowSeconds: 600
      policies: [{type: Pods, value: 1, periodSeconds: 120}]
{{- end }}
{{- end }}
