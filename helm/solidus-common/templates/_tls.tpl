{{/*
dict root name namespace labels dnsNames passwordSecret [commonName] -> a certificate for servers and clients.
The JKS trust store in the same secret is for HTTPS clients that use the JVM's own trust store.
*/}}
{{- define "solidus.certificate" -}}
{{- $tls := .root.Values.global.tls -}}
apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  labels:
    {{- .labels | nindent 4 }}
spec:
  secretName: {{ .name }}
  commonName: {{ .commonName | default (index .dnsNames 0) | trunc 64 }}
  dnsNames:
    {{- toYaml .dnsNames | nindent 4 }}
  duration: {{ $tls.duration }}
  renewBefore: {{ $tls.renewBefore }}
  usages: [digital signature, key encipherment, server auth, client auth]
  privateKey:
    algorithm: ECDSA
    size: 256
    encoding: PKCS8
    rotationPolicy: Always
  issuerRef:
    name: {{ required "global.tls.issuer.name: a cert-manager issuer that signs with a CA of this network" $tls.issuer.name }}
    kind: {{ $tls.issuer.kind }}
    group: cert-manager.io
  keystores:
    jks:
      create: true
      passwordSecretRef: {name: {{ .passwordSecret }}, key: password}
{{- end }}

{{/* dict name namespace labels -> the secret with the password of the JKS trust store */}}
{{- define "solidus.keystorePassword" -}}
apiVersion: v1
kind: Secret
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  labels:
    {{- .labels | nindent 4 }}
type: Opaque
stringData:
  # Not secret: cert-manager requires a password, but the mounted store has public certificates only.
  password: changeit
{{- end }}
