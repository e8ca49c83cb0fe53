package io.solidus.wire.ohttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.solidus.protocol.ObliviousKey;
import io.solidus.protocol.Spec;
import io.solidus.wire.hpke.FixedSender;
import io.solidus.wire.hpke.Hpke;
import io.solidus.wire.hpke.HpkePrivateKey;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

@Spec("F-60")
class ObliviousHttpTest {
  /** RFC 9458, appendix A. */
  private static final byte[] SECRET_KEY =
      hex("3c168975674b2fa8e465970b79c8dcf09f1c741626480bd4c6162fc5b6a98e1a");

  private static final byte[] EPHEMERAL =
      hex("bc51d5e930bda26589890ac7032f70ad12e4ecb37abb1b65b1256c9c48999c73");
  private static final String PUBLIC_KEY =
      "31e1f05a740102115220e9af918f738674aec95f54db6e04eb705aae8e798155";
  private static final byte[] REQUEST = hex("00034745540568747470730b6578616d706c652e636f6d012f");
  private static final byte[] ENCAPSULATED_REQUEST =
      hex(
          "010020000100014b28f881333e7c164ffc499ad9796f877f4e1051ee6d31bad19dec96c208b472"
              + "6374e469135906992e1268c594d2a10c695d858c40a026e7965e7d86b83dd440b2c0185204b4d63525");
  private static final byte[] RESPONSE = hex("0140c8");
  private static final byte[] RESPONSE_NONCE = hex("c789e7151fcba46158ca84b04464910d");
  private static final byte[] ENCAPSULATED_RESPONSE =
      hex("c789e7151fcba46158ca84b04464910d86f9013e404feea014e7be4a441f234f857fbd");

  private final SecureRandom random = new SecureRandom();
  private final HpkePrivateKey key = HpkePrivateKey.of(SECRET_KEY);
  private final ObliviousKey configuration = new ObliviousKey(1, key.publicKey());

  @Test
  void theExampleOfTheRfcHasTheKnownOctets() {
    byte[] header = ObliviousHttp.header(1);
    ObliviousHttp.Sent sent =
        ObliviousHttp.seal(
            header,
            FixedSender.of(
                key.publicKey(), ObliviousHttp.info(header), Hpke.Aead.AES_128_GCM, EPHEMERAL),
            REQUEST);
    assertThat(sent.message()).isEqualTo(ENCAPSULATED_REQUEST);
    assertThat(ObliviousHttp.keyId(ENCAPSULATED_REQUEST)).isEqualTo(1);
    ObliviousHttp.Received received = ObliviousHttp.open(key, ENCAPSULATED_REQUEST);
    assertThat(received.request()).isEqualTo(REQUEST);
    assertThat(received.seal(RESPONSE, RESPONSE_NONCE)).isEqualTo(ENCAPSULATED_RESPONSE);
    assertThat(sent.open(ENCAPSULATED_RESPONSE)).isEqualTo(RESPONSE);
  }

  @Test
  void aKeyConfigurationIsThatOfTheRfcWithOneSuite() {
    assertThat(HexFormat.of().formatHex(configuration.bytes()))
        .isEqualTo("010020" + PUBLIC_KEY + "000400010001");
    assertThat(ObliviousKey.of(configuration.bytes())).isEqualTo(configuration);
  }

  @Test
  void everyChangedOctetAndEveryTruncationIsRefused() {
    ObliviousHttp.Sent sent = ObliviousHttp.seal(configuration, REQUEST);
    byte[] answer = ObliviousHttp.open(key, sent.message()).seal(RESPONSE, random);
    assertThat(sent.open(answer)).isEqualTo(RESPONSE);
    for (int at = 0; at < sent.message().length; at++) {
      byte[] changed = changed(sent.message(), at);
      byte[] cut = Arrays.copyOf(sent.message(), at);
      assertRefused(() -> ObliviousHttp.open(key, changed));
      assertRefused(() -> ObliviousHttp.open(key, cut));
    }
    for (int at = 0; at < answer.length; at++) {
      byte[] changed = changed(answer, at);
      byte[] cut = Arrays.copyOf(answer, at);
      assertRefused(() -> sent.open(changed));
      assertRefused(() -> sent.open(cut));
    }
  }

  @Test
  void anotherKeyAndTheAnswerToAnotherRequestAreRefused() {
    ObliviousHttp.Sent sent = ObliviousHttp.seal(configuration, REQUEST);
    assertRefused(() -> ObliviousHttp.open(HpkePrivateKey.generate(random), sent.message()));
    byte[] other =
        ObliviousHttp.open(key, ObliviousHttp.seal(configuration, REQUEST).message())
            .seal(RESPONSE, random);
    assertRefused(() -> sent.open(other));
  }

  @Test
  void otherAlgorithmsAreRefused() {
    for (int at = 1; at < 7; at++) {
      byte[] other = changed(ENCAPSULATED_REQUEST, at);
      assertRefused(() -> ObliviousHttp.keyId(other));
    }
  }

  private static byte[] changed(byte[] message, int at) {
    byte[] changed = message.clone();
    changed[at] ^= 1;
    return changed;
  }

  private static void assertRefused(Runnable work) {
    assertThatExceptionOfType(BinaryHttpException.class).isThrownBy(work::run);
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }
}
