package io.solidus.wallet.cli;

import io.solidus.protocol.MintId;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.model.ReceivedCoin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code mint}. */
@Command(
    name = "mint",
    description = {
      "Turns a funding that the issuer recorded into a coin; two of the issuer's approvers decide.",
      "The same command again continues the same mint."
    })
final class MintCommand extends OpenWalletCommand {
  private static final String TOKEN_VARIABLE = "SOLIDUS_FUNDING_TOKEN";

  @Parameters(index = "0", paramLabel = "FUNDING", description = "the funding's id")
  private String funding = "";

  @Parameters(index = "1", paramLabel = "AMOUNT", description = "for example 100.00")
  private String amount = "";

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "file whose first line is the funding's access token (default: "
              + TOKEN_VARIABLE
              + ", or a prompt)")
  private @Nullable Path tokenFile;

  @Option(
      names = "--ordinal",
      paramLabel = "N",
      defaultValue = "0",
      description = "0, 1, ...: for several mints of one funding")
  private int ordinal;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "how long to wait for the approvals")
  private int waitSeconds;

  MintCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    char[] token = token();
    MintId id;
    try {
      id = wallet.requestMint(funding, new String(token), amount(wallet, amount), ordinal);
    } finally {
      Arrays.fill(token, '\0');
    }
    Optional<ReceivedCoin> received = wallet.awaitMint(id, Duration.ofSeconds(waitSeconds));
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("mintId", id.hex());
    json.put("status", received.isPresent() ? "minted" : "awaiting-approval");
    received.ifPresent(r -> json.put("valueMinor", r.value().minor()));
    return received
        .map(r -> Result.done(json, "Minted " + money(wallet, r.value()) + "."))
        .orElseGet(() ->
            new Result(
                json,
                "The mint " + id.hex() + " waits for its approvals; run the command again.",
                WalletError.Exit.NOT_YET));
  }

  private char[] token() {
    if (tokenFile != null) {
      return SecretInput.firstLine(tokenFile, "the token file");
    }
    String variable = top.environment().get(TOKEN_VARIABLE);
    return variable != null
        ? variable.toCharArray()
        : SecretInput.ask(top.terminal(), "Access token of the funding");
  }
}
