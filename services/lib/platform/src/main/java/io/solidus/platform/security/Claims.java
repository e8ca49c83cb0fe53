package io.solidus.platform.security;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds a token's claims. */
final class Claims {
  private Claims() {}

  /**
   * Returns the claim at a path, or null.
   *
   * @param path a name, or names of nested objects with dots between them
   */
  static @Nullable Object at(Map<?, ?> claims, String path) {
    Object whole = claims.get(path); // a name with dots, such as https://bank.example/roles
    if (whole != null) {
      return whole;
    }
    int dot = path.indexOf('.');
    return dot > 0 && claims.get(path.substring(0, dot)) instanceof Map<?, ?> inner
        ? at(inner, path.substring(dot + 1))
        : null;
  }
}
