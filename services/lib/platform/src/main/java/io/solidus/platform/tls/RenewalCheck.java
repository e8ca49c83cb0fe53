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
 * Checks that a renewed bundle is usable: it loads, every key matches its certificate, no
 * certificate of a key has expired, and keys and trust that were there before are not missing. A
 * certificate that is not valid yet passes, because the issuer's clock may be seconds ahead and no
 * later check would accept it.
 */
final class RenewalCheck {
  private static final int PROOF_BYTES = 32;
  private static final String PSS = "RSASSA-PSS";

  /** Parameters for a key that has none. */
  private static final PSSParameterSpec DEFAULT_PSS =
      new PSSParameterSpec(
          "SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, PSSParameterSpec.TRAILER_FIELD_BC);

  private final SslBundle renewed;
  private final Instant now;

  private RenewalCheck(SslBundle renewed, Instant now) {
    this.renewed = renewed;
    this.now = now;
  }

  /**
   * Loads and checks the renewed bundle.
   *
   * @param before the stores in use
   * @throws RenewalRefusedException with the first fault
   */
  static LoadedBundle check(SslStoreBundle before, SslBundle renewed, Instant now)
      throws RenewalRefusedException {
    RenewalCheck checked = new RenewalCheck(renewed, now);
    try {
      SslStoreBundle after = renewed.getStores();
      if (after.getKeyStore() != null) {
        checked.requireUsableKeys(after.getKeyStore());
      }
      if (keys(after.getKeyStore()).isEmpty() && had(() -> keys(before.getKeyStore()))) {
        throw new RenewalRefusedException("its key is missing");
      }
      if (entries(after.getTrustStore()).isEmpty() && had(() -> entries(before.getTrustStore()))) {
        throw new RenewalRefusedException("its trusted certificates are missing");
      }
      return LoadedBundle.load(renewed);
    } catch (GeneralSecurityException | RuntimeException e) {
      // without the message, which may quote the file
      throw new RenewalRefusedException(
          "its files cannot be read (" + root(e).getClass().getSimpleName() + ")");
    }
  }

  private void requireUsableKeys(KeyStore store)
      throws GeneralSecurityException, RenewalRefusedException {
    for (String alias : keys(store)) {
      Key key = store.getKey(alias, password());
      Certificate[] chain = store.getCertificateChain(alias);
      if (!(key instanceof PrivateKey secret)
          || chain == null
          || !(chain[0] instanceof X509Certificate own)) {
        throw new RenewalRefusedException("a key has no X.509 certificate");
      }
      if (!matches(secret, own.getPublicKey())) {
        throw new RenewalRefusedException("the private key does not match the certificate");
      }
      if (own.getNotAfter().toInstant().isBefore(now)) {
        throw new RenewalRefusedException(
            "the certificate expired on " + own.getNotAfter().toInstant());
      }
    }
  }

  /** Returns false also for a bundle that could not be read at the start. */
  private static boolean had(Callable<List<String>> before) {
    try {
      return !before.call().isEmpty();
    } catch (Exception e) {
      return false;
    }
  }

  /** Signs and verifies. One of both throws for keys of different types or sizes. */
  private static boolean matches(PrivateKey secret, PublicKey shown)
      throws GeneralSecurityException {
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
    } catch (InvalidKeyException | SignatureException e) {
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
        pss.setParameter(own == null ? DEFAULT_PSS : own);
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
    if (store == null) {
      return found;
    }
    for (String alias : Collections.list(store.aliases())) {
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
