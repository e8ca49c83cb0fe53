package io.solidus.platform.tls;

import io.solidus.platform.tls.TestAuthority.Issued;
import java.math.BigInteger;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/** TLS bundles for tests, made as from the files of a pod. */
public final class TestBundles {
  public static final String NAME = "internal";

  private TestBundles() {}

  /** Makes a registry with one bundle. */
  public static RenewingBundles registry(SslBundle first) {
    RenewingBundles bundles =
        new RenewingBundles(Clock.systemUTC(), new CertificateFiles(Map.of()));
    bundles.registerBundle(NAME, first);
    return bundles;
  }

  public static SslBundle bundle(Issued own, TestAuthority... trusted) {
    return bundle(own.certificatePem(), own.keyPem(), trust(trusted));
  }

  public static SslBundle bundle(
      @Nullable String certificate, @Nullable String key, @Nullable String trust) {
    return SslBundle.of(
        new PemSslStoreBundle(
            PemSslStoreDetails.forCertificate(certificate).withPrivateKey(key),
            PemSslStoreDetails.forCertificate(trust)));
  }

  public static String trust(TestAuthority... trusted) {
    return Arrays.stream(trusted).map(TestAuthority::pem).collect(Collectors.joining());
  }

  /** Returns the serial number of a bundle's certificate. */
  public static BigInteger serial(SslBundle bundle) {
    try {
      KeyStore keys = Objects.requireNonNull(bundle.getStores().getKeyStore());
      return ((X509Certificate) keys.getCertificate("ssl")).getSerialNumber();
    } catch (KeyStoreException e) {
      throw new IllegalStateException(e);
    }
  }
}
