package io.solidus.wallet.session;

import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.model.BulkLines;
import io.solidus.wallet.model.PaymentId;
import io.solidus.wallet.request.PaymentRequest;
import io.solidus.wallet.transfer.TransferDraft;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Names the payments of requests, and lines of lists, that look-ups show where a recover may have
 * burnt them. A wallet that was restored knows them from nowhere else, and would pay them again. A
 * name of what no recover burnt changes nothing.
 */
final class RequestNames {
  /** More than a recover may have below it. */
  private static final int MAX_LOOK_UPS = 64;

  private final WalletSession session;
  private final CoinLookUp lookUp;

  RequestNames(WalletSession session, CoinLookUp lookUp) {
    this.session = session;
    this.lookUp = lookUp;
  }

  private record Shown(ComplianceCoin spent, List<CoinSpendVerdict.Own> transfers) {}

  /** Names transfers that were shown beside a recover, and those behind them. */
  void keep(ComplianceCoin spent, List<CoinSpendVerdict.Own> transfers) {
    List<PaymentId> names = new ArrayList<>();
    Deque<Shown> next = new ArrayDeque<>(List.of(new Shown(spent, transfers)));
    int asked = 0;
    while (!next.isEmpty()) {
      Shown shown = next.remove();
      for (CoinSpendVerdict.Own own : shown.transfers()) {
        Optional<TransferDraft> opened =
            session.factory().reopen(shown.spent(), own.requests().getFirst());
        if (opened.isEmpty()) {
          continue;
        }
        try (TransferDraft draft = opened.get()) {
          names.addAll(of(own.core(), draft));
          if (asked++ < MAX_LOOK_UPS) {
            ComplianceCoin coin = draft.prepared().next();
            next.add(new Shown(coin, lookUp.spent(coin).verdict().own()));
          }
        }
      }
    }
    keep(session, names);
  }

  /** The names of the requests and lines that a transfer may have paid. */
  static List<PaymentId> of(WalletSession session, ComplianceCoin spent, TransferRequest request) {
    Optional<TransferDraft> opened = session.factory().reopen(spent, request);
    if (opened.isEmpty()) {
      return List.of();
    }
    try (TransferDraft draft = opened.get()) {
      return of(request.statement().core(session.network()), draft);
    }
  }

  private static List<PaymentId> of(TxCore core, TransferDraft draft) {
    Stream<String> requests =
        draft.memo().payees().stream()
            .filter(paid -> !paid.amount().isZero())
            .flatMap(paid -> PaymentRequest.paymentId(paid.to().apk(), paid.reference()).stream());
    BulkLines lines = draft.memo().bulk();
    Stream<String> names =
        lines == null ? requests : Stream.concat(requests, lines.names().stream());
    return names.map(name -> new PaymentId(name, core)).toList();
  }

  /** Writes those that the file does not have. */
  static void keep(WalletSession session, List<PaymentId> names) {
    Set<PaymentId> missing = new HashSet<>(names);
    missing.removeAll(session.store().state().paymentIds());
    if (!missing.isEmpty()) {
      session.store().update(edit -> missing.forEach(edit::remember));
    }
  }
}
