package io.solidus.wallet.session;

import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.SignedReply;
import io.solidus.wallet.model.SignedComplianceCoin;
import io.solidus.wallet.model.TransferRecord;
import io.solidus.wallet.transfer.TransferDraft;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
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

  /** Whether this session asked for the compliance coin and alone has moved it since. */
  private boolean free;

  public ComplianceChainWalker(
      WalletSession session, MailboxClient mailbox, TransferRunner runner) {
    this.session = session;
    this.mailbox = mailbox;
    this.runner = runner;
    this.lookUp = new CoinLookUp(session);
  }

  /**
   * A stored transfer and the coin it spends.
   *
   * @param lone whether it is the only transfer of this wallet from that coin that can still be
   *     signed
   */
  private record Link(ComplianceCoin spent, CoinSpendVerdict.Own transfer, boolean lone) {
    TransferRequest request() {
      return transfer.requests().getFirst();
    }
  }

  /**
   * The result of a walk.
   *
   * @param transfers number of transfers found; all of them are finished now
   * @param disbelieved indexes of the authorities that returned foreign requests for this wallet's
   *     coins
   */
  public record Found(int transfers, SortedSet<Integer> disbelieved) {
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
    int before = session.store().state().transfers().size();
    while (true) {
      Optional<TxCore> conflicting = adoptOrFinish(walk(from, overtaken, disbelieved), signed);
      if (conflicting.isEmpty()) {
        free = true;
        return new Found(session.store().state().transfers().size() - before, disbelieved);
      }
      overtaken.add(conflicting.get());
      SignedComplianceCoin reached = session.store().state().compliance();
      if (reached != null) {
        from = reached.coin();
        signed = reached.signature();
      }
    }
  }

  /**
   * Records the finished transfers and finishes the others. Returns the core that cannot be signed
   * because of another transfer of this wallet from the same coin; empty when there is none.
   */
  private Optional<TxCore> adoptOrFinish(List<Link> links, @Nullable Signature signature) {
    if (links.isEmpty()) {
      return Optional.empty();
    }
    mailbox.receive(); // a transfer that is proved again needs the coins that it claims
    int first = firstToFinish(links);
    if (first == 0 && signature == null) {
      first = 1;
    }
    if (first > 0) {
      List<Link> finished = links.subList(0, first);
      if (!signedUnlessOvertaken(finished.getLast(), () -> adopt(finished))) {
        return Optional.of(finished.getLast().transfer().core());
      }
    }
    for (Link link : links.subList(first, links.size())) {
      if (!signedUnlessOvertaken(link, () -> runner.finish(link.transfer().requests()))) {
        return Optional.of(link.transfer().core());
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
    boolean givenUpBefore = gaveUp(link.transfer());
    try {
      step.run();
      return true;
    } catch (ProtocolException e) {
      if (!givenUpBefore && gaveUp(link.transfer())) {
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

  private List<Link> walk(
      ComplianceCoin start, Set<TxCore> overtaken, SortedSet<Integer> disbelieved) {
    List<Link> links = new ArrayList<>();
    ComplianceCoin coin = start;
    while (links.size() < MAX_LINKS) {
      CoinSpendVerdict verdict = lookUp.verdict(coin).requireDecided();
      disbelieved.addAll(verdict.disbelieved());
      List<CoinSpendVerdict.Own> own = notGivenUp(verdict);
      if (own.isEmpty()) {
        return links;
      }
      Link link = link(coin, own.stream().filter(o -> !overtaken.contains(o.core())).toList());
      links.add(link);
      try (TransferDraft draft = open(link)) {
        coin = draft.prepared().next();
      }
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
        ? verdict.own().stream().filter(own -> !gaveUp(own)).toList()
        : verdict.own();
  }

  private boolean gaveUp(CoinSpendVerdict.Own transfer) {
    return session.store().state().gaveUp(transfer.core());
  }

  private static Link link(ComplianceCoin spent, List<CoinSpendVerdict.Own> candidates) {
    if (candidates.isEmpty()) {
      throw new ProtocolException(
          RejectionCode.SERIAL_CONFLICT,
          "transfers of this wallet from one compliance coin prevent each other from being signed");
    }
    return new Link(spent, candidates.getFirst(), candidates.size() == 1);
  }

  /**
   * The index of the oldest transfer whose coin may be undelivered or whose payout may not be
   * requested, by the memo of the newest transfer. The newest transfer is always finished again.
   */
  private int firstToFinish(List<Link> links) {
    try (TransferDraft draft = open(links.getLast())) {
      return Math.max(0, links.size() - 1 - draft.memo().unfinished());
    }
  }

  /**
   * Records transfers that are known to be finished and the successor coin of the last one, whose
   * signature is collected again, in one write.
   */
  private void adopt(List<Link> links) {
    List<TransferRecord> records = links.stream().map(this::record).toList();
    SignedComplianceCoin successor = successor(links.getLast());
    session
        .store()
        .update(edit -> {
          edit.pending = null;
          edit.compliance = successor;
          records.forEach(edit::finish);
        });
  }

  private TransferRecord record(Link link) {
    try (TransferDraft draft = open(link)) {
      return draft.record(session.network());
    }
  }

  private SignedComplianceCoin successor(Link link) {
    try (TransferDraft draft = open(link)) {
      SignedReply reply = answer(link.transfer());
      return new SignedComplianceCoin(
          draft.prepared().next(),
          session
              .collector()
              .collect(draft.statement().core(session.network()), draft.outputs(), reply)
              .get(1));
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
        return session.gateway().submitTransfer(transfer.core(), request);
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
