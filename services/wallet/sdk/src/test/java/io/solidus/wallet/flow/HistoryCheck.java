package io.solidus.wallet.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Origin;
import io.solidus.prover.HistoryEntry;
import io.solidus.prover.Suite;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.TransferRecord;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.store.WalletStore;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Recomputes a wallet's history commitment from its records alone. */
final class HistoryCheck {
  private HistoryCheck() {}

  static void requireOpens(Path store) {
    Suite suite = new Suite(TestCommittee.NETWORK);
    try (WalletStore opened = WalletStore.open(store, WalletBench.PASSPHRASE)) {
      WalletState state = opened.state();
      FieldElement com = FieldElement.ZERO;
      Map<Integer, FieldElement> joints = new HashMap<>();
      state.recovers().forEach(recover -> joints.put(recover.transfers(), recover.memo().com()));
      for (int i = 0; i < state.transfers().size(); i++) {
        TransferRecord record = state.transfers().get(i);
        com = joints.getOrDefault(i, com);
        Memo memo = record.memo();
        com =
            suite.history(
                com,
                new HistoryEntry(
                    memo.paid(),
                    input(memo, 0),
                    input(memo, 1),
                    memo.withdrawn(),
                    origin(memo, 0),
                    origin(memo, 1),
                    false,
                    record.period(),
                    memo.recipient().apk(),
                    record.randomness()));
        assertThat(record.com()).isEqualTo(com);
      }
      com = joints.getOrDefault(state.transfers().size(), com);
      assertThat(state.requireCompliance().coin().com())
          .isEqualTo(com)
          .isNotEqualTo(FieldElement.ZERO);
    }
  }

  private static Origin origin(Memo memo, int index) {
    return index < memo.inputs().size() ? memo.inputs().get(index).origin() : Origin.PAYMENT;
  }

  private static Amount input(Memo memo, int index) {
    return index < memo.inputs().size() ? memo.inputs().get(index).value() : Amount.ZERO;
  }
}
