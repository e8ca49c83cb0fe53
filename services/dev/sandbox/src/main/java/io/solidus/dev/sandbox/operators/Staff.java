package io.solidus.dev.sandbox.operators;

import io.solidus.dev.openid.Account;
import io.solidus.dev.openid.OpenIdServer;
import io.solidus.dev.openid.OpenIdSettings;
import io.solidus.dev.openid.TokenShape;
import io.solidus.dev.openid.WebClient;
import io.solidus.dev.sandbox.secrets.Installation;
import io.solidus.dev.sandbox.secrets.TokenIssuer;
import io.solidus.dev.sandbox.settings.Ports;
import io.solidus.platform.bank.Banks;
import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
              Map.entry("auditor-ada", List.of("auditor")),
              // the two banks' own people
              Map.entry("first-fay", List.of("people-approver", "money-approver")),
              Map.entry("first-finn", List.of("kyc-operator", "issuance-operator")),
              Map.entry("second-sara", List.of("people-approver", "money-approver")),
              Map.entry("second-sven", List.of("kyc-operator", "issuance-operator"))));

  private static final String FIRST = Banks.DEFAULT;
  private static final String SECOND = "second";

  private static final Map<String, String> BANKS =
      Map.of(
          "first-fay", FIRST,
          "first-finn", FIRST,
          "second-sara", SECOND,
          "second-sven", SECOND);

  private Staff() {}

  /** Roles by person, in the order of the names. */
  public static Map<String, List<String>> roles() {
    return ROLES;
  }

  /** The bank whose staff a person is; empty: she is the centre's. */
  public static Optional<String> bank(String person) {
    return Optional.ofNullable(BANKS.get(person));
  }

  /**
   * The banks, by property name. What names no bank is the first one's, so that wallets need not
   * choose.
   */
  public static Map<String, Object> bankSettings() {
    return Map.of(
        "solidus.banks.known[0].id",
        FIRST,
        "solidus.banks.known[0].name",
        "First Bank",
        "solidus.banks.known[1].id",
        SECOND,
        "solidus.banks.known[1].name",
        "Second Bank",
        "solidus.banks.known[1].accounts",
        "GBWEST",
        "solidus.banks.unnamed",
        FIRST);
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
            .map(person ->
                new Account(
                    person.getKey(), password, person.getValue(), BANKS.get(person.getKey())))
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
