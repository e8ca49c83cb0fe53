package io.solidus.dev.sandbox.cli;

import io.solidus.dev.sandbox.secrets.SecretFiles;
import io.solidus.dev.sandbox.secrets.TokenIssuer;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints an access token for the admin APIs of this installation. */
@Command(name = "token", description = "A development access token for the admin APIs.")
public final class TokenCommand implements Callable<Integer> {
  @Mixin private Location location = new Location();

  @Option(names = "--sub", required = true, description = "who the operator is")
  private String subject = "";

  @Option(
      names = "--role",
      required = true,
      description =
          "kyc-operator, sanctions-operator, policy-operator, issuance-operator, money-approver, list-approver, rules-approver, people-approver, approver (all four) or auditor; may be repeated")
  private List<String> roles = List.of();

  @Option(
      names = "--bank",
      description =
          "id of the bank whose staff the operator is: default or second; without it, the centre's")
  private @Nullable String bank;

  @Option(names = "--hours", defaultValue = "8", description = "how long it is valid")
  private int hours;

  @Override
  public Integer call() throws Exception {
    SandboxOptions options = location.options();
    TokenIssuer issuer =
        TokenIssuer.open(new SecretFiles(options.secrets()), options.ports().openId());
    System.out.println(issuer.issue(subject, roles, bank, Duration.ofHours(hours)));
    return 0;
  }
}
