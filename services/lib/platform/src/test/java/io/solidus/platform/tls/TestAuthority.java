package io.solidus.platform.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x509.TBSCertificate;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.asn1.x509.V3TBSCertificateGenerator;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/** A certificate authority for tests, with P-256 keys. */
public final class TestAuthority {
  private static final Duration DAYS = Duration.ofDays(90);
  private static final AlgorithmIdentifier ECDSA =
      new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256);
  private static final AtomicLong SERIAL = new AtomicLong();

  private final X500Name name;
  private final KeyPair keys = newKeys();
  private final X509Certificate certificate;

  /** A key pair and its certificate. */
  public record Issued(KeyPair keys, X509Certificate certificate) {
    public String certificatePem() {
      return pem("CERTIFICATE", encoded(certificate));
    }

    public String keyPem() {
      return pem("PRIVATE KEY", keys.getPrivate().getEncoded());
    }

    public BigInteger serial() {
      return certificate.getSerialNumber();
    }
  }

  public TestAuthority(String name) {
    this.name = new X500Name("CN=" + name);
    this.certificate = sign(this.name, keys, this.name, Instant.now().plus(DAYS), true);
  }

  /** Issues a certificate for localhost that is valid for 90 days. */
  public Issued issue() {
    return issue("localhost", Instant.now().plus(DAYS));
  }

  public Issued issue(String host, Instant end) {
    KeyPair own = newKeys();
    return new Issued(own, sign(new X500Name("CN=" + host), own, name, end, false));
  }

  /** Issues a certificate for a key pair of any kind. */
  public Issued issue(KeyPair own) {
    return new Issued(
        own, sign(new X500Name("CN=localhost"), own, name, Instant.now().plus(DAYS), false));
  }

  public String pem() {
    return pem("CERTIFICATE", encoded(certificate));
  }

  private X509Certificate sign(
      X500Name subject, KeyPair own, X500Name issuer, Instant end, boolean authority) {
    V3TBSCertificateGenerator parts = new V3TBSCertificateGenerator();
    parts.setSerialNumber(new ASN1Integer(SERIAL.incrementAndGet()));
    parts.setSignature(ECDSA);
    parts.setIssuer(issuer);
    parts.setSubject(subject);
    parts.setStartDate(new Time(Date.from(end.minus(DAYS.multipliedBy(2)))));
    parts.setEndDate(new Time(Date.from(end)));
    parts.setSubjectPublicKeyInfo(SubjectPublicKeyInfo.getInstance(own.getPublic().getEncoded()));
    try {
      ExtensionsGenerator extensions = new ExtensionsGenerator();
      extensions.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
      String host = subject.toString().substring("CN=".length());
      extensions.addExtension(
          Extension.subjectAlternativeName,
          false,
          new GeneralNames(new GeneralName(GeneralName.dNSName, host.replace(' ', '-'))));
      parts.setExtensions(extensions.generate());
      TBSCertificate body = parts.generateTBSCertificate();
      Signature signing = Signature.getInstance("SHA256withECDSA");
      signing.initSign(keys.getPrivate());
      signing.update(body.getEncoded("DER"));
      ASN1EncodableVector whole = new ASN1EncodableVector();
      whole.add(body);
      whole.add(ECDSA);
      whole.add(new DERBitString(signing.sign()));
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(
                  new ByteArrayInputStream(new DERSequence(whole).getEncoded("DER")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] encoded(X509Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String pem(String type, byte[] der) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
  }

  private static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
