package io.solidus.wallet.cli;

import io.solidus.protocol.ProtocolException;
import io.solidus.prover.NativeException;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The failure of a command, without a stack trace.
 *
 * @param code stable code of {@code RejectionCode} or {@code WalletError}
 * @param retryable whether the same command may succeed later
 */
record Failure(String code, String detail, boolean retryable, int exitStatus) {
  static Failure of(Throwable cause) {
    return switch (cause) {
      case ProtocolException e ->
          new Failure(
              e.code().code(),
              e.detail(),
              e.code().retryable(),
              e.code().retryable() ? WalletError.Exit.TRY_AGAIN : WalletError.Exit.REFUSED);
      case WalletException e ->
          new Failure(
              e.error().code(),
              String.valueOf(e.getMessage()),
              retryable(e.error()),
              e.error().exitStatus());
      case NativeException e ->
          new Failure(
              "internal",
              "the native library failed: " + e.getMessage(),
              false,
              WalletError.Exit.SOFTWARE);
      default ->
          new Failure(
              "internal",
              "unexpected failure: " + cause.getClass().getSimpleName(),
              false,
              WalletError.Exit.SOFTWARE);
    };
  }

  int report(Terminal terminal, OutputFormat output) {
    if (output == OutputFormat.JSON) {
      Map<String, Object> error = new LinkedHashMap<>();
      error.put("code", code);
      error.put("detail", detail);
      error.put("retryable", retryable);
      terminal.out().println(Json.write(Map.of("error", error)));
    } else {
      terminal.err().println("solidus wallet: " + detail + " (" + code + ")");
    }
    return exitStatus;
  }

  private static boolean retryable(WalletError error) {
    return switch (error.exitStatus()) {
      case WalletError.Exit.TRY_AGAIN, WalletError.Exit.UNAVAILABLE, WalletError.Exit.NOT_YET ->
          true;
      default -> false;
    };
  }
}
