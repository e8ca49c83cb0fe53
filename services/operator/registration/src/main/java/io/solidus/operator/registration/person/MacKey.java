package io.solidus.operator.registration.person;

import io.solidus.protocol.Digest32;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A key for HMAC-SHA-256. */
final class MacKey {
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  private MacKey(byte[] bytes) {
    this.key = new SecretKeySpec(bytes, ALGORITHM);
  }

  static MacKey of(byte[] bytes) {
    return new MacKey(bytes);
  }

  MacKey derive(String label) {
    return derive(label.getBytes(StandardCharsets.US_ASCII));
  }

  MacKey derive(byte[] label) {
    return new MacKey(mac(label).bytes());
  }

  Digest32 mac(byte[] message) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return new Digest32(mac.doFinal(message));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("HMAC-SHA-256 is part of every Java platform", e);
    }
  }
}
