package io.solidus.platform.problem;

/** A refusal with a code of its own, which is no code of the protocol. */
public abstract class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param detail for the caller; it quotes nothing of the request
   */
  protected RefusedException(String detail) {
    super(detail);
  }

  /** Of the HTTP answer. */
  public abstract int status();

  /** The stable code of the API, in kebab case. */
  public abstract String code();
}
