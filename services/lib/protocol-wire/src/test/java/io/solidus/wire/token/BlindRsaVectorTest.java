package io.solidus.wire.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.util.HexFormat;
import org.bouncycastle.crypto.CryptoException;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.bouncycastle.crypto.params.RSAPrivateCrtKeyParameters;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The vector of RFC 9474, appendix A.3, of RSABSSA-SHA384-PSS-Deterministic. */
class BlindRsaVectorTest {
  private static JsonNode vector;

  @BeforeAll
  static void read() throws IOException {
    try (InputStream in =
        BlindRsaVectorTest.class.getResourceAsStream("/rfc9474-pss-deterministic.json")) {
      vector = JsonMapper.shared().readTree(in);
    }
  }

  @Test
  void blindsTheKnownMessage() {
    assertThat(BlindRsa.blind(publicKey(), bytes("prepared_msg"), bytes("salt"), factor()))
        .isEqualTo(bytes("blinded_msg"));
  }

  @Test
  void signsTheKnownBlindedMessage() throws CryptoException {
    assertThat(BlindRsa.sign(privateKey(), bytes("blinded_msg"))).isEqualTo(bytes("blind_sig"));
  }

  @Test
  void unblindsTheKnownSignatureAndVerifiesIt() {
    byte[] signature = BlindRsa.unblind(publicKey(), bytes("blind_sig"), factor());
    assertThat(signature).isEqualTo(bytes("sig"));
    assertThat(BlindRsa.verifies(publicKey(), bytes("prepared_msg"), signature)).isTrue();
    signature[signature.length - 1] ^= 1;
    assertThat(BlindRsa.verifies(publicKey(), bytes("prepared_msg"), signature)).isFalse();
  }

  private static RSAKeyParameters publicKey() {
    return new RSAKeyParameters(false, number("n"), number("e"));
  }

  private static RSAPrivateCrtKeyParameters privateKey() {
    BigInteger p = number("p");
    BigInteger q = number("q");
    BigInteger d = number("d");
    return new RSAPrivateCrtKeyParameters(
        number("n"),
        number("e"),
        d,
        p,
        q,
        d.mod(p.subtract(BigInteger.ONE)),
        d.mod(q.subtract(BigInteger.ONE)),
        q.modInverse(p));
  }

  private static BigInteger factor() {
    return number("inv").modInverse(number("n"));
  }

  private static BigInteger number(String name) {
    return new BigInteger(1, bytes(name));
  }

  private static byte[] bytes(String name) {
    return HexFormat.of().parseHex(vector.path(name).asString());
  }
}
