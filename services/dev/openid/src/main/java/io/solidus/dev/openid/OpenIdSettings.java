package io.solidus.dev.openid;

import com.nimbusds.jose.jwk.RSAKey;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a provider knows.
 *
 * @param port 0: any free one
 * @param key signs every token
 * @param audience of access tokens
 * @param client the client id of the program by which people log in
 * @param validity of access tokens
 * @param people log in with a password
 * @param services have client credentials
 * @param webClients where people log in with a browser
 */
public record OpenIdSettings(
    int port,
    RSAKey key,
    String audience,
    String client,
    TokenShape shape,
    Duration validity,
    List<Account> people,
    List<Account> services,
    List<WebClient> webClients) {
  public OpenIdSettings {
    people = List.copyOf(people);
    services = List.copyOf(services);
    webClients = List.copyOf(webClients);
  }

  /** A provider without web applications. */
  public OpenIdSettings(
      int port,
      RSAKey key,
      String audience,
      String client,
      TokenShape shape,
      Duration validity,
      List<Account> people,
      List<Account> services) {
    this(port, key, audience, client, shape, validity, people, services, List.of());
  }

  /** A person or a service; without roles when she is unknown. */
  Account account(String subject) {
    return Stream.concat(people.stream(), services.stream())
        .filter(account -> account.name().equals(subject))
        .findFirst()
        .orElse(new Account(subject, "", List.of()));
  }
}
