package io.solidus.wallet.cli;

import io.solidus.wallet.Payment;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.model.PayoutInstruction;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code claim}. */
@Command(
    name = "claim",
    description = {
      "Claims up to two received coins, so that they count as held.",
      "With --iban and --account-holder, the surplus above the holding limit is withdrawn in the"
          + " same transfer."
    })
final class ClaimCommand extends OpenWalletCommand {
  @Mixin private PayoutOptions payout = new PayoutOptions();

  ClaimCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    PayoutInstruction surplus = payout.instruction();
    Optional<Payment> claimed = surplus == null ? wallet.claim() : wallet.claimWithSurplus(surplus);
    return claimed
        .map(payment ->
            Result.done(PaymentOutput.json(payment), PaymentOutput.text(wallet, payment)))
        .orElseGet(() -> Result.done(Map.of("claimedMinor", 0), "There is nothing to claim."));
  }
}
