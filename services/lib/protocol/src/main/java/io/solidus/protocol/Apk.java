package io.solidus.protocol;

/**
 * A holder's address key, H(nk, pk_auth) (protocol section 2).
 *
 * @param value not zero
 */
public record Apk(FieldElement value) {
  public Apk {
    if (value.isZero()) {
      throw ProtocolException.malformed("an apk is not zero");
    }
  }

  public static Apk of(byte[] bytes) {
    return new Apk(new FieldElement(bytes));
  }

  public byte[] bytes() {
    return value.bytes();
  }

  public String hex() {
    return value.hex();
  }
}
