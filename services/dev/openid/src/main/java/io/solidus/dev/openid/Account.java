package io.solidus.dev.openid;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A person who logs in, or a service with client credentials.
 *
 * @param name the subject of the tokens
 * @param secret the password, or the client's secret
 * @param roles as the platform names them
 * @param bank whose staff she is; null for the centre's staff, and for services
 */
public record Account(String name, String secret, List<String> roles, @Nullable String bank) {
  public Account {
    roles = List.copyOf(roles);
  }

  /** Somebody of the centre, or a service. */
  public Account(String name, String secret, List<String> roles) {
    this(name, secret, roles, null);
  }
}
