package io.solidus.operator.issuance.redemption;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.solidus.dev.fuzz.Hostile;
import io.solidus.protocol.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** The payout instruction in a payout block, whose content the withdrawing wallet chooses. */
class PayoutFuzzTest {
  static Stream<byte[]> instructions() {
    return Stream.of(
            "{\"creditorName\":\"Ann Example\",\"iban\":\"DE89370400440532013000\",\"reference\":\"\"}",
            "{\"creditorName\":\"Ann\",\"iban\":\"X\"}",
            "{\"creditorName\":{},\"iban\":[]}",
            "null",
            "[".repeat(400),
            "{\"creditorName\":1e9999,\"iban\":true}",
            "")
        .map(text -> Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), 464));
  }

  @MethodSource("instructions")
  @FuzzTest
  void readsInstructions(byte @NotNull [] block) {
    Hostile.decoded(block.length, ProtocolException.class, () -> Payout.parse(block))
        .ifPresent(payout -> {
          assertThat(payout.account()).matches("[A-Z0-9]{5,34}");
          assertThat(payout.creditorName())
              .isNotBlank()
              .hasSizeLessThanOrEqualTo(140)
              .doesNotMatch("(?s).*\\p{Cc}.*");
          payout.hasValidIban();
        });
  }
}
