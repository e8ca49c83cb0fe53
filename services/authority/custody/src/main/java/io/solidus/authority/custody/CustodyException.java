package io.solidus.authority.custody;

import org.jspecify.annotations.Nullable;

/**
 * A refusal to seal or open a share. The message starts with the code and never contains a secret.
 */
public final class CustodyException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final CustodyCode code;

  public CustodyException(CustodyCode code, String detail) {
    this(code, detail, null);
  }

  CustodyException(CustodyCode code, String detail, @Nullable Throwable cause) {
    super(code + ": " + detail, cause);
    this.code = code;
  }

  public CustodyCode code() {
    return code;
  }
}
