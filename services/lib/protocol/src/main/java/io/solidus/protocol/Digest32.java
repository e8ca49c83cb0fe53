package io.solidus.protocol;

/** A SHA-256 digest or another identifier of 32 bytes. */
public final class Digest32 extends FixedBytes {
  public static final int BYTES = 32;

  /**
   * @param bytes 32 bytes
   */
  public Digest32(byte[] bytes) {
    super(bytes, BYTES, "a digest");
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
}
