package io.solidus.wallet.cli;

import io.solidus.wallet.Payment;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.model.PayoutInstruction;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code claim}. */
@Command(
    name = "claim",
    description = {
      "Claims up to two received coins, so that they count as held.",
      "With --iban and --account-holder, what would be above the holding limit is withdrawn in the same proof."
    })
final class ClaimCommand extends OpenWalletCommand {
  @Mixin private PayoutOptions payout;

  ClaimCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    PayoutInstruction surplus = payout.instruction();
    Optional<Payment> claimed = surplus == null ? wallet.claim() : wallet.claimWithSurplus(surplus);
    return claimed
        .map(payment -> Result.done(PaymentText.json(payment), PaymentText.text(wallet, payment)))
        .orElseGet(() -> Result.done(Map.of("claimedMinor", 0), "There is nothing to claim."));
  }
}
