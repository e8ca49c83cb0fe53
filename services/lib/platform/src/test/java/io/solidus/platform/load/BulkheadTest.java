package io.solidus.platform.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import org.junit.jupiter.api.Test;

class BulkheadTest {
  private final Bulkhead bulkhead = new Bulkhead(2, "the desk is busy");

  /** Runs calls inside each other, so that all of them run at a time. */
  private int nested(int calls) {
    return calls == 0 ? 0 : 1 + bulkhead.call(() -> nested(calls - 1));
  }

  @Test
  void refusesACallBeyondTheLimit() {
    assertThat(nested(2)).isEqualTo(2);
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> nested(3))
        .satisfies(refusal -> {
          assertThat(refusal.code()).isEqualTo(RejectionCode.OVERLOADED);
          assertThat(refusal.detail()).isEqualTo("the desk is busy");
        });
  }

  @Test
  void permitsAreFreeAgainAfterRefusalsAndFailures() {
    for (int i = 0; i < 3; i++) {
      assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> nested(3));
      assertThatIllegalStateException()
          .isThrownBy(() ->
              bulkhead.call(() -> {
                throw new IllegalStateException();
              }));
    }
    assertThat(nested(2)).isEqualTo(2);
  }
}
