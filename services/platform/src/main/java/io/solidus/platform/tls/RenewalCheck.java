package io.solidus.platform.tls;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;

/**
 * Whether a renewed bundle can be used: it loads, every key fits its certificate, no certificate of a key has ended, and neither keys nor
 * trust are gone that were there before. A certificate that is not valid yet passes: issuers' clocks are ahead by seconds, and nothing
 * would ask again later.
 */
final class RenewalCheck {
  private static final int PROOF_BYTES = 32;

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
  static Material of(SslStoreBundle before, SslBundle renewed, Instant now) throws RenewalRefusedException {
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
      throw new RenewalRefusedException("its files cannot be read (" + root(unreadable).getClass().getSimpleName() + ")");
    }
  }

  private void checkKeys(@Nullable KeyStore store) throws GeneralSecurityException, RenewalRefusedException {
    for (String alias : keys(store)) {
      Key key = store.getKey(alias, password());
      Certificate[] chain = store.getCertificateChain(alias);
      if (!(key instanceof PrivateKey secret) || chain == null || !(chain[0] instanceof X509Certificate own)) {
        throw new RenewalRefusedException("a key has no X.509 certificate");
      }
      if (!fits(secret, own.getPublicKey())) {
        throw new RenewalRefusedException("the private key is not the certificate's");
      }
      if (own.getNotAfter().toInstant().isBefore(now)) {
        throw new RenewalRefusedException("the certificate ended on " + own.getNotAfter().toInstant());
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

  private static boolean fits(PrivateKey secret, PublicKey shown) throws GeneralSecurityException {
    String algorithm =
        switch (shown.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> shown.getAlgorithm();
        };
    byte[] proof = new byte[PROOF_BYTES];
    new SecureRandom().nextBytes(proof);
    Signature signing = Signature.getInstance(algorithm);
    signing.initSign(secret);
    signing.update(proof);
    Signature verifying = Signature.getInstance(algorithm);
    verifying.initVerify(shown);
    verifying.update(proof);
    return verifying.verify(signing.sign());
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
