package io.solidus.platform.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TxCore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {
  private static final String UUID = "8e03978e-40d5-43dd-bc93-6894a57f9324";
  private static final TxCore CORE = new TxCore(Digest32.sha256(new byte[] {1}));

  @Test
  void aKeyIsTheSameWithAndWithoutQuotes() {
    assertThat(IdempotencyKey.of("\"" + UUID + "\"")).isEqualTo(IdempotencyKey.of(UUID));
    assertThat(IdempotencyKey.of(UUID)).get().extracting(IdempotencyKey::value).isEqualTo(UUID);
    assertThat(IdempotencyKey.of(null)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "short", "\"12345678", "12345678\"", "with space", "k;a=1-------", "é2345678"})
  void refusesOtherForms(String header) {
    assertCode(() -> IdempotencyKey.of(header), RejectionCode.MALFORMED_REQUEST);
    assertCode(() -> IdempotencyKey.of("x".repeat(129)), RejectionCode.MALFORMED_REQUEST);
  }

  @Test
  void aRequestWithACoreHasNoOtherKey() {
    assertThatNoException().isThrownBy(() -> IdempotencyKey.requireCore(null, CORE));
    assertThatNoException().isThrownBy(() -> IdempotencyKey.requireCore(CORE.hex(), CORE));
    assertThatNoException()
        .isThrownBy(() -> IdempotencyKey.requireCore("\"" + CORE.hex() + "\"", CORE));
    assertCode(() -> IdempotencyKey.requireCore(UUID, CORE), RejectionCode.IDEMPOTENCY_MISMATCH);
  }

  @Test
  void aTextOfAKeyShowsNothingOfIt() {
    assertThat(IdempotencyKey.of(UUID)).get().asString().doesNotContain(UUID);
  }

  private static void assertCode(Runnable work, RejectionCode code) {
    assertThatThrownBy(work::run)
        .isInstanceOfSatisfying(
            ProtocolException.class, refusal -> assertThat(refusal.code()).isEqualTo(code));
  }
}
