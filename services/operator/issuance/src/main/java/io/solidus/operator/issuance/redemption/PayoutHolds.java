package io.solidus.operator.issuance.redemption;

import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.screening.Screenings;
import io.solidus.operator.issuance.screening.Screenings.Subject;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SerialNumber;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Finds out which payouts may go into a batch: the bank can be told the payee, and no sanction list
 * has her. Each payout is looked at once before a batch, outside the lock of the books, and its
 * payee is screened again when the batch is released.
 */
@Service
class PayoutHolds implements SmartInitializingSingleton {
  private static final Logger log = LoggerFactory.getLogger(PayoutHolds.class);
  private static final int PAGE = 500;

  /** Opening an instruction takes some 0.1 ms, a screening some 2 ms. */
  private static final int MOST_AT_ONCE = 5_000;

  private final RedemptionStore store;
  private final Redemptions redemptions;
  private final PayeeBanks payees;
  private final Screenings screenings;
  private final TransactionTemplate transaction;

  PayoutHolds(
      RedemptionStore store,
      Redemptions redemptions,
      PayeeBanks payees,
      Screenings screenings,
      TransactionTemplate transaction) {
    this.store = store;
    this.redemptions = redemptions;
    this.payees = payees;
    this.screenings = screenings;
    this.transaction = transaction;
  }

  /** Other settings may name other banks of payees. */
  @Override
  public void afterSingletonsInstantiated() {
    transaction.executeWithoutResult(status -> store.forgetAgents());
  }

  /**
   * Looks at payouts that nobody has looked at, the oldest first.
   *
   * @return false when some wait because the sanctions service does not answer
   */
  boolean examine() {
    for (int done = 0; done < MOST_AT_ONCE; done += PAGE) {
      List<Redemption> page = store.unexamined(PAGE);
      if (page.isEmpty()) {
        return true;
      }
      Map<SerialNumber, PayoutHold> holds = new LinkedHashMap<>();
      List<Redemption> named = new ArrayList<>();
      for (Redemption payout : page) {
        PayoutHold hold = payees.hold(redemptions.payout(payout));
        if (hold == PayoutHold.NONE) {
          named.add(payout);
        } else {
          holds.put(payout.lead(), hold);
        }
      }
      boolean screened = screen(named, holds);
      store.examined(holds);
      if (!screened) {
        return false;
      }
      if (page.size() < PAGE) {
        return true;
      }
    }
    return true;
  }

  private boolean screen(List<Redemption> payouts, Map<SerialNumber, PayoutHold> holds) {
    try {
      List<Boolean> passed = screenings.pass(subjects(payouts));
      for (int i = 0; i < payouts.size(); i++) {
        holds.put(payouts.get(i).lead(), passed.get(i) ? PayoutHold.NONE : PayoutHold.SCREENING);
      }
      return true;
    } catch (ProtocolException e) {
      log.warn("payouts wait for their screening: {}", e.getMessage());
      return false;
    }
  }

  /**
   * Screens the payees of a batch once more: lists may be newer than its proposal.
   *
   * @throws DeskConflictException screening-match when one of them is found
   * @throws ProtocolException unavailable when the sanctions service does not answer
   */
  void requireScreened(List<Redemption> payouts) {
    if (screenings.pass(subjects(payouts)).contains(false)) {
      throw new DeskConflictException(
          "screening-match",
          "a payee of the batch matches a sanction list; withdraw the batch, and the others can be paid");
    }
  }

  private List<Subject> subjects(List<Redemption> payouts) {
    return payouts.stream()
        .map(p -> Subject.payout(p.endToEndId(), redemptions.payout(p).creditorName()))
        .toList();
  }
}
