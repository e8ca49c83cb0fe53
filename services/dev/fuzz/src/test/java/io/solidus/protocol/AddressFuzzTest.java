package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.solidus.dev.fuzz.Hostile;
import io.solidus.dev.fuzz.Seeds;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.MethodSource;

/** An address has one text: in lower case or, as Bech32m allows for QR codes, in upper case. */
class AddressFuzzTest {
  private static final String GOOD = Seeds.address().encode(Seeds.NETWORK);

  static Stream<String> texts() {
    return Stream.of(
        GOOD,
        GOOD.toUpperCase(Locale.ROOT),
        GOOD.substring(1),
        GOOD + "q",
        "sld1",
        "1qqqqqq",
        "",
        "SLD1K\u212aQQQQQQ");
  }

  @MethodSource("texts")
  @FuzzTest
  void readsTexts(@NotNull String text) {
    decode(text);
  }

  static Stream<byte[]> payloads() {
    byte[] payload = Bech32m.decode(GOOD).toBytes();
    return Stream.of(
        payload, F4Jumble.unjumble(payload), new byte[0], new byte[85], new byte[] {1});
  }

  /** Payloads with a correct checksum, and also jumbled, to reach the checks after each. */
  @MethodSource("payloads")
  @FuzzTest
  void readsPayloads(byte @NotNull [] payload) {
    if (payload.length <= 600) {
      decode(Bech32m.encode(Address.HRP, payload));
      if (payload.length >= F4Jumble.MIN_BYTES) {
        decode(Bech32m.encode(Address.HRP, F4Jumble.jumble(payload)));
      }
    }
  }

  /** U+212A, the kelvin sign, becomes k in lower case. */
  @Test
  void lettersOfOtherAlphabetsAreRefusedInAddresses() {
    String address = GOOD;
    for (long i = 8; address.indexOf('k') < 0; i++) {
      address =
          new Address(new Apk(Seeds.field(i)), Seeds.address().encryptionKey())
              .encode(Seeds.NETWORK);
    }
    String kelvin = address.toUpperCase(Locale.ROOT).replace('K', '\u212a');
    assertThat(decode(kelvin)).as("an address with kelvin signs").isFalse();
  }

  private static boolean decode(String text) {
    return Hostile.decoded(
            text.length(), ProtocolException.class, () -> Address.decode(Seeds.NETWORK, text))
        .map(address -> {
          String canonical = address.encode(Seeds.NETWORK);
          assertThat(text).isIn(canonical, canonical.toUpperCase(Locale.ROOT));
          return true;
        })
        .orElse(false);
  }
}
