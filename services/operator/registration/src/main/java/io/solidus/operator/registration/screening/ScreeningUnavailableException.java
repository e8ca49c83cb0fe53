package io.solidus.operator.registration.screening;

/** There is no reliable screening answer. The message quotes neither request nor answer. */
public final class ScreeningUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ScreeningUnavailableException(String message) {
    super(message);
  }
}
