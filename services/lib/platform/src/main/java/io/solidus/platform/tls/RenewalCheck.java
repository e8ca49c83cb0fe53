package io.solidus.platform.tls;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;

/**
 * Whether a renewed bundle can be used: it loads, every key fits its certificate, no certificate of
 * a key has ended, and neither keys nor trust are gone that were there before. A certificate that
 * is not valid yet passes: issuers' clocks are ahead by seconds, and nothing would ask again later.
 */
final class RenewalCheck {
  private static final int PROOF_BYTES = 32;
  private static final String PSS = "RSASSA-PSS";

  /** For a key that names no parameters of its own. */
  private static final PSSParameterSpec ANY_PSS =
      new PSSParameterSpec(
          "SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, PSSParameterSpec.TRAILER_FIELD_BC);

  private final SslBundle renewed;
  private final Instant now;

  private RenewalCheck(SslBundle renewed, Instant now) {
    this.renewed = renewed;
    this.now = now;
  }

  /**
   * The renewed bundle, loaded.
   *
   * @param before the stores in use
   * @throws RenewalRefusedException with the first thing that is wrong
   */
  static Material of(SslStoreBundle before, SslBundle renewed, Instant now)
      throws RenewalRefusedException {
    RenewalCheck check = new RenewalCheck(renewed, now);
    try {
      SslStoreBundle after = renewed.getStores();
      check.checkKeys(after.getKeyStore());
      if (keys(after.getKeyStore()).isEmpty() && had(() -> keys(before.getKeyStore()))) {
        throw new RenewalRefusedException("it has no key any more");
      }
      if (entries(after.getTrustStore()).isEmpty() && had(() -> entries(before.getTrustStore()))) {
        throw new RenewalRefusedException("it trusts nobody any more");
      }
      return Material.load(renewed);
    } catch (GeneralSecurityException | RuntimeException unreadable) {
      // its message might quote the file
      throw new RenewalRefusedException(
          "its files cannot be read (" + root(unreadable).getClass().getSimpleName() + ")");
    }
  }

  private void checkKeys(@Nullable KeyStore store)
      throws GeneralSecurityException, RenewalRefusedException {
    for (String alias : keys(store)) {
      Key key = store.getKey(alias, password());
      Certificate[] chain = store.getCertificateChain(alias);
      if (!(key instanceof PrivateKey secret)
          || chain == null
          || !(chain[0] instanceof X509Certificate own)) {
        throw new RenewalRefusedException("a key has no X.509 certificate");
      }
      if (!fits(secret, own.getPublicKey())) {
        throw new RenewalRefusedException("the private key is not the certificate's");
      }
      if (own.getNotAfter().toInstant().isBefore(now)) {
        throw new RenewalRefusedException(
            "the certificate ended on " + own.getNotAfter().toInstant());
      }
    }
  }

  /** Of a bundle that could not be read at the start nothing can be lost. */
  private static boolean had(Callable<List<String>> before) {
    try {
      return !before.call().isEmpty();
    } catch (Exception unreadable) {
      return false;
    }
  }

  /** Keys of two kinds, or of two sizes, are none that fit: one of the two steps throws then. */
  private static boolean fits(PrivateKey secret, PublicKey shown) throws GeneralSecurityException {
    byte[] proof = new byte[PROOF_BYTES];
    new SecureRandom().nextBytes(proof);
    Signature signing = signature(shown);
    Signature verifying = signature(shown);
    try {
      signing.initSign(secret);
      signing.update(proof);
      verifying.initVerify(shown);
      verifying.update(proof);
      return verifying.verify(signing.sign());
    } catch (InvalidKeyException | SignatureException ofAnother) {
      return false;
    }
  }

  private static Signature signature(PublicKey shown) throws GeneralSecurityException {
    return switch (shown.getAlgorithm()) {
      case "EC" -> Signature.getInstance("SHA256withECDSA");
      case "RSA" -> Signature.getInstance("SHA256withRSA");
      case PSS -> {
        Signature pss = Signature.getInstance(PSS);
        AlgorithmParameterSpec own = ((RSAKey) shown).getParams();
        pss.setParameter(own == null ? ANY_PSS : own);
        yield pss;
      }
      default -> Signature.getInstance(shown.getAlgorithm());
    };
  }

  private char @Nullable [] password() {
    String password = renewed.getKey().getPassword();
    String given = password != null ? password : renewed.getStores().getKeyStorePassword();
    return given == null ? null : given.toCharArray();
  }

  private static List<String> keys(@Nullable KeyStore store) throws KeyStoreException {
    List<String> found = new ArrayList<>();
    for (String alias : store == null ? List.<String>of() : Collections.list(store.aliases())) {
      if (store.isKeyEntry(alias)) {
        found.add(alias);
      }
    }
    return found;
  }

  private static List<String> entries(@Nullable KeyStore store) throws KeyStoreException {
    return store == null ? List.of() : Collections.list(store.aliases());
  }

  private static Throwable root(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
