package io.solidus.dev.openid;

import java.util.List;

/**
 * A person who logs in, or a service with client credentials.
 *
 * @param name the subject of the tokens
 * @param secret the password, or the client's secret
 * @param roles as the platform names them
 */
public record Account(String name, String secret, List<String> roles) {
  public Account {
    roles = List.copyOf(roles);
  }
}
