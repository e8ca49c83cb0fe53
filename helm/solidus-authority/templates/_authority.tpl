{{- define "authority.index" -}}{{ .Values.authority.index }}{{- end }}
{{- define "authority.namespace" -}}{{ include "solidus.authorityNamespace" (dict "root" . "index" .Values.authority.index) }}{{- end }}
{{- define "authority.name" -}}authority-{{ .Values.authority.index }}{{- end }}

{{/* dict root component -> labels and selectors */}}
{{- define "authority.labels" -}}
{{ include "solidus.labels" (dict "root" .root "component" .component "authority" (toString .root.Values.authority.index)) }}
{{- end }}
{{- define "authority.selector" -}}
{{ include "solidus.selector" (dict "root" .root "component" .component "authority" (toString .root.Values.authority.index)) }}
{{- end }}

{{/* a list of the mailboxes that have a replica here: component key gateway peers size */}}
{{- define "authority.mailboxes" -}}
{{- $mailboxes := list -}}
{{- with .Values.replica -}}
{{- if .enabled -}}
{{- $mailboxes = append $mailboxes (dict "component" "replica" "key" "replica.key" "gateway" .gateway "peers" .peers "size" .storage.size) -}}
{{- range .mailboxes -}}
{{- $component := printf "replica-%s" .name -}}
{{- range $mailboxes -}}
{{- if eq .component $component }}{{ fail (printf "replica.mailboxes: %s is there twice" $component) }}{{ end -}}
{{- end -}}
{{- $mailboxes = append $mailboxes (dict "component" $component "key" (printf "%s.key" $component) "gateway" .gateway "peers" .peers "size" (.size | default $.Values.replica.storage.size)) -}}
{{- end -}}
{{- else if .mailboxes }}{{ fail "replica.mailboxes needs replica.enabled" }}
{{- end -}}
{{- end -}}
{{- toYaml $mailboxes -}}
{{- end -}}

{{- define "authority.shards" -}}{{ add .Values.shards.initial (len .Values.shards.splits) }}{{- end }}

{{/* Not empty while no shard, signer or compliance issuer may run, because the database is restored */}}
{{- define "authority.stopped" -}}{{ if .Values.authority.stopped }}stopped{{ end }}{{- end }}

{{/* Fails for mistakes that the schema cannot detect */}}
{{- define "authority.check" -}}
{{- range $i, $split := .Values.shards.splits -}}
  {{- $new := add $.Values.shards.initial $i -}}
  {{- if ne (int $split.newShard) (int $new) }}{{ fail (printf "shards.splits[%d].newShard is %v; the next shard is %d" $i $split.newShard $new) }}{{ end -}}
  {{- if ge (int $split.shard) (int $new) }}{{ fail (printf "shards.splits[%d].shard is %v, but this shard does not exist yet" $i $split.shard) }}{{ end -}}
{{- end -}}
{{- $now := lookup "apps/v1" "StatefulSet" (include "authority.namespace" .) (printf "%s-shard" (include "authority.name" .)) -}}
{{- if and $now (not .Values.shards.allowFewer) -}}
  {{- /* a stopped set has no replicas, so the annotation has the number of shards */ -}}
  {{- $had := max (int (dig "metadata" "annotations" "solidus.io/shards" "0" $now)) (int $now.spec.replicas) -}}
  {{- if lt (int (include "authority.shards" .)) $had -}}
    {{- fail (printf "the authority has %d shards and this release wants %s: a removed shard takes its range of serial numbers with it (shards.splits only grows)" $had (include "authority.shards" .)) -}}
  {{- end -}}
{{- end -}}
{{- if (.Values.signer.recover).enabled -}}
  {{- if not .Values.authority.stopped -}}
    {{- fail "signer.recover.enabled: the authority must be stopped first, by authority.stopped alone, and stay stopped" -}}
  {{- end -}}
  {{- if and $now (or (int $now.spec.replicas) (int (dig "status" "replicas" 0 $now))) -}}
    {{- fail "signer.recover.enabled: shards still run. Stop the authority first, by authority.stopped alone, and wait until its pods are gone" -}}
  {{- end -}}
{{- else if (.Values.signer.recover).logIsNewest -}}
  {{- fail "signer.recover.logIsNewest is confirmed for one recovery. Without signer.recover.enabled it would apply to the next one" -}}
{{- end -}}
{{- if and (.Values.signer.token).enabled .Values.signer.token.libraryVolume -}}
  {{- if has (dir .Values.signer.token.library) (list "/lib" "/lib64" "/usr/lib" "/usr/lib64" "/usr/lib/x86_64-linux-gnu" "/usr/lib/aarch64-linux-gnu" "/usr/local/lib" "/etc" "/tmp" "/opt/java" "/opt/solidus") -}}
    {{- fail (printf "signer.token.library is in %s, where signer.token.libraryVolume would hide files of the image: put it into its own folder" (dir .Values.signer.token.library)) -}}
  {{- end -}}
{{- end -}}
{{- if eq .Values.database.mode "cnpg" -}}
  {{- if le (int .Values.database.cnpg.instances) (int .Values.database.synchronousStandbys) -}}
    {{- fail "database.cnpg.instances must be greater than database.synchronousStandbys, or every commit waits for ever" -}}
  {{- end -}}
  {{- if not .Values.global.peers.apiServerCidrs }}{{ fail "global.peers.apiServerCidrs is required: the pods of CloudNativePG connect to the Kubernetes API" }}{{ end -}}
  {{- if and .Values.database.cnpg.backup.enabled (not .Values.global.peers.objectStoreCidrs) }}{{ fail "global.peers.objectStoreCidrs is required: database pods write backups to the object store" }}{{ end -}}
{{- else -}}
  {{- if not (.Values.database.external | default dict).peers }}{{ fail "database.external.peers is required: the network policy peers of the server" }}{{ end -}}
{{- end -}}
{{- end }}

{{- define "authority.database" -}}{{ include "authority.name" . }}-db{{- end }}

{{- define "authority.databaseConfig" -}}
{{- $db := .Values.database -}}
{{- $external := $db.external | default dict -}}
{{- $host := $external.host -}}
{{- $port := $external.port -}}
{{- if eq $db.mode "cnpg" -}}
{{- $host = include "solidus.fqdn" (dict "root" . "host" (printf "%s-rw" (include "authority.database" .)) "namespace" (include "authority.namespace" .)) -}}
{{- $port = 5432 -}}
{{- end -}}
# No pooler in between: the durability check reads the settings of one session, and a pooler runs other statements in other sessions.
spring.datasource.url: jdbc:postgresql://{{ $host }}:{{ $port }}/{{ $db.name }}?sslmode=verify-full&sslrootcert=/var/run/solidus/database-ca/ca.crt
{{- end }}

{{/* dict root secret -> the login in this secret, the server's CA and the public keys */}}
{{- define "authority.databaseVolumesOf" -}}
{{- $login := .secret -}}
{{- with .root -}}
{{- $external := .Values.database.external | default dict -}}
{{- $cnpg := eq .Values.database.mode "cnpg" -}}
- {{ include "solidus.databaseVolume" (dict "secret" $login "usernameKey" "username" "passwordKey" "password") | nindent 2 | trim }}
- name: database-ca
  secret:
    secretName: {{ ternary (printf "%s-ca" (include "authority.database" .)) $external.caSecret $cnpg }}
    defaultMode: 0440
    items: [{key: ca.crt, path: ca.crt}]
- name: keys
  {{- toYaml .Values.global.keys.volume | nindent 2 }}
{{- end }}
{{- end }}

{{- define "authority.databaseVolumes" -}}
{{- $external := .Values.database.external | default dict -}}
{{ include "authority.databaseVolumesOf" (dict "root" . "secret" (ternary (printf "%s-app" (include "authority.database" .)) $external.secret (eq .Values.database.mode "cnpg"))) }}
{{- end }}

{{/* The signer has a role of its own: no shard can write to its schema */}}
{{- define "authority.signerDatabaseVolumes" -}}
{{ include "authority.databaseVolumesOf" (dict "root" . "secret" .Values.database.signerSecret) }}
{{- end }}

{{- define "authority.databaseMounts" -}}
- {name: database, mountPath: /var/run/solidus/properties/database, readOnly: true}
- {name: database-ca, mountPath: /var/run/solidus/database-ca, readOnly: true}
- {name: keys, mountPath: /var/run/solidus/keys, readOnly: true}
{{- end }}

{{- define "authority.noteKeyVolume" -}}
- name: note-key
  secret: {secretName: {{ .Values.secrets.name }}, defaultMode: 0440, items: [{key: note.seed, path: note.seed}]}
{{- end }}

{{- define "authority.noteKeyMount" -}}
- {name: note-key, mountPath: /var/run/solidus/note-key, readOnly: true}
{{- end }}

{{/* The compliance issuer has the token that derives from the note key, and not the key */}}
{{- define "authority.internalTokenVolume" -}}
- name: internal-token
  secret: {secretName: {{ .Values.secrets.name }}, defaultMode: 0440, items: [{key: internal.token, path: internal.token}]}
{{- end }}

{{- define "authority.internalTokenMount" -}}
- {name: internal-token, mountPath: /var/run/solidus/internal-token, readOnly: true}
{{- end }}

{{/* dict root kafka(bool) -> imports of the secret properties: of the database, and of Kafka's SASL login if there is one */}}
{{- define "authority.trees" -}}
{{- $trees := list "database" -}}
{{- if and .kafka .root.Values.global.kafka.saslSecret }}{{ $trees = append $trees "kafka" }}{{ end -}}
{{ include "solidus.configImports" (dict "trees" $trees) }}
{{- end }}

{{- define "authority.sanctionsUrl" -}}
https://{{ include "solidus.fqdn" (dict "root" . "host" "sanctions" "namespace" (include "solidus.operatorNamespace" .)) }}:8082
{{- end }}

{{- define "authority.extra" -}}
{{- range $name, $value := . }}
{{ $name }}: {{ $value | toJson }}
{{- end }}
{{- end }}

{{/* a size of Kubernetes (Gi, G) or of Spring (GB, 1024 MB) -> mebibytes, rounded down */}}
{{- define "authority.mebibytes" -}}
{{- $factors := dict "" 0.00000095367431640625 "B" 0.00000095367431640625 "k" 0.00095367431640625 "M" 0.95367431640625 "G" 953.67431640625 "T" 953674.31640625 "Ki" 0.0009765625 "Mi" 1.0 "Gi" 1024.0 "Ti" 1048576.0 "KB" 0.0009765625 "MB" 1.0 "GB" 1024.0 "TB" 1048576.0 -}}
{{- $size := toString . -}}
{{- $unit := regexFind "[A-Za-z]*$" $size -}}
{{- if not (hasKey $factors $unit) }}{{ fail (printf "%s is no size" $size) }}{{ end -}}
{{- mulf (regexFind "^[0-9.]+" $size | float64) (get $factors $unit) | int64 -}}
{{- end }}

{{/* dict root prefix -> the windows, which must be equal for shards and signer */}}
{{- define "authority.windows" -}}
{{ .prefix }}.policy-grace: {{ .root.Values.windows.policyGrace }}
{{ .prefix }}.period-grace: {{ .root.Values.windows.periodGrace }}
{{ .prefix }}.heartbeat-max-age: {{ .root.Values.windows.heartbeatMaxAge }}
{{- end }}

{{/* Name of the share's file, in the secret and in the pod: from the ceremony, or wrapped by a token */}}
{{- define "authority.shareFile" -}}{{ ternary "share.wrapped" "share.json" (dig "token" "enabled" false .Values.signer) }}{{- end }}
