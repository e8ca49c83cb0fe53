{{/* The security context of every pod, for the profile `restricted` */}}
{{- define "solidus.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "solidus.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
privileged: false
capabilities:
  drop: [ALL]
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{/*
dict heapPercent publicTrust -> options of every JVM, after those of its image.
The trust store is for HTTPS clients that do not use Spring's bundles. It has certificates only, so it needs no password.
The JVM resolves names again after five seconds, because addresses of pods change.
*/}}
{{- define "solidus.jvmOptions" -}}
- -XX:MaxRAMPercentage={{ .heapPercent | default 50 }}
- -Dsun.net.inetaddr.ttl=5
{{- if not .publicTrust }}
- -Djavax.net.ssl.trustStore=/var/run/solidus/trust/truststore.jks
{{- end }}
{{- end }}

{{/*
dict root name service main resources [args env mounts ports probePort startFailures heapPercent publicTrust]
-> the container of a service: a main class of its image, with the configuration in /etc/solidus
*/}}
{{- define "solidus.container" -}}
- name: {{ .name }}
  image: {{ include "solidus.image" . }}
  imagePullPolicy: {{ .root.Values.global.image.pullPolicy }}
  command: {{ .root.Values.global.image.command | toJson }}
  args:
    {{- include "solidus.jvmOptions" . | nindent 4 }}
    - {{ .main }}
    - --spring.config.additional-location=file:/etc/solidus/
    {{- range .args }}
    - {{ . | quote }}
    {{- end }}
  env:
    - {name: SPRING_PROFILES_ACTIVE, value: {{ include "solidus.profiles" .root | quote }}}
    {{- with .env }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .ports }}
  ports:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if .probePort }}
  # Readiness depends on the database, liveness does not, because a restart does not repair the database.
  startupProbe:
    httpGet: {path: /actuator/health/liveness, port: {{ .probePort }}}
    periodSeconds: 5
    timeoutSeconds: 3
    failureThreshold: {{ .startFailures | default 36 }}
  livenessProbe:
    httpGet: {path: /actuator/health/liveness, port: {{ .probePort }}}
    periodSeconds: 10
    timeoutSeconds: 5
    failureThreshold: 6
  readinessProbe:
    httpGet: {path: /actuator/health/readiness, port: {{ .probePort }}}
    periodSeconds: 5
    timeoutSeconds: 3
    failureThreshold: 2
  # Requests still arrive for a moment after the end of routing. The pause lets the server answer them before it stops.
  lifecycle:
    preStop:
      sleep: {seconds: {{ .root.Values.global.shutdown.preStopSeconds }}}
  {{- end }}
  resources:
    {{- toYaml .resources | nindent 4 }}
  securityContext:
    {{- include "solidus.containerSecurity" . | nindent 4 }}
  volumeMounts:
    - {name: config, mountPath: /etc/solidus, readOnly: true}
    - {name: tmp, mountPath: /tmp}
    - {name: tls, mountPath: /var/run/solidus/tls, readOnly: true}
    - {name: trust, mountPath: /var/run/solidus/trust, readOnly: true}
    {{- with .mounts }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}

{{/* dict root configMap certificate [volumes] -> volumes of every service */}}
{{- define "solidus.volumes" -}}
- name: config
  configMap: {name: {{ .configMap }}}
- name: tmp
  emptyDir: {sizeLimit: 256Mi}
- name: tls
  {{- if .root.Values.global.tls.caConfigMap }}
  # one folder, so that key, certificate and CA change together
  projected:
    defaultMode: 0440
    sources:
      - secret:
          name: {{ .certificate }}
          items:
            - {key: tls.crt, path: tls.crt}
            - {key: tls.key, path: tls.key}
      - configMap:
          name: {{ .root.Values.global.tls.caConfigMap }}
          items:
            - {key: ca.crt, path: ca.crt}
  {{- else }}
  secret:
    secretName: {{ .certificate }}
    defaultMode: 0440
    items:
      - {key: tls.crt, path: tls.crt}
      - {key: tls.key, path: tls.key}
      - {key: ca.crt, path: ca.crt}
  {{- end }}
- name: trust
  {{- with .root.Values.global.tls.trustStoreConfigMap }}
  configMap: {name: {{ . }}}
  {{- else }}
  secret:
    secretName: {{ .certificate }}
    defaultMode: 0444
    items:
      - {key: truststore.jks, path: truststore.jks}
  {{- end }}
{{- with .volumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* dict secret usernameKey passwordKey -> a volume that Spring reads as properties, so that no password is in the environment */}}
{{- define "solidus.databaseVolume" -}}
name: database
secret:
  secretName: {{ .secret }}
  defaultMode: 0440
  items:
    - {key: {{ .usernameKey }}, path: spring.datasource.username}
    - {key: {{ .passwordKey }}, path: spring.datasource.password}
{{- end }}

{{/* dict selector [hard] -> spreads pods over nodes and zones */}}
{{- define "solidus.spread" -}}
- maxSkew: 1
  topologyKey: topology.kubernetes.io/zone
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- .selector | nindent 6 }}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: {{ .hard | default "ScheduleAnyway" }}
  labelSelector:
    matchLabels:
      {{- .selector | nindent 6 }}
{{- end }}

{{/* dict root -> the beginning of every pod's spec */}}
{{- define "solidus.podCommon" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.global.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- include "solidus.podSecurity" . | nindent 2 }}
{{- end }}
