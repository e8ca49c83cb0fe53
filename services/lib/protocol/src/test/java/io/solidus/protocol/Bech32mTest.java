package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The test strings of BIP-350, and addresses. */
class Bech32mTest {
  private final Samples samples = new Samples(3);

  @ParameterizedTest
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

  @Test
  void addressesRoundTripInBothCases() {
    Address address = address();
    String text = address.encode(Samples.NETWORK);
    assertThat(text).startsWith("sld1").hasSize(146);
    assertThat(Address.decode(Samples.NETWORK, text)).isEqualTo(address);
    assertThat(Address.decode(Samples.NETWORK, text.toUpperCase(Locale.ROOT))).isEqualTo(address);
  }

  @Test
  void everySingleCharacterErrorIsDetected() {
    String text = address().encode(Samples.NETWORK);
    for (int i = 4; i < text.length(); i++) {
      char other = text.charAt(i) == 'q' ? 'p' : 'q';
      String wrong = text.substring(0, i) + other + text.substring(i + 1);
      Rejected.malformed(() -> Address.decode(Samples.NETWORK, wrong));
    }
  }

  @Test
  void addressOfAnotherNetworkPrefixVersionOrLengthIsRefused() {
    String text = address().encode(new NetworkId("other-net"));
    Rejected.with(RejectionCode.WRONG_NETWORK, () -> Address.decode(Samples.NETWORK, text));
    byte[] payload = Bech32m.decode(text).toBytes();
    Rejected.malformed(() -> Address.decode(Samples.NETWORK, Bech32m.encode("btc", payload)));
    Rejected.malformed(() ->
        Address.decode(
            Samples.NETWORK, Bech32m.encode("sld", java.util.Arrays.copyOf(payload, 84))));
    Rejected.malformed(() -> Address.decode(Samples.NETWORK, Bech32m.encode("sld", new byte[0])));
    payload[0] = 2;
    Rejected.with(
        RejectionCode.UNKNOWN_VERSION,
        () -> Address.decode(Samples.NETWORK, Bech32m.encode("sld", payload)));
  }

  private Address address() {
    return new Address(new Apk(samples.field()), new EncryptionKey(samples.bytes(32)));
  }
}
