package io.solidus.edge.gateway.committee;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Committee;
import io.solidus.protocol.OverloadedException;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerdictTest {

  private final Committee committee = TestCommittee.regulated().committee();

  @Test
  void overloadCarriesTheShortestWait() {
    ProtocolException verdict =
        Verdict.of(
            committee, Map.of(1, overloaded(9_000), 2, overloaded(700), 3, overloaded(60_000)), 1);
    assertThat(verdict).isInstanceOf(OverloadedException.class);
    assertThat(((OverloadedException) verdict).retryAfter()).isEqualTo(Duration.ofMillis(700));
  }

  @Test
  void aWaitIsForOverloadOnly() {
    ProtocolException conflict = new ProtocolException(RejectionCode.SERIAL_CONFLICT, "held");
    ProtocolException verdict =
        Verdict.of(committee, Map.of(1, overloaded(700), 2, conflict, 3, conflict), 1);
    assertThat(verdict).isNotInstanceOf(OverloadedException.class);
    assertThat(verdict.code()).isEqualTo(RejectionCode.SERIAL_CONFLICT);
  }

  @Test
  void overloadWithoutAWaitIsOverloadAllTheSame() {
    ProtocolException plain = new ProtocolException(RejectionCode.OVERLOADED, "busy");
    assertThat(Verdict.of(committee, Map.of(1, plain, 2, plain), 2).code())
        .isEqualTo(RejectionCode.OVERLOADED);
  }

  /** A liar agrees with an honest one about the reason and adds words of its own. */
  @Test
  void wordsOfOneAuthorityAreNotPassedOn() {
    ProtocolException honest = new ProtocolException(RejectionCode.SERIAL_CONFLICT, "held");
    ProtocolException liar =
        new ProtocolException(RejectionCode.SERIAL_CONFLICT, "call this number");
    assertThat(Verdict.of(committee, Map.of(1, liar, 2, honest), 2).detail())
        .isEqualTo("serial-conflict");
    assertThat(Verdict.of(committee, Map.of(1, liar, 2, honest, 3, honest), 1).detail())
        .isEqualTo("held");
  }

  private static OverloadedException overloaded(long millis) {
    return new OverloadedException(Duration.ofMillis(millis), "busy");
  }
}
