package io.solidus.operator.issuance.redemption;

import java.util.List;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Finds out which payouts a message to the bank can name. Each payout is looked at once, when it is
 * accepted; the rest is what earlier versions accepted, and what other settings may have freed.
 */
@Service
class PayoutHolds implements SmartInitializingSingleton {
  private static final int PAGE = 500;

  /** Opening an instruction takes some 0.1 ms: one look takes a second at most. */
  private static final int MOST_AT_ONCE = 10_000;

  private final RedemptionStore store;
  private final Redemptions redemptions;
  private final PayeeBanks payees;
  private final TransactionTemplate transaction;

  PayoutHolds(
      RedemptionStore store,
      Redemptions redemptions,
      PayeeBanks payees,
      TransactionTemplate transaction) {
    this.store = store;
    this.redemptions = redemptions;
    this.payees = payees;
    this.transaction = transaction;
  }

  /** Other settings may name other banks of payees. */
  @Override
  public void afterSingletonsInstantiated() {
    transaction.executeWithoutResult(status -> store.forgetAgents());
  }

  /** Looks at payouts that nobody has looked at, the oldest first. Takes no lock of the books. */
  void examine() {
    for (int done = 0; done < MOST_AT_ONCE; done += PAGE) {
      Integer examined = transaction.execute(status -> examinePage());
      if (examined == null || examined < PAGE) {
        return;
      }
    }
  }

  private int examinePage() {
    List<Redemption> page = store.lockUnexamined(PAGE);
    page.forEach(payout -> store.hold(payout.lead(), payees.hold(redemptions.payout(payout))));
    return page.size();
  }
}
