package io.solidus.wallet.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Amount;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wallet.Samples;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PaymentRequestTest {
  private static final PaymentRequest.Price PRICE =
      new PaymentRequest.Price(Amount.of(1_234), new CurrencyCode("EUR"));

  private final PaymentRequest open = PaymentRequest.of(Samples.address(1));

  /** The clocks of most machines tell microseconds. */
  @Test
  void aTimeIsCutToWholeMilliseconds() {
    Instant time = Instant.parse("2026-03-01T10:00:00.123456789Z");
    PaymentRequest request = open.withExpiry(time);
    assertThat(request.expiresAt()).isEqualTo(Instant.parse("2026-03-01T10:00:00.123Z"));
    assertThat(request.hasExpired(time)).isTrue();
    assertThat(request.hasExpired(Instant.parse("2026-03-01T10:00:00.122999999Z"))).isFalse();
  }

  @Test
  void aTimeOutsideOfWhatTheTextHoldsIsRefused() {
    assertThat(open.withExpiry(Instant.EPOCH).expiresAt()).isEqualTo(Instant.EPOCH);
    for (Instant time : List.of(Instant.EPOCH.minusNanos(1), Instant.MIN, Instant.MAX)) {
      assertThatThrownBy(() -> open.withExpiry(time))
          .isInstanceOfSatisfying(
              ProtocolException.class,
              refusal -> assertThat(refusal.code()).isEqualTo(RejectionCode.MALFORMED_REQUEST));
    }
  }

  @Test
  void eachPartIsAddedAloneAndTheOthersStay() {
    RequestToken id = new RequestToken("01".repeat(16));
    RequestToken tag = new RequestToken("02".repeat(16));
    Instant time = Instant.ofEpochMilli(1_800_000_000_000L);
    assertThat(
            open.withPrice(PRICE)
                .withExpiry(time)
                .withId(id)
                .withTag(tag)
                .withLabel("beans")
                .withRefundTo(open.payee()))
        .isEqualTo(new PaymentRequest(open.payee(), PRICE, time, id, tag, "beans", open.payee()));
  }
}
