package io.solidus.authority.common;

import io.solidus.platform.secrets.SecretFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that processes of one authority send each other: only they may reserve serial numbers
 * and request signatures. It is derived from the note key of the authority, which shards and signer
 * hold. The compliance issuer holds the token alone, so it cannot sign in the authority's name. TLS
 * keeps the token secret between machines.
 */
public final class InternalToken {

  private static final byte[] LABEL =
      "solidus/internal-token/v1".getBytes(StandardCharsets.US_ASCII);

  private final String value;

  private InternalToken(String value) {
    this.value = value;
  }

  /**
   * Derives the token from a file.
   *
   * @param noteKeyFile the 32-byte seed of the authority's note key
   * @throws IllegalStateException when the file cannot be read, has another length or is all zeros
   */
  public static InternalToken read(Path noteKeyFile) {
    return SecretFile.read(noteKeyFile, "the note key's file", InternalToken::derive);
  }

  /**
   * Reads a token that was derived before.
   *
   * @param tokenFile the 32 bytes of {@link #bytes}
   * @throws IllegalStateException when the file cannot be read, has another length or is all zeros
   */
  public static InternalToken readDerived(Path tokenFile) {
    return SecretFile.read(
        tokenFile,
        "the internal token's file",
        bytes -> new InternalToken(HexFormat.of().formatHex(bytes)));
  }

  /**
   * Derives the token from a seed.
   *
   * @param noteKeySeed 32 bytes; not kept
   */
  public static InternalToken derive(byte[] noteKeySeed) {
    return new InternalToken(HexFormat.of().formatHex(bytes(noteKeySeed)));
  }

  /**
   * The content of a token's file: HMAC-SHA-256 of the label under the seed.
   *
   * @param noteKeySeed 32 bytes; not kept
   */
  public static byte[] bytes(byte[] noteKeySeed) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(noteKeySeed, "HmacSHA256"));
      return mac.doFinal(LABEL);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("HMAC-SHA-256 is part of every JDK", e);
    }
  }

  String value() {
    return value;
  }

  boolean matches(String shown) {
    return MessageDigest.isEqual(
        value.getBytes(StandardCharsets.US_ASCII), shown.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public String toString() {
    return "InternalToken[redacted]";
  }
}
