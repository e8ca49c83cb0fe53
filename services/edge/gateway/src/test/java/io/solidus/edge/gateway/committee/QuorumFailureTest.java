package io.solidus.edge.gateway.committee;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.edge.gateway.SyntheticCommittee;
import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.OverloadedException;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuorumFailureTest {

  private final Committee committee = SyntheticCommittee.of(new NetworkId("solidus-test"), 1);

  @Test
  void overloadCarriesTheShortestWait() {
    ProtocolException failure =
        QuorumFailure.of(
            committee, Map.of(1, overloaded(9_000), 2, overloaded(700), 3, overloaded(60_000)), 1);
    assertThat(failure).isInstanceOf(OverloadedException.class);
    assertThat(((OverloadedException) failure).retryAfter()).isEqualTo(Duration.ofMillis(700));
  }

  @Test
  void onlyOverloadHasAWait() {
    ProtocolException conflict = new ProtocolException(RejectionCode.SERIAL_CONFLICT, "held");
    ProtocolException failure =
        QuorumFailure.of(committee, Map.of(1, overloaded(700), 2, conflict, 3, conflict), 1);
    assertThat(failure).isNotInstanceOf(OverloadedException.class);
    assertThat(failure.code()).isEqualTo(RejectionCode.SERIAL_CONFLICT);
  }

  @Test
  void overloadMayHaveNoWait() {
    ProtocolException plain = new ProtocolException(RejectionCode.OVERLOADED, "busy");
    assertThat(QuorumFailure.of(committee, Map.of(1, plain, 2, plain), 2).code())
        .isEqualTo(RejectionCode.OVERLOADED);
  }

  /** A lying authority gives the same reason as an honest one, with a text of its own. */
  @Test
  void doesNotPassOnTheTextOfOneAuthority() {
    ProtocolException honest = new ProtocolException(RejectionCode.SERIAL_CONFLICT, "held");
    ProtocolException liar =
        new ProtocolException(RejectionCode.SERIAL_CONFLICT, "call this number");
    assertThat(QuorumFailure.of(committee, Map.of(1, liar, 2, honest), 2).detail())
        .isEqualTo("serial-conflict");
    assertThat(QuorumFailure.of(committee, Map.of(1, liar, 2, honest, 3, honest), 1).detail())
        .isEqualTo("held");
  }

  private static OverloadedException overloaded(long millis) {
    return new OverloadedException(Duration.ofMillis(millis), "busy");
  }
}
