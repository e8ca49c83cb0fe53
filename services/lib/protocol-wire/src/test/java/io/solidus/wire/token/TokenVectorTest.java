package io.solidus.wire.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The vectors of RFC 9578, appendix A.2, and tokens that are not quite those. */
class TokenVectorTest {
  private static final JsonNode FILE = read();
  private static TokenIssuer issuer;

  private static JsonNode read() {
    try (InputStream in = TokenVectorTest.class.getResourceAsStream("/rfc9578-blind-rsa.json")) {
      return JsonMapper.shared().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Stream<JsonNode> vectors() {
    return FILE.path("vectors").valueStream();
  }

  @BeforeAll
  static void issuer() {
    String pem = new String(bytes(FILE, "skS"), StandardCharsets.US_ASCII);
    issuer =
        TokenIssuer.of(Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]*-----", "")));
  }

  @Test
  @Spec("A-02")
  void encodesTheKnownKey() {
    byte[] spki = bytes(FILE, "pkS");
    assertThat(issuer.publicKey().spki()).isEqualTo(spki);
    assertThat(TokenKey.of(spki)).isEqualTo(issuer.publicKey());
    assertThat(TokenIssuer.of(issuer.pkcs8()).publicKey()).isEqualTo(issuer.publicKey());
  }

  @Test
  @Spec("A-02")
  void refusesEveryOtherEncodingOfAKey() {
    byte[] spki = bytes(FILE, "pkS");
    for (int at : new int[] {0, 20, 81, spki.length - 1}) {
      byte[] other = spki.clone();
      other[at] ^= 1;
      assertThatThrownBy(() -> TokenKey.of(other)).isInstanceOf(ProtocolException.class);
    }
    byte[] even = spki.clone();
    even[spki.length - 6] &= (byte) 0xfe;
    assertThatThrownBy(() -> TokenKey.of(even)).isInstanceOf(ProtocolException.class);
    assertThatThrownBy(() -> TokenKey.of(Arrays.copyOf(spki, spki.length + 1)))
        .isInstanceOf(ProtocolException.class);
  }

  @ParameterizedTest
  @MethodSource("vectors")
  @Spec({"A-01", "A-03", "A-04", "A-05", "A-06"})
  void issuesTheKnownToken(JsonNode vector) {
    BlindedToken blinded = blinded(vector);
    assertThat(blinded.request().encode()).isEqualTo(bytes(vector, "token_request"));
    byte[] response = issuer.sign(TokenRequest.decode(bytes(vector, "token_request")));
    assertThat(response).isEqualTo(bytes(vector, "token_response"));
    Token token = blinded.finish(response);
    assertThat(token.encode()).isEqualTo(bytes(vector, "token"));
    assertThat(Token.decode(token.encode())).isEqualTo(token);
    assertThat(token.isSignedBy(issuer.publicKey())).isTrue();
  }

  @Test
  @Spec("A-01")
  void encodesTheKnownChallenge() {
    assertThat(
            new TokenChallenge(
                    "issuer.example",
                    HexFormat.of()
                        .parseHex(
                            "8e7acc900e393381e8810b7c9e4a68b5163f1f880ab6688a6ffe780923609e88"),
                    "origin.example")
                .encode())
        .isEqualTo(bytes(FILE.path("vectors").path(0), "token_challenge"));
    assertThat(new TokenChallenge("issuer.example", new byte[0], "origin.example").encode())
        .isEqualTo(bytes(FILE.path("vectors").path(1), "token_challenge"));
    assertThatThrownBy(() -> new TokenChallenge("", new byte[0], "origin.example"))
        .isInstanceOf(ProtocolException.class);
    assertThatThrownBy(() -> new TokenChallenge("issuer.example", new byte[31], ""))
        .isInstanceOf(ProtocolException.class);
  }

  @Test
  @Spec("A-05")
  void theIssuerRefusesWhatItCannotSign() {
    TokenRequest request = blinded(FILE.path("vectors").path(0)).request();
    assertThatThrownBy(
            () -> issuer.sign(new TokenRequest(request.shortKeyId() ^ 1, request.blinded())))
        .isInstanceOf(ProtocolException.class);
    byte[] tooLarge = new byte[TokenKey.MODULUS_BYTES];
    Arrays.fill(tooLarge, (byte) -1);
    for (byte[] blinded : new byte[][] {tooLarge, new byte[TokenKey.MODULUS_BYTES]}) {
      assertThatThrownBy(() -> issuer.sign(new TokenRequest(request.shortKeyId(), blinded)))
          .isInstanceOf(ProtocolException.class);
    }
  }

  /** An issuer that answers with something else gives the wallet no token that marks it. */
  @Test
  @Spec("A-04")
  void aWrongAnswerMakesNoToken() {
    BlindedToken blinded = blinded(FILE.path("vectors").path(0));
    byte[] signed = issuer.sign(blinded.request());
    signed[7] ^= 1;
    assertThatThrownBy(() -> blinded.finish(signed)).isInstanceOf(ProtocolException.class);
    assertThatThrownBy(() -> blinded.finish(new byte[0])).isInstanceOf(ProtocolException.class);
  }

  @Test
  @Spec("A-06")
  void aTokenCountsForItsNonceChallengeAndKeyOnly() {
    Token token = Token.decode(bytes(FILE.path("vectors").path(0), "token"));
    Digest32 other = Digest32.sha256();
    TokenKey key = issuer.publicKey();
    assertThat(
            new Token(other, token.challenge(), token.keyId(), token.authenticator())
                .isSignedBy(key))
        .isFalse();
    assertThat(
            new Token(token.nonce(), other, token.keyId(), token.authenticator()).isSignedBy(key))
        .isFalse();
    assertThat(
            new Token(token.nonce(), token.challenge(), other, token.authenticator())
                .isSignedBy(key))
        .isFalse();
    byte[] large = new byte[TokenKey.MODULUS_BYTES];
    Arrays.fill(large, (byte) -1);
    assertThat(new Token(token.nonce(), token.challenge(), token.keyId(), large).isSignedBy(key))
        .isFalse();
  }

  @Test
  @Spec("A-06")
  void aTokenGoesThroughTheHeader() {
    Token token = Token.decode(bytes(FILE.path("vectors").path(0), "token"));
    assertThat(Token.ofAuthorization(token.authorization())).contains(token);
    assertThat(Token.ofAuthorization(token.authorization().replace("\"", ""))).contains(token);
    assertThat(Token.ofAuthorization("Bearer " + token.authorization())).isEmpty();
    assertThat(Token.ofAuthorization(token.authorization() + ", x=1")).isEmpty();
    assertThat(Token.ofAuthorization("")).isEmpty();
    byte[] otherType = token.encode();
    otherType[1] = 1;
    assertThat(
            Token.ofAuthorization(
                "PrivateToken token=" + Base64.getUrlEncoder().encodeToString(otherType)))
        .isEmpty();
    assertThat(token.toString()).isEqualTo("Token[redacted]");
  }

  /**
   * Factors above half of the modulus are drawn too: below it, the issuer could tell for half of
   * all pairs that a token is not from a request.
   */
  @Test
  @Spec("A-04")
  void factorsAreAnyNumbersBelowTheModulus() {
    TokenChallenge challenge = new TokenChallenge("issuer.example", new byte[0], "");
    BigInteger modulus = issuer.publicKey().parameters().getModulus();
    long above =
        Stream.generate(
                () -> BlindedToken.draw(issuer.publicKey(), challenge, new SecureRandom()).factor())
            .limit(64)
            .peek(factor -> assertThat(factor).isLessThan(modulus))
            .filter(factor -> factor.bitLength() == modulus.bitLength())
            .count();
    assertThat(above).isPositive();
  }

  private static BlindedToken blinded(JsonNode vector) {
    return new BlindedToken(
        issuer.publicKey(),
        Digest32.sha256(bytes(vector, "token_challenge")),
        Digest32.of(bytes(vector, "nonce")),
        bytes(vector, "salt"),
        new BigInteger(1, bytes(vector, "blind")));
  }

  private static byte[] bytes(JsonNode object, String name) {
    return HexFormat.of().parseHex(object.path(name).asString());
  }
}
