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

/**
 * One address has one text, in small letters or, as Bech32m allows for codes on paper, in capitals.
 */
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
    return Stream.of(Bech32m.decode(GOOD).toBytes(), new byte[0], new byte[85], new byte[] {1});
  }

  /** With a right checksum, so that what is behind it is reached. */
  @MethodSource("payloads")
  @FuzzTest
  void readsPayloads(byte @NotNull [] payload) {
    if (payload.length <= 600) {
      decode(Bech32m.encode(Address.HRP, payload));
    }
  }

  /** U+212A, the sign for kelvin, is a k to whoever turns it into a small letter. */
  @Test
  void lettersOfOtherAlphabetsAreNoLettersOfAnAddress() {
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
