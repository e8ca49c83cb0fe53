package io.solidus.operator.issuance.funding;

import io.solidus.protocol.Digest32;
import io.solidus.wire.json.Base64Url;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;

/** The access token of a funding: 256 random bits, of which only the hash is stored. */
record AccessToken(String text) {
  private static final int BYTES = 32;
  private static final int MAX_CHARS = 64;

  static AccessToken create(SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return new AccessToken(Base64Url.encode(bytes));
  }

  Digest32 hash() {
    return Digest32.sha256(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Compares in constant time. */
  static boolean opens(String given, Digest32 storedHash) {
    return given.length() <= MAX_CHARS
        && MessageDigest.isEqual(new AccessToken(given).hash().bytes(), storedHash.bytes());
  }

  @Override
  public String toString() {
    return "AccessToken[redacted]";
  }
}
