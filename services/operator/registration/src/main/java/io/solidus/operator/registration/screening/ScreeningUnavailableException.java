package io.solidus.operator.registration.screening;

/** No answer, or none that can be relied on. Holds nothing of the request or the answer. */
public final class ScreeningUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ScreeningUnavailableException(String message) {
    super(message);
  }
}
