package io.solidus.wallet.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wallet.gateway.RetryAfter;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
  private static RetryPolicy policy(Duration patience) {
    return new RetryPolicy(
        WalletOptions.defaults().withRetryPause(Duration.ofMillis(1)).withPatience(patience));
  }

  private static ProtocolException busy(String seconds) {
    HttpHeaders headers =
        HttpHeaders.of(Map.of("Retry-After", List.of(seconds)), (name, value) -> true);
    return new ProtocolException(
        RejectionCode.OVERLOADED, "busy", Objects.requireNonNull(RetryAfter.of(headers)));
  }

  @Test
  void waitsAsLongAsTheServiceAsks() {
    long start = System.nanoTime();
    policy(Duration.ofSeconds(30)).pause(busy("1"));
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThanOrEqualTo(Duration.ofSeconds(1));
  }

  /** A hostile or broken service must not hold a wallet for a day. */
  @Test
  void doesNotWaitBeyondItsPatience() {
    ProtocolException busy = busy("86400");
    long start = System.nanoTime();
    assertThat(catchThrowable(() -> policy(Duration.ofSeconds(30)).pause(busy))).isSameAs(busy);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
  }
}
