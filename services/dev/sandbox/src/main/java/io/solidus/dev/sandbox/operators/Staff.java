package io.solidus.dev.sandbox.operators;

import io.solidus.dev.openid.Account;
import io.solidus.dev.openid.OpenIdServer;
import io.solidus.dev.openid.OpenIdSettings;
import io.solidus.dev.openid.TokenShape;
import io.solidus.dev.openid.WebClient;
import io.solidus.dev.sandbox.secrets.Installation;
import io.solidus.dev.sandbox.secrets.TokenIssuer;
import io.solidus.dev.sandbox.settings.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The bank's people of a development installation, and the OpenID provider that knows them. */
public final class Staff {
  /** The client id of the programs by which people log in. */
  static final String CLIENT = "people";

  /** The client id of the console. */
  public static final String CONSOLE = "console";

  private static final Duration TOKEN_VALIDITY = Duration.ofMinutes(10);

  private static final Map<String, List<String>> ROLES =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("operator-kim", List.of("kyc-operator")),
              Map.entry("operator-kai", List.of("kyc-operator")),
              Map.entry("operator-sam", List.of("sanctions-operator")),
              Map.entry("operator-sue", List.of("sanctions-operator")),
              Map.entry("operator-pat", List.of("policy-operator")),
              Map.entry("operator-ida", List.of("issuance-operator")),
              Map.entry(
                  "supervisor-lee", List.of("list-approver", "rules-approver", "people-approver")),
              Map.entry("approver-anna", List.of("money-approver")),
              Map.entry("approver-ben", List.of("money-approver")),
              // both roles, and never for the same thing
              Map.entry("deputy-dora", List.of("issuance-operator", "money-approver")),
              Map.entry("auditor-ada", List.of("auditor"))));

  private Staff() {}

  /** Roles by person, in the order of the names. */
  public static Map<String, List<String>> roles() {
    return ROLES;
  }

  /** The console's address in the browser. */
  public static String consoleUrl(Ports ports) {
    return "http://127.0.0.1:" + ports.console();
  }

  /** Starts the provider. */
  public static OpenIdServer startProvider(Ports ports, Installation installation)
      throws IOException, GeneralSecurityException {
    String password = installation.password();
    List<Account> people =
        ROLES.entrySet().stream()
            .map(person -> new Account(person.getKey(), password, person.getValue()))
            .toList();
    String client = TokenIssuer.SCREENING_CLIENT;
    Account registration =
        new Account(
            client, Files.readString(installation.clientSecretFile(client)), List.of("service"));
    return OpenIdServer.start(
        new OpenIdSettings(
            ports.openId(),
            installation.tokens().key(),
            TokenIssuer.AUDIENCE,
            CLIENT,
            TokenShape.STANDARD,
            TOKEN_VALIDITY,
            people,
            List.of(registration),
            List.of(
                new WebClient(
                    CONSOLE,
                    Files.readString(installation.clientSecretFile(CONSOLE)),
                    consoleUrl(ports) + "/login/oauth2/code/console",
                    consoleUrl(ports) + "/logged-out"))));
  }
}
