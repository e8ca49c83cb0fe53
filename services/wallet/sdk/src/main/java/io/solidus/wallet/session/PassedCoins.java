package io.solidus.wallet.session;

import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.model.RecoverRecord;
import io.solidus.wallet.model.TransferRecord;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.transfer.OwnRecover;
import io.solidus.wallet.transfer.TransferDraft;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The compliance coins that this wallet has spent, which its file does not keep. */
final class PassedCoins {
  /** How many leads a wallet looks back. */
  private static final int MAX_LEADS = 100;

  private final WalletSession session;
  private final Registrar registrar;
  private final SignedLookUp lookUp;
  private final CoinLookUp coins;

  PassedCoins(WalletSession session, Registrar registrar) {
    this.session = session;
    this.registrar = registrar;
    this.lookUp = new SignedLookUp(session);
    this.coins = new CoinLookUp(session);
  }

  /** A recover with an earlier lead, and the compliance coin that it spends. */
  record Back(ComplianceCoin coin, OwnRecover recover) {}

  /** A finished core of this wallet. */
  private record Passed(TxCore core, SerialNumber lead) {}

  /**
   * The newest of these cores that is a recover with the lead of a finished core, and burns that
   * core or a finished one behind it.
   */
  Optional<Back> back(Set<TxCore> strangers) {
    if (strangers.isEmpty()) {
      return Optional.empty();
    }
    Set<TxCore> walked = new HashSet<>();
    List<Passed> passed = passed();
    for (Passed one : passed.subList(0, Math.min(MAX_LEADS, passed.size()))) {
      walked.add(one.core());
      for (ShownRecover shown : recovers(one.lead())) {
        OwnRecover recover = shown.recover();
        if (strangers.contains(recover.core())
            && !Collections.disjoint(recover.own().below(), walked)) {
          return coin(one.lead(), passed).map(coin -> new Back(coin, recover));
        }
      }
    }
    return Optional.empty();
  }

  private List<ShownRecover> recovers(SerialNumber lead) {
    return ShownRecover.of(session, lead, lookUp.ask(List.of(lead)).getFirst().recovers());
  }

  /** The finished cores, newest first. */
  private List<Passed> passed() {
    WalletState state = session.store().state();
    List<Passed> passed = new ArrayList<>();
    int next = 0;
    for (RecoverRecord recover : state.recovers()) {
      for (; next < recover.transfers(); next++) {
        passed.add(passed(state.transfers().get(next)));
      }
      passed.add(new Passed(recover.core(), recover.lead()));
    }
    for (; next < state.transfers().size(); next++) {
      passed.add(passed(state.transfers().get(next)));
    }
    return passed.reversed();
  }

  private static Passed passed(TransferRecord transfer) {
    return new Passed(transfer.core(), transfer.lead());
  }

  /** Walks from the first compliance coin, which follows from the seed. */
  private Optional<ComplianceCoin> coin(SerialNumber lead, List<Passed> passed) {
    Set<TxCore> own = new HashSet<>();
    passed.forEach(one -> own.add(one.core()));
    ComplianceCoin coin = registrar.firstCoin();
    for (int i = 0; i <= passed.size(); i++) {
      if (session.factory().serial(coin.rho()).equals(lead)) {
        return Optional.of(coin);
      }
      Optional<ComplianceCoin> next = next(coin, own);
      if (next.isEmpty()) {
        return Optional.empty();
      }
      coin = next.get();
    }
    return Optional.empty();
  }

  private Optional<ComplianceCoin> next(ComplianceCoin coin, Set<TxCore> own) {
    CoinLookUp.Spent spent = coins.spent(coin);
    for (ShownRecover shown : spent.recovers()) {
      if (own.contains(shown.core())) {
        return Optional.of(shown.recover().own().next());
      }
    }
    return spent.verdict().own().stream()
        .filter(transfer -> own.contains(transfer.core()))
        .flatMap(
            transfer -> session.factory().reopen(coin, transfer.requests().getFirst()).stream())
        .findFirst()
        .map(draft -> {
          try (TransferDraft opened = draft) {
            return opened.prepared().next();
          }
        });
  }
}
