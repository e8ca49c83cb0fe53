package io.solidus.wallet.cli;

import io.solidus.wallet.Payment;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.model.PayoutInstruction;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code claim}. */
@Command(
    name = "claim",
    description = {
      "Claims received coins, so that they count as held: up to two, or up to 16 of five or more"
          + " where the network has claims of 16.",
      "With --surplus, the surplus above the holding limit is withdrawn in the same transfer."
    })
final class ClaimCommand extends OpenWalletCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private SurplusOptions surplusOptions = new SurplusOptions();

  ClaimCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    PayoutInstruction surplus = surplusOptions.instruction(new Answers(top.terminal(), spec));
    Optional<Payment> claimed = surplus == null ? wallet.claim() : wallet.claimWithSurplus(surplus);
    return claimed
        .map(payment ->
            Result.done(PaymentOutput.json(payment), PaymentOutput.text(wallet, payment)))
        .orElseGet(() -> Result.done(Map.of("claimedMinor", 0), "There is nothing to claim."));
  }
}
