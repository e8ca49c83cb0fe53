package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The test strings of BIP-350, and what this project needs beyond it. */
class Bech32mTest {
  private final Samples samples = new Samples(3);

  @ParameterizedTest
  @Spec("F-11")
  @ValueSource(
      strings = {
        "A1LQFN3A",
        "a1lqfn3a",
        "an83characterlonghumanreadablepartthatcontainsthetheexcludedcharactersbioandnumber11sg7hg6",
        "abcdef1l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx",
        "11llllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllludsr8",
        "split1checkupstagehandshakeupstreamerranterredcaperredlc445v",
        "?1v759aa"
      })
  void acceptsTheValidStrings(String text) {
    assertThat(text.toLowerCase(Locale.ROOT)).startsWith(Bech32m.decode(text).hrp() + "1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " 1xj0phk",
        "\u007f1g6xzxy",
        "\u00801vctc34",
        "qyrz8wqd2c9m",
        "1qyrz8wqd2c9m",
        "y1b0jsk6g",
        "lt1igcx5c0",
        "in1muywd",
        "mm1crxm3i",
        "au1s5cgom",
        "M1VUXWEZ",
        "16plkw9",
        "1p2gdwpf",
        "",
        "1",
        "a1LQFN3A"
      })
  void refusesTheInvalidStrings(String text) {
    Rejected.malformed(() -> Bech32m.decode(text));
  }

  /** A Bech32 checksum (BIP-173) is not a Bech32m checksum. */
  @Test
  void refusesTheOlderChecksum() {
    Rejected.malformed(() -> Bech32m.decode("A12UEL5L"));
  }

  /** The data part need not be full bytes; the bits that are left over have to be zeros. */
  @Test
  @Spec("F-11")
  void oneTextForEveryByteString() {
    for (int length = 0; length < 12; length++) {
      byte[] data = samples.bytes(length);
      String text = Bech32m.encode("sld", data);
      assertThat(Bech32m.decode(text).toBytes()).isEqualTo(data);
      assertThat(Bech32m.decode(text.toUpperCase(Locale.ROOT)).toBytes()).isEqualTo(data);
    }
    Rejected.malformed(() -> new Bech32m.Decoded("sld", new byte[] {31, 1}).toBytes());
    Rejected.malformed(() -> new Bech32m.Decoded("sld", new byte[] {31, 0, 0}).toBytes());
    assertThat(new Bech32m.Decoded("sld", new byte[] {31, 0}).toBytes()).hasSize(1);
  }

  @Test
  @Spec("F-11")
  void longerThanThe90CharactersOfBip350AndAtMost1023() {
    assertThat(Bech32m.decode(Bech32m.encode("sld", new byte[632])).toBytes()).hasSize(632);
    String tooLong = Bech32m.encode("sld", new byte[634]);
    assertThat(tooLong).hasSizeGreaterThan(1023);
    Rejected.malformed(() -> Bech32m.decode(tooLong));
  }

  @Test
  void everySingleCharacterErrorIsDetected() {
    String text = Bech32m.encode("sld", samples.bytes(98));
    for (int i = 4; i < text.length(); i++) {
      char other = text.charAt(i) == 'q' ? 'p' : 'q';
      String wrong = text.substring(0, i) + other + text.substring(i + 1);
      Rejected.malformed(() -> Bech32m.decode(wrong));
    }
  }
}
