package io.solidus.protocol;

/**
 * What becomes public when a coin is spent, sn = H(snk, rho): each is spent by one core for ever.
 */
public record SerialNumber(FieldElement value) implements Comparable<SerialNumber> {

  public static SerialNumber of(byte[] bytes) {
    return new SerialNumber(new FieldElement(bytes));
  }

  public static SerialNumber fromHex(String hex) {
    return new SerialNumber(FieldElement.fromHex(hex));
  }

  public byte[] bytes() {
    return value.bytes();
  }

  public String hex() {
    return value.hex();
  }

  @Override
  public int compareTo(SerialNumber other) {
    return value.compareTo(other.value);
  }
}
