package io.solidus.wallet.error;

import org.jspecify.annotations.Nullable;

/** A wallet operation that could not be done; the detail is for people and never holds a secret. */
public final class WalletException extends RuntimeException {
  private final WalletError error;

  public WalletException(WalletError error, String detail) {
    this(error, detail, null);
  }

  public WalletException(WalletError error, String detail, @Nullable Throwable cause) {
    super(detail, cause);
    this.error = error;
  }

  public WalletError error() {
    return error;
  }
}
