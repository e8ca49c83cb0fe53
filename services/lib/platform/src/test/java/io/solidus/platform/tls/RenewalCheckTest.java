package io.solidus.platform.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.solidus.platform.tls.TestAuthority.Issued;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks every kind of key against every kind of certificate. */
class RenewalCheckTest {
  private static final TestAuthority CA = new TestAuthority("ca");
  private static final Map<String, Issued> KINDS = kinds();

  private static Map<String, Issued> kinds() {
    PSSParameterSpec sha512 =
        new PSSParameterSpec(
            "SHA-512", "MGF1", MGF1ParameterSpec.SHA512, 64, PSSParameterSpec.TRAILER_FIELD_BC);
    Map<String, Issued> kinds = new LinkedHashMap<>();
    kinds.put("P-256", issue("EC", new ECGenParameterSpec("secp256r1")));
    kinds.put("P-384", issue("EC", new ECGenParameterSpec("secp384r1")));
    kinds.put(
        "RSA 2048", issue("RSA", new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4)));
    kinds.put(
        "RSA 3072", issue("RSA", new RSAKeyGenParameterSpec(3072, RSAKeyGenParameterSpec.F4)));
    kinds.put(
        "RSASSA-PSS",
        issue("RSASSA-PSS", new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4)));
    kinds.put(
        "RSASSA-PSS SHA-512",
        issue("RSASSA-PSS", new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4, sha512)));
    kinds.put("Ed25519", issue("Ed25519", null));
    return kinds;
  }

  private static Issued issue(String algorithm, @Nullable AlgorithmParameterSpec kind) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      if (kind != null) {
        generator.initialize(kind);
      }
      KeyPair keys = generator.generateKeyPair();
      return CA.issue(keys);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Issued issued(String kind) {
    return Objects.requireNonNull(KINDS.get(kind), kind);
  }

  static Stream<Arguments> pairs() {
    List<Arguments> pairs = new ArrayList<>();
    KINDS
        .keySet()
        .forEach(certificate ->
            KINDS.keySet().forEach(key -> pairs.add(Arguments.of(certificate, key))));
    return pairs.stream();
  }

  @ParameterizedTest(name = "certificate {0}, key {1}")
  @MethodSource("pairs")
  void aKeyMatchesOnlyItsOwnCertificate(String certificate, String key)
      throws RenewalRefusedException {
    var before = TestBundles.bundle(issued("P-256"), CA).getStores();
    var renewed =
        TestBundles.bundle(issued(certificate).certificatePem(), issued(key).keyPem(), CA.pem());
    if (certificate.equals(key)) {
      assertThat(RenewalCheck.check(before, renewed, Instant.now()).bundle()).isSameAs(renewed);
    } else {
      assertThatExceptionOfType(RenewalRefusedException.class)
          .isThrownBy(() -> RenewalCheck.check(before, renewed, Instant.now()))
          .withMessage("the private key does not match the certificate");
    }
  }
}
