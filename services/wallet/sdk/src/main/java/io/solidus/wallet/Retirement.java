package io.solidus.wallet;

import io.solidus.protocol.Amount;
import io.solidus.protocol.RejectionCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Wallet#retire} moved to fresh keys, and what stayed.
 *
 * @param payments in their order; the last one's {@code delivered} holds for all of them
 * @param left the balance that stayed, held and unclaimed
 * @param refusal the limit that stopped it: over-limit-period, over-limit-count or over-limit-held;
 *     null when no limit did
 * @param openMints mints that were requested and are not decided: their coins will belong to the
 *     retired keys
 */
public record Retirement(
    List<Payment> payments, Amount left, @Nullable RejectionCode refusal, int openMints) {
  public Retirement {
    payments = List.copyOf(payments);
  }

  /** What belongs to the fresh keys now. */
  public Amount moved() {
    return payments.stream().map(Payment::paid).reduce(Amount.ZERO, Amount::plus);
  }

  /** Whether the retired keys own nothing and expect no mint, as far as this wallet knows. */
  public boolean complete() {
    return left.isZero() && openMints == 0;
  }
}
