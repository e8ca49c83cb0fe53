package io.solidus.platform.tls;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The hosts that may be called in plaintext, because they are on this machine. */
public final class Loopback {
  private static final Set<String> HOSTS = Set.of("127.0.0.1", "localhost", "[::1]");

  private Loopback() {}

  public static boolean contains(@Nullable String host) {
    return host != null && HOSTS.contains(host);
  }
}
