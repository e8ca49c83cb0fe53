package io.solidus.protocol;

import java.util.Arrays;

/**
 * A SHA-256 digest or another 32-byte identifier.
 *
 * @param bytes 32 bytes
 */
public record Digest32(byte[] bytes) {
  public static final int BYTES = 32;

  public Digest32 {
    bytes = Bytes.fixed(bytes, BYTES, "a digest");
  }

  public static Digest32 of(byte[] bytes) {
    return new Digest32(bytes);
  }

  public static Digest32 fromHex(String hex) {
    return new Digest32(Bytes.fromHex(hex, "a digest"));
  }

  /** SHA-256 over the concatenation of the parts. */
  public static Digest32 sha256(byte[]... parts) {
    return new Digest32(Transcript.digest("SHA-256", parts));
  }

  @Override
  public byte[] bytes() {
    return bytes.clone();
  }

  public String hex() {
    return Bytes.hex(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Digest32 that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "Digest32[" + hex().substring(0, 12) + "...]";
  }
}
