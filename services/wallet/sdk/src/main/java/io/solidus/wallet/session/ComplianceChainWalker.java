package io.solidus.wallet.session;

import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.SignedReply;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.SignedComplianceCoin;
import io.solidus.wallet.model.TransferRecord;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.transfer.OwnRecover;
import io.solidus.wallet.transfer.TransferDraft;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Follows the chain of a wallet's compliance coins by the requests that validators stored. The seed
 * opens each transfer's memo, which gives the transfer's openings, the successor coin and the next
 * serial number. Used to restore a wallet from its seed phrase, and to update an old copy of a
 * wallet file.
 */
public final class ComplianceChainWalker {
  private static final int MAX_LINKS = 1_000_000;

  private final WalletSession session;
  private final MailboxClient mailbox;
  private final TransferRunner runner;
  private final CoinLookUp lookUp;
  private final RequestNames names;

  /** Whether this session asked for the compliance coin and alone has moved it since. */
  private boolean free;

  public ComplianceChainWalker(
      WalletSession session, MailboxClient mailbox, TransferRunner runner) {
    this.session = session;
    this.mailbox = mailbox;
    this.runner = runner;
    this.lookUp = new CoinLookUp(session);
    this.names = new RequestNames(session, lookUp);
  }

  /**
   * A stored transfer or recover and the coin it spends.
   *
   * @param transfer null for a recover
   * @param shown null for a transfer
   * @param lone whether it is the only core of this wallet from that coin that can still be signed
   */
  private record Link(
      ComplianceCoin spent,
      CoinSpendVerdict.@Nullable Own transfer,
      @Nullable ShownRecover shown,
      boolean lone) {
    TxCore core() {
      return shown != null ? shown.core() : Objects.requireNonNull(transfer).core();
    }

    @Nullable OwnRecover recover() {
      return shown == null ? null : shown.recover();
    }

    TransferRequest request() {
      return Objects.requireNonNull(transfer).requests().getFirst();
    }
  }

  /**
   * The result of a walk.
   *
   * @param cores number of transfers and recovers found; all of them are finished now
   * @param disbelieved indexes of the authorities that returned foreign requests for this wallet's
   *     coins
   */
  public record Found(int cores, SortedSet<Integer> disbelieved) {
    public Found {
      disbelieved = Collections.unmodifiableSortedSet(new TreeSet<>(disbelieved));
    }
  }

  /**
   * Makes sure that no transfer that this file does not know spends the compliance coin: the file
   * may be an old copy. A second transfer from that coin could lock the balance. Asks once in a
   * session, because from then on the session makes every transfer itself.
   *
   * @throws ProtocolException as {@link #catchUp}; nothing was made, and asking again may help
   */
  public void requireFree() {
    if (!free) {
      SignedComplianceCoin compliance = session.store().state().requireCompliance();
      catchUp(compliance.coin(), compliance.signature());
    }
  }

  /** The session finishes a transfer out of its file, from whose successor a newer file may pay. */
  public void requireLookUp() {
    free = false;
  }

  /**
   * Brings the wallet to the end of its chain and finishes the last transfer if it was in flight.
   *
   * @param start the last known compliance coin
   * @param signature of {@code start}; null when it is lost, which matters only if {@code start} is
   *     unspent
   * @throws ProtocolException no-quorum when too few authorities answer for the last coin;
   *     serial-conflict when two transfers of this wallet prevent each other from being signed
   */
  public Found catchUp(ComplianceCoin start, @Nullable Signature signature) {
    session.options().progress().at(Progress.Step.WALKING_CHAIN);
    SortedSet<Integer> disbelieved = new TreeSet<>();
    Set<TxCore> overtaken = new HashSet<>();
    ComplianceCoin from = start;
    Signature signed = signature;
    int before = finished();
    while (true) {
      Optional<TxCore> conflicting = adoptOrFinish(walk(from, overtaken, disbelieved), signed);
      if (conflicting.isEmpty()) {
        free = true;
        return new Found(finished() - before, disbelieved);
      }
      overtaken.add(conflicting.get());
      SignedComplianceCoin reached = session.store().state().compliance();
      if (reached != null) {
        from = reached.coin();
        signed = reached.signature();
      }
    }
  }

  private int finished() {
    WalletState state = session.store().state();
    return state.transfers().size() + state.recovers().size();
  }

  /**
   * Records the finished cores and finishes the others. Returns the core that cannot be signed
   * because of another transfer of this wallet from the same coin; empty when there is none.
   */
  private Optional<TxCore> adoptOrFinish(List<Link> links, @Nullable Signature signature) {
    if (links.isEmpty()) {
      return Optional.empty();
    }
    mailbox.receive(); // a transfer that is proved again needs the coins that it claims
    int first = firstToFinish(links);
    if (first == 0 && signature == null) {
      Link oldest = links.getFirst();
      if (!signedUnlessOvertaken(oldest, () -> complete(oldest))) {
        return Optional.of(oldest.core());
      }
      first = 1;
    } else if (first > 0) {
      List<Link> finished = links.subList(0, first);
      if (!signedUnlessOvertaken(finished.getLast(), () -> adopt(finished))) {
        return Optional.of(finished.getLast().core());
      }
    }
    for (Link link : links.subList(first, links.size())) {
      if (!signedUnlessOvertaken(link, () -> finish(link))) {
        return Optional.of(link.core());
      }
    }
    return Optional.empty();
  }

  /**
   * Runs the step. If there are several transfers from one coin, a transfer that can no longer be
   * signed is replaced by the next one. The failure of a lone transfer is thrown, unless it was
   * given up.
   */
  private boolean signedUnlessOvertaken(Link link, Runnable step) {
    boolean givenUpBefore = gaveUp(link.core());
    try {
      step.run();
      return true;
    } catch (ProtocolException e) {
      if (!givenUpBefore && gaveUp(link.core())) {
        return false;
      }
      boolean overtaken =
          e.code() == RejectionCode.SERIAL_CONFLICT || e.code() == RejectionCode.STALE_PERIOD;
      if (link.lone() || !overtaken) {
        throw e;
      }
      return false;
    } catch (WalletException e) {
      boolean expired =
          e.error() == WalletError.TRANSFER_IN_FLIGHT && e.getCause() instanceof ProtocolException;
      if (link.lone() || !expired) {
        throw e;
      }
      return false;
    }
  }

  /**
   * Finishes a core without the signature of the coin that it spends: it cannot be proved again.
   */
  private void complete(Link link) {
    if (link.recover() == null) {
      try (TransferDraft draft = open(link)) {
        runner.commit(draft, link.request(), answer(Objects.requireNonNull(link.transfer())));
      }
    } else {
      adopt(List.of(link));
    }
  }

  private void finish(Link link) {
    if (link.shown() == null) {
      runner.finish(Objects.requireNonNull(link.transfer()).requests());
    } else {
      ShownRecover shown = link.shown();
      RecoverService.store(session, shown.recover(), RecoverService.submit(session, shown));
    }
  }

  private List<Signature> signatures(ShownRecover shown) {
    SignedReply reply = RecoverService.submit(session, shown);
    return session.recovers().collect(shown.recover(), session.collector(), reply);
  }

  private List<Link> walk(
      ComplianceCoin start, Set<TxCore> overtaken, SortedSet<Integer> disbelieved) {
    List<Link> links = new ArrayList<>();
    ComplianceCoin coin = start;
    while (links.size() < MAX_LINKS) {
      CoinLookUp.Spent spent = lookUp.spent(coin);
      CoinSpendVerdict verdict =
          spent.recovers().isEmpty() ? spent.verdict().requireDecided() : spent.verdict();
      disbelieved.addAll(verdict.disbelieved());
      if (!spent.recovers().isEmpty()) {
        names.keep(coin, verdict.own());
      }
      List<Link> candidates = candidates(coin, spent.recovers(), notGivenUp(verdict));
      if (candidates.isEmpty()) {
        return links;
      }
      List<Link> left =
          candidates.stream().filter(link -> !overtaken.contains(link.core())).toList();
      Link link = first(left);
      links.add(link);
      coin = next(link);
    }
    throw new WalletException(
        WalletError.GATEWAY_MISBEHAVED, "the chain of transfers does not end");
  }

  /**
   * Without the transfers that were given up, while 2f+1 authorities report the coin as unspent:
   * such a transfer can never be signed, and at most f authorities show it.
   */
  private List<CoinSpendVerdict.Own> notGivenUp(CoinSpendVerdict verdict) {
    return verdict.unspent()
        ? verdict.own().stream().filter(own -> !gaveUp(own.core())).toList()
        : verdict.own();
  }

  private boolean gaveUp(TxCore core) {
    return session.store().state().gaveUp(core);
  }

  private ComplianceCoin next(Link link) {
    if (link.recover() != null) {
      return link.recover().own().next();
    }
    try (TransferDraft draft = open(link)) {
      return draft.prepared().next();
    }
  }

  /** The recovers, the one with most below it first, then the transfers. */
  private static List<Link> candidates(
      ComplianceCoin coin, List<ShownRecover> recovers, List<CoinSpendVerdict.Own> transfers) {
    boolean lone = recovers.size() + transfers.size() == 1;
    List<Link> links = new ArrayList<>();
    recovers.forEach(recover -> links.add(new Link(coin, null, recover, lone)));
    transfers.forEach(transfer -> links.add(new Link(coin, transfer, null, lone)));
    return links;
  }

  private static Link first(List<Link> left) {
    if (left.isEmpty()) {
      throw new ProtocolException(
          RejectionCode.SERIAL_CONFLICT,
          "transfers of this wallet from one compliance coin prevent each other from being signed;"
              + " a recover frees the account");
    }
    Link first = left.getFirst();
    return new Link(first.spent(), first.transfer(), first.shown(), left.size() == 1);
  }

  /**
   * The index of the oldest core whose coin may be undelivered or whose payout may not be
   * requested, by the memo of the newest one. The newest one is always finished again.
   */
  private int firstToFinish(List<Link> links) {
    int first = links.size() - 1;
    int unfinished = unfinished(links.getLast());
    while (first > 0 && unfinished > 0) {
      first--;
      if (links.get(first).recover() == null) {
        unfinished--;
      }
    }
    return first;
  }

  private int unfinished(Link link) {
    if (link.recover() != null) {
      return link.recover().memo().unfinished();
    }
    try (TransferDraft draft = open(link)) {
      return draft.memo().unfinished();
    }
  }

  /**
   * Records cores that are known to be finished and the successor coin of the last one, whose
   * signature is collected again, in one write. So is that of a returned coin, unless one of them
   * claimed it.
   */
  private void adopt(List<Link> links) {
    Map<TxCore, TransferRecord> records = new HashMap<>();
    for (Link link : links) {
      if (link.recover() == null) {
        records.put(link.core(), record(link));
      }
    }
    Set<FieldElement> claimed = new HashSet<>();
    records
        .values()
        .forEach(record -> record.memo().inputs().forEach(input -> claimed.add(input.rho())));
    links.stream()
        .map(Link::recover)
        .filter(Objects::nonNull)
        .forEach(recover -> claimed.addAll(recover.memo().claimed()));
    Map<TxCore, OwnedCoin> returned = new HashMap<>();
    for (Link link : links) {
      ShownRecover shown = link.shown();
      OwnRecover recover = link.recover();
      if (shown != null
          && recover != null
          && !recover.memo().returned().isZero()
          && !claimed.contains(recover.returned().rho())) {
        returned.put(link.core(), recover.returned(signatures(shown).getFirst()));
      }
    }
    SignedComplianceCoin successor = successor(links.getLast());
    session
        .store()
        .update(edit -> {
          edit.pending = null;
          edit.compliance = successor;
          for (Link link : links) {
            if (link.recover() == null) {
              edit.finish(Objects.requireNonNull(records.get(link.core())));
            } else {
              edit.finish(
                  link.recover()
                      .record(edit.transferCount(), edit.coins, session.factory()::serial),
                  returned.get(link.core()));
            }
          }
        });
  }

  private TransferRecord record(Link link) {
    try (TransferDraft draft = open(link)) {
      return draft.record(session.network());
    }
  }

  private SignedComplianceCoin successor(Link link) {
    if (link.shown() != null) {
      return new SignedComplianceCoin(next(link), signatures(link.shown()).getLast());
    }
    try (TransferDraft draft = open(link)) {
      SignedReply reply = answer(Objects.requireNonNull(link.transfer()));
      return new SignedComplianceCoin(
          draft.prepared().next(),
          session
              .collector()
              .collect(draft.statement().core(session.network()), draft.outputs(), reply)
              .get(Family.NEXT_OUTPUT));
    }
  }

  /**
   * Submits each request until one is answered. Authorities that have signed the core ignore the
   * evidence. The others need valid evidence, which a lying authority may have replaced.
   */
  private SignedReply answer(CoinSpendVerdict.Own transfer) {
    ProtocolException refusal = null;
    for (TransferRequest request : transfer.requests()) {
      try {
        return session
            .gateway()
            .submitTransfer(transfer.core(), TransferSender.withEnoughVotes(session, request));
      } catch (ProtocolException e) {
        if (e.code() == RejectionCode.SERIAL_CONFLICT) {
          throw e;
        }
        refusal = refusal == null ? e : refusal;
      }
    }
    throw Objects.requireNonNull(refusal);
  }

  private TransferDraft open(Link link) {
    return session
        .factory()
        .reopen(link.spent(), link.request())
        .orElseThrow(() ->
            new WalletException(
                WalletError.INTERNAL, "a transfer of this wallet does not open again"));
  }
}
