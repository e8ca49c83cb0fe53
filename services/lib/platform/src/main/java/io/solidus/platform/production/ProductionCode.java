package io.solidus.platform.production;

/**
 * Why a process does not start under the production profile. The names are stable: people and
 * scripts go by them.
 */
public enum ProductionCode {
  /** Keys of another class than the ceremonies' would be opened. */
  KEY_CLASS,
  /** A profile for development runs beside the production profile. */
  MIXED_PROFILE,
  /** gRPC without certificates of both sides. */
  PLAINTEXT_GRPC,
  /** REST without TLS. */
  PLAINTEXT_REST,
  /** A database whose name and certificate nobody checks. */
  PLAINTEXT_DATABASE,
  /** A broker without TLS. */
  PLAINTEXT_KAFKA,
  /** Another service by an address without TLS. */
  PLAINTEXT_URL,
  /** A password that anybody guesses. */
  FIXED_PASSWORD,
  /** Access tokens that one key signs for ever, as the sandbox makes them. */
  STATIC_TOKEN_KEY,
  /** Management calls that show secrets. */
  OPEN_MANAGEMENT,
  /** A command that makes or uses what is for development only. */
  DEVELOPMENT_COMMAND
}
