package io.solidus.protocol;

/**
 * A coin's serial number, sn = H(snk, rho), which becomes public when the coin is spent. Only one
 * core ever spends it.
 */
public record SerialNumber(FieldElement value) implements Comparable<SerialNumber> {

  public static SerialNumber of(byte[] bytes) {
    return new SerialNumber(new FieldElement(bytes));
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
