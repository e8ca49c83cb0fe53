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
 * @param unread messages that came by a tag and were not read in the bucket yet, at most {@link
 *     #MAX_UNREAD}: the till posts what is missing there
 */
public record TillState(
    WalletProfile profile,
    Apk apk,
    MailboxCursor mailboxCursor,
    Set<FieldElement> known,
    List<TillPayment> payments,
    List<PendingDelivery> unread) {
  public static final int MAX_UNREAD = 64;

  public TillState {
    known = Set.copyOf(known); // of an immutable set no copy: each page makes a state
    payments = List.copyOf(payments);
    unread = List.copyOf(unread);
    if (unread.size() > MAX_UNREAD) {
      throw new IllegalArgumentException("a till keeps " + MAX_UNREAD + " messages at most");
    }
  }

  /** The state of a till that has seen nothing. */
  public TillState(
      WalletProfile profile, Apk apk, MailboxCursor mailboxCursor, Set<FieldElement> known) {
    this(profile, apk, mailboxCursor, known, List.of(), List.of());
  }

  /** The state behind a page of the mailbox. */
  public TillState after(
      MailboxCursor next, List<TillPayment> seen, List<PendingDelivery> nowUnread) {
    if (seen.isEmpty()) {
      return new TillState(profile, apk, next, known, payments, nowUnread);
    }
    List<TillPayment> all = new ArrayList<>(payments);
    all.addAll(seen);
    return new TillState(profile, apk, next, known, all, nowUnread);
  }

  /** The rho of every coin that does not count again. */
  public Set<FieldElement> seenRhos() {
    Set<FieldElement> rhos = new HashSet<>(known);
    payments.forEach(payment -> rhos.add(payment.rho()));
    return rhos;
  }
}
