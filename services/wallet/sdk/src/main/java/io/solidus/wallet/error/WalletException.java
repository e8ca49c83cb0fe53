package io.solidus.wallet.error;

import org.jspecify.annotations.Nullable;

/** A failed wallet operation. The detail is a text for people and never contains a secret. */
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
