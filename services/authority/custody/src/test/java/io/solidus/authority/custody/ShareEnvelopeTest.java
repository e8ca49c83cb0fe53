package io.solidus.authority.custody;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Spec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The envelope's bytes, which need no token. */
class ShareEnvelopeTest {
  private static final Binding BINDING =
      new Binding(new NetworkId("some-network"), 3, 7, Digest32.fromHex("5a".repeat(32)));

  private static final String ENVELOPE =
      "{\"format\":\"solidus/share-envelope/v1\",\"networkId\":\"some-network\",\"authority\":3,\"epoch\":7,\"manifestSha256\":\""
          + "5a".repeat(32)
          + "\",\"wrap\":\"AES-GCM\",\"keyLabel\":\"share-kek\",\"wrappedKey\":\""
          + "01".repeat(60)
          + "\",\"nonce\":\""
          + "02".repeat(12)
          + "\",\"sealed\":\""
          + "03".repeat(64)
          + "\"}\n";

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void isWrittenAsItWasRead() {
    ShareEnvelope envelope = ShareEnvelope.parse(bytes(ENVELOPE));
    assertThat(envelope.encode()).isEqualTo(bytes(ENVELOPE));
    assertThat(envelope.binding()).isEqualTo(BINDING);
    assertThat(envelope.keyLabel()).isEqualTo("share-kek");
    assertThat(ShareEnvelope.looksLikeOne(bytes(ENVELOPE))).isTrue();
    assertThat(ShareEnvelope.looksLikeOne(bytes("{\"index\":1,\"class\":\"ceremony\"}"))).isFalse();
  }

  static List<Arguments> alterations() {
    return List.of(
        Arguments.of("{\"format\"", "{ \"format\""),
        Arguments.of("envelope/v1", "envelope/v2"),
        Arguments.of("some-network", "some_network"),
        Arguments.of("\"authority\":3", "\"authority\":03"),
        Arguments.of("\"authority\":3", "\"authority\":0"),
        Arguments.of("\"authority\":3", "\"authority\":12345"),
        Arguments.of("\"authority\":3", "\"authority\":\"3\""),
        Arguments.of("\"epoch\":7", "\"epoch\":-7"),
        Arguments.of("\"epoch\":7", "\"epoch\":4294967296"),
        Arguments.of("\"epoch\":7", "\"epoch\":7,\"epoch\":7"),
        Arguments.of("5a5a5a", "5A5A5A"),
        Arguments.of("AES-GCM", "NONE"),
        Arguments.of("share-kek", "share kek"),
        Arguments.of("\"0101", "\"01"),
        Arguments.of("\"0202", "\"020202"),
        Arguments.of("\"0303", "\"030"),
        Arguments.of("}\n", "}"),
        Arguments.of("}\n", "} \n"),
        Arguments.of("}\n", "}\n\n"),
        Arguments.of("}\n", ",\"more\":1}\n"));
  }

  @ParameterizedTest
  @MethodSource("alterations")
  @Spec("K-06")
  void isReadInOneFormOnly(String part, String other) {
    String altered = ENVELOPE.replace(part, other);
    assertThat(altered).isNotEqualTo(ENVELOPE);
    assertMalformed(altered);
  }

  @Test
  void isNeitherCutNorLong() {
    for (int length = 0; length < ENVELOPE.length(); length++) {
      assertMalformed(ENVELOPE.substring(0, length));
    }
    assertMalformed(ENVELOPE.replace("03".repeat(64), "03".repeat(8000)));
    assertMalformed(ENVELOPE.replace("03".repeat(64), "03".repeat(16)));
  }

  @Test
  @Spec("K-05")
  void isForOneShareOfOneManifest() {
    NetworkId network = BINDING.network();
    Digest32 manifest = BINDING.manifest();
    BINDING.require(new Binding(network, 3, 7, manifest));
    assertOther(CustodyCode.OTHER_NETWORK, new Binding(new NetworkId("another"), 3, 7, manifest));
    assertOther(CustodyCode.OTHER_AUTHORITY, new Binding(network, 2, 7, manifest));
    assertOther(CustodyCode.OTHER_EPOCH, new Binding(network, 3, 6, manifest));
    assertOther(
        CustodyCode.OTHER_MANIFEST, new Binding(network, 3, 7, Digest32.fromHex("5b".repeat(32))));
  }

  private static void assertOther(CustodyCode code, Binding found) {
    assertThatExceptionOfType(CustodyException.class)
        .isThrownBy(() -> BINDING.require(found))
        .satisfies(e -> assertThat(e.code()).isEqualTo(code))
        .withMessageStartingWith(code.name());
  }

  private static void assertMalformed(String text) {
    assertThatExceptionOfType(CustodyException.class)
        .as(text)
        .isThrownBy(() -> ShareEnvelope.parse(bytes(text)))
        .satisfies(e -> assertThat(e.code()).isEqualTo(CustodyCode.ENVELOPE_MALFORMED));
  }
}
