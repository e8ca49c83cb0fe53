package io.solidus.wallet.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.Amount;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.wallet.Samples;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Which transfers that a recover burnt may have paid lines of a list. */
class BulkDoubtsTest {
  private static final Memo MEMO = Samples.memo();
  private static final PaymentOrder OTHER =
      new PaymentOrder(Samples.address(5), new Amount(9), "another");

  private static BulkDoubts doubts(PaymentOrder order, Consumer<WalletState.Draft> edit) {
    WalletState state =
        WalletState.empty(Samples.profile())
            .change(draft -> {
              draft.remember(
                  new RecoverRecord(
                      Samples.core(10),
                      new SerialNumber(Samples.field(4)),
                      Samples.recoverMemo(0),
                      Samples.field(40),
                      Samples.field(50),
                      List.of(Samples.core(1), Samples.core(2)),
                      0,
                      Amount.ZERO));
              draft.remember(new PaymentId("rent", Samples.core(1)));
              edit.accept(draft);
            });
    return BulkDoubts.of(
        state,
        BulkTag.of("payroll", List.of(order)),
        List.of(BulkLine.open(1, order)),
        MEMO.atMillis() + 1);
  }

  private static AbandonedTransfer givenUp() {
    return new AbandonedTransfer(
        Samples.core(2),
        new SerialNumber(Samples.field(4)),
        Samples.PERIOD,
        MEMO,
        RejectionCode.STALE_PERIOD);
  }

  @Test
  void aBurntTransferThatTheFileDoesNotKnowIsADoubt() {
    assertThat(doubts(OTHER, draft -> {}).burnt()).isTrue();
  }

  @Test
  void aBurntTransferWhoseMemoTheFileHasIsNone() {
    assertThat(
            doubts(
                    OTHER,
                    draft ->
                        draft.finish(
                            new TransferRecord(
                                Samples.core(2),
                                new SerialNumber(Samples.field(4)),
                                Samples.PERIOD,
                                MEMO,
                                Samples.field(5),
                                Samples.field(6))))
                .isNone())
        .isTrue();
    assertThat(doubts(OTHER, draft -> draft.abandoned.add(givenUp())).isNone()).isTrue();
  }

  /** It was given up, and a recover over it says that authorities may have signed it. */
  @Test
  void whomABurntTransferThatWasGivenUpMayHavePaidIsADoubt() {
    PaymentOrder same = MEMO.payees().getFirst();
    BulkDoubts doubts = doubts(same, draft -> draft.abandoned.add(givenUp()));
    assertThat(doubts.paid()).extracting(BulkLine::number).containsExactly(1);
    assertThat(doubts.burnt()).isFalse();
  }

  @Test
  void aTransferThatWasGivenUpAndNotBurntPaidNobody() {
    PaymentOrder same = MEMO.payees().getFirst();
    assertThat(
            BulkDoubts.of(
                    WalletState.empty(Samples.profile())
                        .change(draft -> draft.abandoned.add(givenUp())),
                    BulkTag.of("payroll", List.of(same)),
                    List.of(BulkLine.open(1, same)),
                    MEMO.atMillis() + 1)
                .isNone())
        .isTrue();
  }
}
