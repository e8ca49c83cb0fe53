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
 * Follows a wallet's compliance coins from one to the next by what the validators stored: each
 * transfer's memo opens with the seed and gives the transfer's openings, hence its successor, hence
 * the next serial number. For a restore from the seed phrase, and for a wallet file older than the
 * wallet.
 */
public final class ChainWalker {
  private static final int MAX_LINKS = 1_000_000;

  private final WalletSession session;
  private final TransferRunner runner;
  private final CoinInquiry inquiry;

  public ChainWalker(WalletSession session, TransferRunner runner) {
    this.session = session;
    this.runner = runner;
    this.inquiry = new CoinInquiry(session);
  }

  /**
   * A stored transfer and the coin it spends.
   *
   * @param lone whether it is the only one of this wallet out of that coin that can still be signed
   */
  private record Link(ComplianceCoin spent, Finding.Own transfer, boolean lone) {
    TransferRequest request() {
      return transfer.requests().getFirst();
    }
  }

  /**
   * What was found.
   *
   * @param transfers how many, all of them finished now
   * @param disbelieved numbers of the authorities that showed transfers as this wallet's that are
   *     not
   */
  public record Found(int transfers, SortedSet<Integer> disbelieved) {
    public Found {
      disbelieved = Collections.unmodifiableSortedSet(new TreeSet<>(disbelieved));
    }
  }

  /**
   * Brings the wallet to the end of its chain, finishing the last transfer when it was in flight.
   *
   * @param start where the wallet's knowledge ends
   * @param signature of {@code start}, or null when it is lost; it is needed only when nothing was
   *     spent after it
   * @throws ProtocolException no-quorum when too few authorities tell where the chain ends;
   *     serial-conflict when two transfers of this wallet keep each other from being signed
   */
  public Found catchUp(ComplianceCoin start, @Nullable Signature signature) {
    session.options().progress().at(Progress.Step.WALKING_CHAIN);
    SortedSet<Integer> disbelieved = new TreeSet<>();
    Set<TxCore> overtaken = new HashSet<>();
    ComplianceCoin from = start;
    Signature signed = signature;
    int before = session.store().state().transfers().size();
    while (true) {
      Optional<TxCore> conflicting = take(walk(from, overtaken, disbelieved), signed);
      if (conflicting.isEmpty()) {
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
   * The core that another transfer of this wallet out of the same coin keeps from being signed;
   * empty when all went well.
   */
  private Optional<TxCore> take(List<Link> links, @Nullable Signature signature) {
    if (links.isEmpty()) {
      return Optional.empty();
    }
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
   * Of several transfers out of one coin, what cannot be signed (any more) gives way to the next; a
   * lone one's failure is thrown.
   */
  private static boolean signedUnlessOvertaken(Link link, Runnable step) {
    try {
      step.run();
      return true;
    } catch (ProtocolException e) {
      if (link.lone()
          || e.code() != RejectionCode.SERIAL_CONFLICT && e.code() != RejectionCode.STALE_PERIOD) {
        throw e;
      }
      return false;
    } catch (WalletException e) {
      boolean ranOut =
          e.error() == WalletError.TRANSFER_IN_FLIGHT && e.getCause() instanceof ProtocolException;
      if (link.lone() || !ranOut) {
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
      Finding finding = inquiry.ask(coin).requireDecided();
      disbelieved.addAll(finding.disbelieved());
      if (finding.own().isEmpty()) {
        return links;
      }
      Link link =
          link(
              coin, finding.own().stream().filter(own -> !overtaken.contains(own.core())).toList());
      links.add(link);
      try (TransferDraft draft = open(link)) {
        coin = draft.prepared().next();
      }
    }
    throw new WalletException(
        WalletError.GATEWAY_MISBEHAVED, "the chain of transfers does not end");
  }

  private static Link link(ComplianceCoin spent, List<Finding.Own> candidates) {
    if (candidates.isEmpty()) {
      throw new ProtocolException(
          RejectionCode.SERIAL_CONFLICT,
          "transfers of this wallet out of one compliance coin keep each other from being signed");
    }
    return new Link(spent, candidates.getFirst(), candidates.size() == 1);
  }

  /**
   * The oldest transfer whose coin may not have been delivered, or whose payout not asked for, by
   * the word of the newest one's memo; the newest is always finished.
   */
  private int firstToFinish(List<Link> links) {
    try (TransferDraft draft = open(links.getLast())) {
      return Math.max(0, links.size() - 1 - draft.memo().unfinished());
    }
  }

  /**
   * Takes transfers over that are known to be finished: all records and the coin that the last of
   * them left, whose signature is asked for again, in one write.
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
          draft.prepared().next(), session.collector().collect(draft.outputs(), reply).get(1));
    }
  }

  /**
   * Authorities that have signed it answer whatever evidence comes with it; the others want good
   * evidence, which a liar's is not.
   */
  private SignedReply answer(Finding.Own transfer) {
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
                WalletError.INTERNAL, "a transfer that was this wallet's does not open again"));
  }
}
