package io.solidus.platform.production;

/**
 * Reasons why a process does not start under the production profile. The names are stable, because
 * operators and scripts use them.
 */
public enum ProductionCode {
  /** Keys of another class than that of ceremonies are allowed. */
  KEY_CLASS,
  /** Keys whose ceremonies the operator does not pin. */
  TRANSCRIPTS,
  /** A profile for development is active beside the production profile. */
  MIXED_PROFILE,
  /** gRPC without certificates of both sides. */
  PLAINTEXT_GRPC,
  /** REST without TLS. */
  PLAINTEXT_REST,
  /** A database whose host name and certificate are not verified. */
  PLAINTEXT_DATABASE,
  /** A broker without TLS. */
  PLAINTEXT_KAFKA,
  /** A URL of another service without TLS. */
  PLAINTEXT_URL,
  /** A loss of commits, or an old backup, that nothing would notice. */
  UNNOTICED_LOSS,
  /** A database role that can change or empty its own tables past their triggers. */
  OWNED_TABLES,
  /** A password that is easy to guess. */
  FIXED_PASSWORD,
  /** Access tokens of one key that is never replaced, as in the sandbox. */
  STATIC_TOKEN_KEY,
  /** An access token of a service that is never renewed. */
  STATIC_SERVICE_TOKEN,
  /** Money that people pay in and get who are held against no sanction list. */
  UNSCREENED_MONEY,
  /** A session's cookie that scripts, other hosts or connections without TLS get. */
  OPEN_COOKIE,
  /** An admin API on the port that wallets reach. */
  OPEN_ADMIN,
  /** Management endpoints that reveal secrets. */
  OPEN_MANAGEMENT,
  /** Keys of a cryptographic suite whose external review the operator does not name. */
  SUITE_REVIEW,
  /** A command for development only. */
  DEVELOPMENT_COMMAND
}
