package io.solidus.wallet.session;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Origin;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.model.SpentInput;
import io.solidus.wallet.model.TransferRecord;
import io.solidus.wallet.transfer.UnregulatedDraft;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Finds out which coins of a wallet of an unregulated network are spent, and by which of its
 * transfers. A transfer is found by its first coin; the seed opens its memo, which gives the change
 * and so the next serial number. Used before the first transfer out of a file that may be old, and
 * to restore a wallet from its seed phrase.
 */
@Spec("W-14")
public final class CoinWalker {
  private final WalletSession session;
  private final MailboxClient mailbox;
  private final UnregulatedRunner runner;
  private final SignedLookUp lookUp;

  /** The coins that were free when this session asked, and those that it made since. */
  private final Set<SerialNumber> free = new HashSet<>();

  /** Whether this session has looked for transfers out of coins that the file did not have. */
  private boolean known;

  public CoinWalker(WalletSession session, MailboxClient mailbox, UnregulatedRunner runner) {
    this.session = session;
    this.mailbox = mailbox;
    this.runner = runner;
    this.lookUp = new SignedLookUp(session);
  }

  /**
   * A transfer of this wallet that authorities hold.
   *
   * @param requests of its core; they differ in their evidence
   * @param change rho of its change
   */
  private record Link(TransferRecord record, List<TransferRequest> requests, FieldElement change) {
    TxCore core() {
      return record.core();
    }

    List<FieldElement> spent() {
      return record.memo().inputs().stream().map(SpentInput::rho).toList();
    }
  }

  /**
   * What the authorities say about the wallet's coins.
   *
   * @param links transfers that are not recorded, in the order of their making
   * @param taken serial numbers that an unknown transfer of this wallet holds
   * @param undecided whether too few authorities signed either about some coin; a link may spend it
   */
  private record Walk(
      List<Link> links, Set<SerialNumber> unspent, Set<SerialNumber> taken, boolean undecided) {
    boolean isClear() {
      return links.isEmpty() && taken.isEmpty() && !undecided;
    }
  }

  /**
   * Makes sure that no transfer that this file does not know spends one of the wallet's coins: the
   * file may be an old copy. A second transfer out of a coin could make both worthless. Asks for
   * each coin once in a session, because from then on the session makes every transfer itself.
   *
   * @throws ProtocolException as {@link #catchUp}; nothing was made, and asking again may help
   */
  public void requireFree() {
    if (!unasked().isEmpty()) {
      catchUp();
    }
  }

  /**
   * As {@link #requireFree}, and follows what another copy of the wallet did with coins that this
   * file never saw: once in a session reads the mailbox, which has them, and asks for all.
   *
   * @throws ProtocolException as {@link #catchUp}
   */
  public void requireKnown() {
    if (known) {
      requireFree();
      return;
    }
    mailbox.receive();
    requireLookUp();
    catchUp();
    known = true;
  }

  /** Other copies of the wallet may have spent coins since they were asked for. */
  public void requireLookUp() {
    free.clear();
  }

  /** The session made this coin itself just now. */
  public void made(OwnedCoin coin) {
    free.add(serial(coin.rho()));
  }

  /**
   * Leaves out this wallet's own change. Change that the file did not know shows that another copy
   * of the wallet made a transfer, which is followed first, unless a transfer is in flight: then
   * the next call that settles follows it.
   *
   * @param read the coins that a reading of the mailbox accepted
   * @return those that others sent, and minted ones
   * @throws ProtocolException as {@link #catchUp}
   */
  public List<ReceivedCoin> withoutChange(List<ReceivedCoin> read) {
    List<ReceivedCoin> others = read.stream().filter(coin -> coin.origin() != Origin.OWN).toList();
    if (others.size() < read.size()) {
      requireLookUp();
      if (session.store().state().pending() == null) {
        catchUp();
      }
    }
    return others;
  }

  /**
   * Finishes the transfers that authorities hold and this file does not know, and drops the coins
   * that are spent by transfers that cannot be found. A transfer in flight has been sent before.
   *
   * @return indexes of the authorities that signed foreign requests for this wallet's coins
   * @throws ProtocolException no-quorum when too few authorities answer for a coin
   */
  public SortedSet<Integer> catchUp() {
    session.options().progress().at(Progress.Step.WALKING_CHAIN);
    SortedSet<Integer> disbelieved = new TreeSet<>();
    Set<TxCore> refused = new HashSet<>();
    boolean read = false;
    while (true) {
      Walk walk = walk(refused, disbelieved);
      if (!read && !walk.isClear()) {
        mailbox.receive(); // another copy's transfers lead to coins that only the mailbox has
        read = true;
      } else if (!walk.links().isEmpty()) {
        finish(walk.links(), refused);
      } else if (walk.undecided()) {
        throw new ProtocolException(
            RejectionCode.NO_QUORUM,
            "too few authorities signed whether a coin of this wallet is spent");
      } else {
        drop(walk.taken(), refused);
        free.addAll(walk.unspent());
        return disbelieved;
      }
    }
  }

  private List<OwnedCoin> unasked() {
    return session.store().state().coins().stream()
        .filter(coin -> !free.contains(serial(coin.rho())))
        .toList();
  }

  private SerialNumber serial(FieldElement rho) {
    return session.factory().serial(rho);
  }

  private Walk walk(Set<TxCore> refused, SortedSet<Integer> disbelieved) {
    Set<SerialNumber> asked = new LinkedHashSet<>();
    unasked().forEach(coin -> asked.add(serial(coin.rho())));
    List<SerialNumber> next = new ArrayList<>(asked);
    Map<TxCore, Link> links = new LinkedHashMap<>();
    Set<SerialNumber> unspent = new HashSet<>();
    Set<SerialNumber> taken = new HashSet<>();
    boolean undecided = false;
    while (!next.isEmpty()) {
      List<SignedAnswers> answers = lookUp.ask(next);
      next = new ArrayList<>();
      for (SignedAnswers answer : answers) {
        CoinSpendVerdict verdict =
            CoinSpendVerdict.of(
                answer, session.platform().committee(), request -> time(answer, request));
        disbelieved.addAll(verdict.disbelieved());
        List<CoinSpendVerdict.Own> own =
            verdict.own().stream().filter(one -> !refused.contains(one.core())).toList();
        if (!own.isEmpty()) {
          Link link = link(own.getFirst());
          links.put(link.core(), link);
          SerialNumber change = serial(link.change());
          if (asked.add(change)) {
            next.add(change);
          }
        } else if (verdict.unspent()) {
          unspent.add(answer.serial());
        } else if (answer.held().size() >= session.platform().committee().weakQuorum()) {
          taken.add(answer.serial());
        } else {
          undecided = true;
        }
      }
    }
    List<Link> inOrder =
        links.values().stream()
            .sorted(
                Comparator.comparingLong((Link link) -> link.record().memo().atMillis())
                    .thenComparing(link -> link.core().hex()))
            .toList();
    return new Walk(inOrder, unspent, taken, undecided);
  }

  /** The time of the request's memo; empty when the request is not this wallet's. */
  private OptionalLong time(SignedAnswers answer, TransferRequest request) {
    if (!request.statement().leadSerial().equals(answer.serial())) {
      return OptionalLong.empty();
    }
    return session
        .unregulated()
        .reopen(request)
        .map(draft -> {
          try (UnregulatedDraft opened = draft) {
            return OptionalLong.of(opened.memo().atMillis());
          }
        })
        .orElse(OptionalLong.empty());
  }

  private Link link(CoinSpendVerdict.Own own) {
    try (UnregulatedDraft draft = runner.reopen(own.requests().getFirst())) {
      return new Link(draft.record(session.network()), own.requests(), draft.change().rho());
    }
  }

  /**
   * Records or finishes the transfers. A transfer whose change is spent was signed. It is recorded
   * only, unless by the memo of the newest transfer its coin may be undelivered or its payout may
   * not be requested. Stops after one that other transfers prevent, and remembers it.
   */
  private void finish(List<Link> links, Set<TxCore> refused) {
    Set<FieldElement> spent = new HashSet<>();
    links.forEach(link -> spent.addAll(link.spent()));
    int open = links.size() - 1 - links.getLast().record().memo().unfinished();
    for (int i = 0; i < links.size(); i++) {
      Link link = links.get(i);
      if (i < open && spent.contains(link.change())) {
        record(link);
      } else if (!isSigned(link)) {
        refused.add(link.core());
        return;
      }
    }
  }

  private void record(Link link) {
    TransferRequest pending = session.store().state().pending();
    session
        .store()
        .update(edit -> {
          edit.finish(link.record());
          if (pending != null && core(pending).equals(link.core())) {
            edit.pending = null;
          }
        });
  }

  private TxCore core(TransferRequest request) {
    return request.statement().core(session.network());
  }

  private boolean isSigned(Link link) {
    try {
      runner.finish(link.requests());
      return true;
    } catch (ProtocolException e) {
      if (e.code() != RejectionCode.SERIAL_CONFLICT || !isRefused(link)) {
        throw e;
      }
      return false;
    }
  }

  /** Whether f+1 authorities signed that another core holds one of the transfer's coins. */
  private boolean isRefused(Link link) {
    List<SerialNumber> inputs = link.spent().stream().map(this::serial).toList();
    return lookUp.ask(inputs).stream()
        .anyMatch(answer ->
            answer.held().values().stream().filter(held -> !held.core().equals(link.core())).count()
                >= session.platform().committee().weakQuorum());
  }

  private void drop(Set<SerialNumber> taken, Set<TxCore> refused) {
    TransferRequest pending = session.store().state().pending();
    boolean dead = pending != null && refused.contains(core(pending));
    if (dead || !taken.isEmpty()) {
      session
          .store()
          .update(edit -> {
            edit.coins.removeIf(coin -> taken.contains(serial(coin.rho())));
            if (dead) {
              edit.pending = null;
            }
          });
    }
  }
}
