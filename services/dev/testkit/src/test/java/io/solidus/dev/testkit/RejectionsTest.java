package io.solidus.dev.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.platform.grpc.Rejections;
import io.solidus.platform.problem.ProblemResponses;
import io.solidus.protocol.OverloadedException;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.v1.Rejection;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a refusal says survives the call and reaches the caller of a REST service. */
class RejectionsTest {

  @Test
  void overloadSaysWhenToComeBack() {
    Rejection message =
        Rejections.toMessage(new OverloadedException(Duration.ofMillis(1_250), "busy"));
    assertThat(message.getRetryAfterMillis()).isEqualTo(1_250);
    ProtocolException again = Rejections.toException(message);
    assertThat(again).isInstanceOf(OverloadedException.class);
    assertThat(((OverloadedException) again).retryAfter()).isEqualTo(Duration.ofMillis(1_250));
  }

  @Test
  void otherRefusalsSayNothingOfTheKind() {
    Rejection message =
        Rejections.toMessage(new ProtocolException(RejectionCode.UNAVAILABLE, "away"));
    assertThat(message.getRetryAfterMillis()).isZero();
    Rejection claimed = message.toBuilder().setRetryAfterMillis(5).build();
    assertThat(Rejections.toException(claimed)).isNotInstanceOf(OverloadedException.class);
  }

  @Test
  void nobodyIsKeptAwayForLongerThanAMinute() {
    Rejection message =
        Rejections.toMessage(RejectionCode.OVERLOADED, "busy").toBuilder()
            .setRetryAfterMillis(-1)
            .build();
    assertThat(((OverloadedException) Rejections.toException(message)).retryAfter())
        .isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void theHeaderHasWholeSecondsAndAtLeastOne() {
    assertThat(retryAfter(Duration.ofMillis(1))).isEqualTo("1");
    assertThat(retryAfter(Duration.ofMillis(1_250))).isEqualTo("2");
    assertThat(
            ProblemResponses.answer(RejectionCode.SERIAL_CONFLICT, "held")
                .getHeaders()
                .getFirst("Retry-After"))
        .isNull();
  }

  private static String retryAfter(Duration wait) {
    return ProblemResponses.answer(RejectionCode.OVERLOADED, "busy", wait)
        .getHeaders()
        .getFirst("Retry-After");
  }
}
