package io.solidus.wallet.session;

import io.solidus.protocol.Amount;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Signature;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.SignedReply;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.RecoverRecord;
import io.solidus.wallet.model.SignedComplianceCoin;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.transfer.OwnRecover;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Frees an account whose own cores keep each other from completing. Nothing of it is kept in the
 * file before a core has completed: a recover follows from the seed and from what the authorities
 * show, so a wallet that was killed makes or finds it again.
 */
@Spec("W-10")
public final class RecoverService {
  /** How many recovers a wallet may need on one compliance coin. */
  private static final int MAX_ROUNDS = 12;

  private static final int MAX_STEPS = 200;

  private final WalletSession session;
  private final TransferRunner runner;
  private final PaymentService payments;
  private final ComplianceChainWalker chain;
  private final PassedCoins passed;
  private final Map<TxCore, OwnRecover> made = new HashMap<>();

  public RecoverService(
      WalletSession session,
      TransferRunner runner,
      PaymentService payments,
      ComplianceChainWalker chain,
      Registrar registrar) {
    this.session = session;
    this.runner = runner;
    this.payments = payments;
    this.chain = chain;
    this.passed = new PassedCoins(session, registrar);
  }

  /**
   * What came of it.
   *
   * @param recovers how many recovers the file took in, of this device or of another one
   * @param burnt the largest branch of each: lost to this wallet, and its payee may have been paid
   * @param lost the value of coins that other cores hold
   * @param returned value of the coins that the recovers returned, to be claimed
   */
  public record Recovered(int recovers, Amount burnt, Amount lost, Amount returned) {
    public static final Recovered NOTHING = new Recovered(0, Amount.ZERO, Amount.ZERO, Amount.ZERO);

    private Recovered plus(RecoverRecord recover) {
      return new Recovered(
          recovers + 1,
          burnt.plus(recover.memo().outflow()),
          lost.plus(recover.lost()),
          returned.plus(recover.memo().returned()));
    }
  }

  /**
   * Finishes what can be finished, and else recovers until the compliance coin is free.
   *
   * @param evenIfPaid whether cores are burnt, too, of which too few authorities answer to tell
   *     whether they have completed
   * @throws WalletException {@code recover-impossible} when the rules leave no recover
   * @throws ProtocolException no-quorum when too few authorities answer; asking again may help
   */
  public Recovered recover(boolean evenIfPaid) {
    int before = session.store().state().recovers().size();
    if (!catchesUp()) {
      free(evenIfPaid);
    }
    List<RecoverRecord> all = session.store().state().recovers();
    Recovered recovered = Recovered.NOTHING;
    for (RecoverRecord recover : all.subList(before, all.size())) {
      recovered = recovered.plus(recover);
    }
    return recovered;
  }

  private void free(boolean evenIfPaid) {
    for (int step = 0; step < MAX_STEPS; step++) {
      RecoverGraph tip = graph(evenIfPaid);
      tip.look();
      RecoverGraph graph = earlier(tip, evenIfPaid).orElse(tip);
      if (!graph.isEmpty()) {
        complete(graph);
      } else if (graph.leadIsFree()) {
        return;
      } else {
        throw new ProtocolException(
            RejectionCode.NO_QUORUM, "too few authorities signed whether the account is free");
      }
    }
    throw impossible("the account's cores do not end", null);
  }

  /** Whether the wallet reaches the end of its chain without a recover. */
  private boolean catchesUp() {
    chain.requireLookUp();
    try {
      payments.settle();
      chain.requireFree();
      return true;
    } catch (ProtocolException e) {
      return false;
    } catch (WalletException e) {
      if (e.error() != WalletError.TRANSFER_IN_FLIGHT && e.error() != WalletError.PAYMENT_BURNT) {
        throw e;
      }
      return false;
    }
  }

  private RecoverGraph graph(boolean evenIfPaid) {
    WalletState state = session.store().state();
    RecoverGraph graph = new RecoverGraph(session, state.requireCompliance().coin(), evenIfPaid);
    if (state.pending() != null) {
      graph.add(state.pending());
    }
    return graph;
  }

  /**
   * The cores on an earlier lead of the chain, where a recover burns a core behind which this
   * wallet went on. Whatever else with an earlier lead holds a serial number has lost.
   */
  private Optional<RecoverGraph> earlier(RecoverGraph tip, boolean evenIfPaid) {
    return passed
        .back(tip.strangers())
        .map(back -> {
          RecoverGraph graph = new RecoverGraph(session, back.coin(), evenIfPaid);
          graph.add(back.recover());
          graph.look();
          TransferRequest pending = session.store().state().pending();
          if (pending != null) {
            graph.add(pending);
            graph.look();
          }
          return graph;
        });
  }

  /** Completes one core that spends the lead. */
  private void complete(RecoverGraph graph) {
    for (int round = 0; round < MAX_ROUNDS; round++) {
      if (sendKnown(graph)) {
        return;
      }
      if (graph.isEmpty()) {
        throw impossible("authorities show no request with evidence that verifies", null);
      }
      RecoverGraph.Knowledge before = graph.knowledge();
      OwnRecover recover = make(graph);
      RequestNames.keep(session, graph.requestNames());
      @Nullable ProtocolException refusal = null;
      while (!before.has(recover.core())) {
        graph.add(recover);
        try {
          commit(recover);
          return;
        } catch (ProtocolException e) {
          refusal = e;
        }
        if (!TransferSender.EVIDENCE_REFUSALS.contains(refusal.code())
            || !graph.chooseNext(recover)) {
          break;
        }
        recover = make(graph);
      }
      graph.look();
      TxCore sent = recover.core();
      if (graph.knowledge().without(sent).equals(before.without(sent))) {
        throw refusal != null && refusal.code().retryable()
            ? refusal
            : impossible("authorities hold what this wallet cannot find", refusal);
      }
    }
    throw impossible("no recover of " + MAX_ROUNDS + " completed", null);
  }

  private OwnRecover make(RecoverGraph graph) {
    session.options().progress().at(Progress.Step.PROVING);
    try {
      OwnRecover recover = graph.recover(core -> Optional.ofNullable(made.get(core)));
      made.put(recover.core(), recover);
      return recover;
    } catch (ProtocolException e) {
      throw impossible(e.detail(), e);
    } catch (NativeException e) {
      if (e.code() == NativeErrorCode.KEYS_NO_CIRCUIT) {
        throw impossible("the network's keys have no recover", e);
      }
      throw e;
    }
  }

  /** Sends each known core that may still complete; whether one did. */
  private boolean sendKnown(RecoverGraph graph) {
    for (KnownCore core : graph.toSend()) {
      if (finished(graph, core)) {
        return true;
      }
    }
    for (KnownCore core : graph.waitedFor()) {
      boolean hasLost =
          core instanceof KnownCore.Transfer
              && core.own().lead().equals(graph.lead())
              && isPassed(graph);
      if (!hasLost) {
        throw mayBePaid(core);
      }
    }
    return false;
  }

  private boolean finished(RecoverGraph graph, KnownCore core) {
    return switch (core) {
      case KnownCore.Transfer transfer -> finished(graph, transfer);
      case KnownCore.Recover recover -> finished(graph, recover.core());
    };
  }

  /** With any of the requests that authorities show of a recover. */
  private boolean finished(RecoverGraph graph, TxCore core) {
    Optional<KnownCore.Recover> known = graph.recover(core);
    while (known.isPresent()) {
      for (OwnRecover variant : known.get().variants()) {
        try {
          commit(variant);
          return true;
        } catch (ProtocolException e) {
          if (!TransferSender.EVIDENCE_REFUSALS.contains(e.code())) {
            requireRefused(graph, known.get(), e);
            return false;
          }
        }
      }
      graph.forget(core);
      graph.look();
      known = graph.recover(core);
    }
    return false;
  }

  /** A transfer from before the newest compliance coin has completed, or never will. */
  private boolean isPassed(RecoverGraph graph) {
    ComplianceCoin newest = session.store().state().requireCompliance().coin();
    return !graph.lead().equals(session.factory().serial(newest.rho()));
  }

  private boolean finished(RecoverGraph graph, KnownCore.Transfer transfer) {
    if (isPassed(graph)) {
      return false;
    }
    List<TransferRequest> requests = transfer.requests();
    session.options().progress().at(Progress.Step.SENDING);
    try {
      session
          .gateway()
          .submitTransfer(
              transfer.core(), TransferSender.withEnoughVotes(session, requests.getFirst()));
    } catch (ProtocolException e) {
      if (isRefused(graph, transfer)) {
        return false;
      }
    }
    try {
      runner.finish(requests);
      return true;
    } catch (ProtocolException e) {
      if (session.store().state().gaveUp(transfer.core())) {
        return true;
      }
      requireRefused(graph, transfer, e);
      return false;
    } catch (WalletException e) {
      boolean ranOut =
          e.error() == WalletError.TRANSFER_IN_FLIGHT && e.getCause() instanceof ProtocolException;
      if (ranOut && isRefused(graph, transfer)) {
        return false;
      }
      // it may complete when authorities answer
      throw ranOut && graph.isDoubtful(transfer) ? mayBePaid(transfer) : e;
    }
  }

  /** A core that may still complete waits: a recover would burn it for nothing. */
  private static void requireRefused(RecoverGraph graph, KnownCore core, ProtocolException e) {
    if (!isRefused(graph, core)) {
      throw graph.isDoubtful(core) ? mayBePaid(core) : e;
    }
  }

  private static ProtocolException mayBePaid(KnownCore core) {
    return new ProtocolException(
        RejectionCode.NO_QUORUM,
        "the core "
            + core.core().hex()
            + " may have completed: too few authorities signed that they never take it."
            + " They may answer later, or another gateway may pass on what they sign");
  }

  /**
   * By what authorities sign, also after the core was sent: the gateway's word alone burns nothing.
   */
  private static boolean isRefused(RecoverGraph graph, KnownCore core) {
    graph.look();
    return graph.isRefused(core);
  }

  /** Sends a recover until it is answered, or the patience is over. */
  static SignedReply submit(WalletSession session, OwnRecover recover) {
    session.options().progress().at(Progress.Step.SENDING);
    RetryPolicy retries = new RetryPolicy(session.options());
    while (true) {
      try {
        return session.gateway().submitRecover(recover.core(), recover.request());
      } catch (ProtocolException e) {
        if (!e.code().retryable() || e.code() == RejectionCode.NO_QUORUM) {
          throw e;
        }
        retries.pause(e);
      } catch (WalletException e) {
        if (e.error() != WalletError.GATEWAY_UNREACHABLE) {
          throw e;
        }
        retries.pause(e);
      }
    }
  }

  /** Sends the requests of a recover in turn, until one is not refused for its evidence. */
  static SignedReply submit(WalletSession session, ShownRecover shown) {
    @Nullable ProtocolException first = null;
    for (OwnRecover variant : shown.variants()) {
      try {
        return submit(session, variant);
      } catch (ProtocolException e) {
        if (!TransferSender.EVIDENCE_REFUSALS.contains(e.code())) {
          throw e;
        }
        first = first == null ? e : first;
      }
    }
    throw Objects.requireNonNull(first);
  }

  private void commit(OwnRecover recover) {
    store(session, recover, submit(session, recover));
  }

  /** Verifies both signatures, and stores all that follows from the recover in one write. */
  static void store(WalletSession session, OwnRecover recover, SignedReply reply) {
    List<Signature> signatures = session.recovers().collect(recover, session.collector(), reply);
    @Nullable OwnedCoin returned =
        recover.memo().returned().isZero() ? null : recover.returned(signatures.getFirst());
    session
        .store()
        .update(edit -> {
          edit.compliance = new SignedComplianceCoin(recover.own().next(), signatures.getLast());
          edit.finish(
              recover.record(edit.transferCount(), edit.coins, session.factory()::serial),
              returned);
        });
  }

  private static WalletException impossible(String why, @Nullable Exception cause) {
    return new WalletException(
        WalletError.RECOVER_IMPOSSIBLE, "the account stays locked for now: " + why, cause);
  }
}
