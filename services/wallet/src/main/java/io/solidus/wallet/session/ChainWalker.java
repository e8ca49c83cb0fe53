package io.solidus.wallet.session;

import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferRequest;
import io.solidus.wallet.Progress;
import io.solidus.wallet.WalletError;
import io.solidus.wallet.WalletException;
import io.solidus.wallet.model.SignedComplianceCoin;
import io.solidus.wallet.model.TransferRecord;
import io.solidus.wallet.transfer.SignedReply;
import io.solidus.wallet.transfer.TransferDraft;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Follows a wallet's compliance coins from one to the next by what the validators stored: each transfer's memo opens with the seed
 * and gives the transfer's openings, hence its successor, hence the next serial number. For a restore from the seed phrase, and for a
 * wallet file older than the wallet.
 */
public final class ChainWalker {
  private static final int MAX_LINKS = 1_000_000;

  private final WalletSession session;
  private final TransferRunner runner;

  public ChainWalker(WalletSession session, TransferRunner runner) {
    this.session = session;
    this.runner = runner;
  }

  /** A stored transfer and the coin it spends. */
  private record Link(ComplianceCoin spent, TransferRequest request) {}

  /**
   * Brings the wallet to the end of its chain, finishing the last transfer when it was in flight.
   *
   * @param start where the wallet's knowledge ends
   * @param signature of {@code start}, or null when it is lost; it is needed only when nothing was spent after it
   * @return how many transfers were found
   */
  public int catchUp(ComplianceCoin start, @Nullable Signature signature) {
    session.options().progress().at(Progress.Step.WALKING_CHAIN);
    List<Link> links = walk(start);
    if (links.isEmpty()) {
      return 0;
    }
    int first = firstToFinish(links);
    if (first == 0 && signature == null) {
      first = 1;
    }
    if (first > 0) {
      adopt(links.subList(0, first));
    }
    for (Link link : links.subList(first, links.size())) {
      session.store().update(edit -> edit.pending = link.request());
      runner.finish();
    }
    return links.size();
  }

  private List<Link> walk(ComplianceCoin start) {
    List<Link> links = new ArrayList<>();
    ComplianceCoin coin = start;
    while (links.size() < MAX_LINKS) {
      Optional<TransferRequest> request =
          session.gateway().coinStates(List.of(session.factory().serial(coin.rho()))).getFirst().request();
      if (request.isEmpty()) {
        return links;
      }
      try (TransferDraft draft = open(coin, request.get())) {
        links.add(new Link(coin, request.get()));
        coin = draft.prepared().next();
      }
    }
    throw new WalletException(WalletError.GATEWAY_MISBEHAVED, "the chain of transfers does not end");
  }

  /**
   * The oldest transfer whose coin may not have been delivered, or whose payout not asked for, by the word of the newest one's memo;
   * the newest is always finished.
   */
  private int firstToFinish(List<Link> links) {
    Link last = links.getLast();
    try (TransferDraft draft = open(last.spent(), last.request())) {
      return Math.max(0, links.size() - 1 - draft.memo().unfinished());
    }
  }

  /**
   * Takes transfers over that are known to be finished: all records and the coin that the last of them left, whose signature is
   * asked for again, in one write.
   */
  private void adopt(List<Link> links) {
    List<TransferRecord> records = links.stream().map(this::record).toList();
    SignedComplianceCoin successor = successor(links.getLast());
    session.store().update(
        edit -> {
          edit.pending = null;
          edit.compliance = successor;
          records.forEach(edit::finish);
        });
  }

  private TransferRecord record(Link link) {
    try (TransferDraft draft = open(link.spent(), link.request())) {
      return draft.record(session.network());
    }
  }

  private SignedComplianceCoin successor(Link link) {
    try (TransferDraft draft = open(link.spent(), link.request())) {
      SignedReply reply =
          session.gateway().submitTransfer(draft.statement().core(session.network()), link.request());
      return new SignedComplianceCoin(draft.prepared().next(), session.collector().collect(draft.outputs(), reply).get(1));
    }
  }

  private TransferDraft open(ComplianceCoin spent, TransferRequest request) {
    return session
        .factory()
        .reopen(spent, request)
        .orElseThrow(
            () -> new WalletException(WalletError.GATEWAY_MISBEHAVED, "a stored transfer is not this wallet's: its memo does not open"));
  }
}
