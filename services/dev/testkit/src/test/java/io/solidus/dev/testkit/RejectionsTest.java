package io.solidus.dev.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.platform.grpc.Rejections;
import io.solidus.platform.problem.ProblemResponses;
import io.solidus.protocol.OverloadedException;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.v1.Rejection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The retry time of a rejection reaches the caller through gRPC and REST. */
class RejectionsTest {

  @Test
  void overloadCarriesTheRetryTime() {
    Rejection message =
        Rejections.toMessage(new OverloadedException(Duration.ofMillis(1_250), "busy"));
    assertThat(message.getRetryAfterMillis()).isEqualTo(1_250);
    ProtocolException again = Rejections.toException(message);
    assertThat(again).isInstanceOf(OverloadedException.class);
    assertThat(((OverloadedException) again).retryAfter()).isEqualTo(Duration.ofMillis(1_250));
  }

  @Test
  void otherRejectionsCarryNoRetryTime() {
    Rejection message =
        Rejections.toMessage(new ProtocolException(RejectionCode.UNAVAILABLE, "no answer"));
    assertThat(message.getRetryAfterMillis()).isZero();
    Rejection claimed = message.toBuilder().setRetryAfterMillis(5).build();
    assertThat(Rejections.toException(claimed)).isNotInstanceOf(OverloadedException.class);
  }

  @Test
  void retryTimeIsAtMostOneMinute() {
    Rejection message =
        Rejections.toMessage(RejectionCode.OVERLOADED, "busy").toBuilder()
            .setRetryAfterMillis(-1)
            .build();
    assertThat(((OverloadedException) Rejections.toException(message)).retryAfter())
        .isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void headerHasWholeSecondsAndAtLeastOne() {
    assertThat(retryAfter(Duration.ofMillis(1))).containsExactly("1");
    assertThat(retryAfter(Duration.ofMillis(1_250))).containsExactly("2");
    assertThat(
            ProblemResponses.answer(RejectionCode.SERIAL_CONFLICT, "held")
                .getHeaders()
                .containsHeader("Retry-After"))
        .isFalse();
  }

  private static List<String> retryAfter(Duration wait) {
    return ProblemResponses.answer(RejectionCode.OVERLOADED, "busy", wait)
        .getHeaders()
        .getOrEmpty("Retry-After");
  }
}
