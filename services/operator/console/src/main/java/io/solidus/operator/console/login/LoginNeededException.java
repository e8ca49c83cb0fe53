package io.solidus.operator.console.login;

/** The person's access token has ended and cannot be renewed without her. */
public final class LoginNeededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LoginNeededException() {
    super("the access token has ended");
  }
}
