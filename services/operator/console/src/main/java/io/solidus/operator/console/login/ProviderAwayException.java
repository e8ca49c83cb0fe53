package io.solidus.operator.console.login;

/** The OpenID provider does not answer, or not as it must. */
final class ProviderAwayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ProviderAwayException(Exception cause) {
    super("the OpenID provider cannot be used: " + cause.getMessage(), cause);
  }
}
