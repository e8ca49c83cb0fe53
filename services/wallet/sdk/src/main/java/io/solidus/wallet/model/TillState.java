package io.solidus.wallet.model;

import io.solidus.protocol.Apk;
import io.solidus.protocol.FieldElement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a till's file says beside its key.
 *
 * @param apk of the wallet that is paid
 * @param mailboxCursor the place up to which the mailbox was read
 * @param known rho of the coins that the wallet had when the till was made. A payer can post an old
 *     coin again, with another text, and the till cannot tell whether a coin is spent
 * @param payments in the order in which the till saw them
 */
public record TillState(
    WalletProfile profile,
    Apk apk,
    MailboxCursor mailboxCursor,
    Set<FieldElement> known,
    List<TillPayment> payments) {
  public TillState {
    known = Set.copyOf(known); // of an immutable set no copy: each page makes a state
    payments = List.copyOf(payments);
  }

  /** The state behind a page of the mailbox. */
  public TillState after(MailboxCursor next, List<TillPayment> seen) {
    if (seen.isEmpty()) {
      return new TillState(profile, apk, next, known, payments);
    }
    List<TillPayment> all = new ArrayList<>(payments);
    all.addAll(seen);
    return new TillState(profile, apk, next, known, all);
  }

  /** The rho of every coin that does not count again. */
  public Set<FieldElement> seenRhos() {
    Set<FieldElement> rhos = new HashSet<>(known);
    payments.forEach(payment -> rhos.add(payment.rho()));
    return rhos;
  }
}
