{{/* dict root -> the beginning of every service's configuration */}}
{{- define "solidus.config" -}}
{{- $g := .root.Values.global -}}
spring:
  ssl.bundle.pem.internal:
    reload-on-update: true
    keystore:
      certificate: file:/var/run/solidus/tls/tls.crt
      private-key: file:/var/run/solidus/tls/tls.key
    truststore.certificate: file:/var/run/solidus/tls/ca.crt
  lifecycle.timeout-per-shutdown-phase: {{ $g.shutdown.phaseSeconds }}s
management:
  endpoints.web.exposure.include: health,prometheus
  endpoint.health.probes.enabled: true
solidus.http-client.ssl-bundle: internal
{{- with $g.tracing }}
{{- if .endpoint }}
solidus.tracing:
  endpoint: {{ .endpoint | quote }}
  ssl-bundle: {{ .sslBundle | quote }}
  allow-plaintext: {{ .allowPlaintext }}
  ratio: {{ .ratio }}
  max-per-second: {{ .maxPerSecond }}
{{- end }}
{{- end }}
{{- end }}

{{/* root -> Spring profiles: JSON logs, and in production the one that refuses test settings */}}
{{- define "solidus.profiles" -}}
json-logs{{ if .Values.global.production }},production{{ end }}
{{- end }}

{{/* root -> mutual TLS of a gRPC server */}}
{{- define "solidus.configGrpcServer" -}}
spring.grpc.server:
  address: 0.0.0.0
  ssl:
    bundle: internal
    client-auth: require
  shutdown.grace-period: {{ .Values.global.shutdown.grpcSeconds }}s
{{- end }}

{{/* mutual TLS of gRPC calls */}}
{{- define "solidus.configGrpcClient" -}}
solidus.grpc.ssl-bundle: internal
{{- end }}

{{/* root -> REST over TLS; probes and metrics on another port, which no ingress reaches */}}
{{- define "solidus.configRest" -}}
server:
  ssl.bundle: internal
  shutdown: graceful
management.server:
  port: 9464
  ssl.enabled: false
{{- end }}

{{/* root -> the network and its keys, for every service that reads them */}}
{{- define "solidus.configNetwork" -}}
solidus.network.id: {{ .Values.global.network.id | quote }}
solidus.network.kind: {{ .Values.global.network.kind }}
solidus.network.keys-dir: /var/run/solidus/keys
solidus.network.manifest-key: {{ required "global.keys.manifestKey: the base64 Ed25519 key that signs the key manifest" .Values.global.keys.manifestKey | quote }}
solidus.network.allowed-key-classes: {{ .Values.global.keys.allowedClasses | join "," }}
{{- with .Values.global.keys.transcripts }}
solidus.network.transcripts: {{ join "," . | quote }}
{{- end }}
solidus.network.suite-review: {{ .Values.global.keys.suiteReview | quote }}
{{- end }}

{{/* root -> keys that verify signed notes */}}
{{- define "solidus.configTrust" -}}
{{- $t := .Values.global.trust -}}
solidus.trust:
  registration: {{ $t.registration | quote }}
  sanctions: {{ $t.sanctions | quote }}
  policy: {{ $t.policy | quote }}
  approvers:
    {{- range $name, $a := $t.approvers }}
    {{ $name }}: {{ $a.publicKey | quote }}
    {{- end }}
  {{- with $t.former }}
  former:
    {{- range . }}
    - {issuer: {{ .issuer }}, key: {{ .key | quote }}, until: {{ .until | quote }}}
    {{- end }}
  {{- end }}
{{- end }}

{{/* root -> Kafka's addresses, security protocol and login */}}
{{- define "solidus.configKafka" -}}
{{- $k := .Values.global.kafka -}}
spring.kafka:
  bootstrap-servers: {{ required "global.kafka.bootstrapServers" $k.bootstrapServers | quote }}
  security.protocol: {{ $k.securityProtocol }}
  {{- if hasSuffix "SSL" $k.securityProtocol }}
  ssl.bundle: {{ ternary "kafka" "internal" (ne $k.caSecret "") }}
  {{- end }}
  {{- if hasPrefix "SASL" $k.securityProtocol }}
  properties:
    sasl.mechanism: {{ $k.saslMechanism }}
  {{- end }}
{{- if and $k.caSecret (hasSuffix "SSL" $k.securityProtocol) }}
spring.ssl.bundle.pem.kafka:
  reload-on-update: true
  {{- if $k.clientSecret }}
  keystore:
    certificate: file:/var/run/solidus/kafka-client/tls.crt
    private-key: file:/var/run/solidus/kafka-client/tls.key
  {{- end }}
  truststore.certificate: file:/var/run/solidus/kafka-ca/ca.crt
{{- end }}
{{- end }}

{{/* root -> volumes of a Kafka client: CA of the brokers, client certificate, SASL login */}}
{{- define "solidus.kafkaVolumes" -}}
{{- $k := .Values.global.kafka -}}
{{- if $k.caSecret }}
- name: kafka-ca
  secret: {secretName: {{ $k.caSecret }}, defaultMode: 0440, items: [{key: ca.crt, path: ca.crt}]}
{{- end }}
{{- if $k.clientSecret }}
- name: kafka-client
  secret: {secretName: {{ $k.clientSecret }}, defaultMode: 0440}
{{- end }}
{{- if $k.saslSecret }}
- name: kafka-sasl
  secret:
    secretName: {{ $k.saslSecret }}
    defaultMode: 0440
    items: [{key: sasl.jaas.config, path: spring.kafka.properties.sasl.jaas.config}]
{{- end }}
{{- end }}

{{- define "solidus.kafkaMounts" -}}
{{- $k := .Values.global.kafka -}}
{{- if $k.caSecret }}
- {name: kafka-ca, mountPath: /var/run/solidus/kafka-ca, readOnly: true}
{{- end }}
{{- if $k.clientSecret }}
- {name: kafka-client, mountPath: /var/run/solidus/kafka-client, readOnly: true}
{{- end }}
{{- if $k.saslSecret }}
- {name: kafka-sasl, mountPath: /var/run/solidus/properties/kafka, readOnly: true}
{{- end }}
{{- end }}

{{/* dict trees -> imports of mounted folders with secret properties; a missing folder is an error */}}
{{- define "solidus.configImports" -}}
spring.config.import:
  {{- range .trees }}
  - configtree:/var/run/solidus/properties/{{ . }}/
  {{- end }}
{{- end }}
