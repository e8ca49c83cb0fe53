package io.solidus.wallet.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Amount;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.wallet.Samples;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whether what was given up under a name keeps another list away. */
class BulkStatusTest {
  private static final String ID = "payroll";
  private static final List<PaymentOrder> WRONG =
      List.of(new PaymentOrder(Samples.address(5), new Amount(9), "wrong"));
  private static final List<PaymentOrder> RIGHT =
      List.of(new PaymentOrder(Samples.address(5), new Amount(9), "right"));

  private final WalletState givenUp =
      WalletState.empty(Samples.profile())
          .change(draft -> {
            draft.remember(
                new PaymentId(BulkLines.name(BulkTag.of(ID, WRONG), 1), Samples.core(2)));
            draft.abandoned.add(
                new AbandonedTransfer(
                    Samples.core(2),
                    new SerialNumber(Samples.field(4)),
                    Samples.PERIOD,
                    Samples.memo(),
                    RejectionCode.STALE_PERIOD));
          });

  private static BulkStatus right(WalletState state) {
    return BulkStatus.of(state, BulkTag.of(ID, RIGHT), RIGHT, null, null);
  }

  private static void assertRefused(WalletState state) {
    assertThatThrownBy(() -> right(state))
        .isInstanceOfSatisfying(
            ProtocolException.class,
            e -> assertThat(e.code()).isEqualTo(RejectionCode.IDEMPOTENCY_MISMATCH));
  }

  @Test
  void whatWasGivenUpPaidNothing() {
    assertThat(right(givenUp).lines(BulkLine.State.OPEN)).hasSize(1);
  }

  /** In flight, or signed after all: its name is all that the file may have. */
  @Test
  void whatWasNotGivenUpMayHavePaid() {
    assertRefused(givenUp.change(draft -> draft.abandoned.clear()));
  }

  @Test
  void whatARecoverBurntMayHavePaid() {
    assertRefused(
        givenUp.change(draft ->
            draft.remember(
                new RecoverRecord(
                    Samples.core(10),
                    new SerialNumber(Samples.field(4)),
                    Samples.recoverMemo(0),
                    Samples.field(40),
                    Samples.field(50),
                    List.of(Samples.core(2)),
                    0,
                    Amount.ZERO))));
  }
}
