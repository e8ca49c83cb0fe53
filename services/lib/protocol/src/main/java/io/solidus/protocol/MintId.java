package io.solidus.protocol;

/** The id of one mint. At most one coin is created for it. */
public record MintId(Digest32 value) {

  public static MintId of(byte[] bytes) {
    return new MintId(new Digest32(bytes));
  }

  public byte[] bytes() {
    return value.bytes();
  }

  public String hex() {
    return value.hex();
  }
}
