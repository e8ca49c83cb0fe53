package io.solidus.protocol;

/**
 * Money in minor units of the network's one currency.
 *
 * @param minor 0 to 2^63 - 1
 */
public record Amount(long minor) implements Comparable<Amount> {
  public static final Amount ZERO = new Amount(0);

  public Amount {
    if (minor < 0) {
      throw ProtocolException.malformed("an amount is not negative");
    }
  }

  public static Amount of(long minor) {
    return new Amount(minor);
  }

  /**
   * Returns the sum.
   *
   * @throws ProtocolException malformed-request on overflow
   */
  public Amount plus(Amount other) {
    try {
      return new Amount(Math.addExact(minor, other.minor));
    } catch (ArithmeticException e) {
      throw ProtocolException.malformed("a sum of amounts is too large");
    }
  }

  /**
   * Returns the difference.
   *
   * @throws ProtocolException insufficient-funds when {@code other} is larger
   */
  public Amount minus(Amount other) {
    if (other.minor > minor) {
      throw new ProtocolException(
          RejectionCode.INSUFFICIENT_FUNDS, "the amount is smaller than what is taken from it");
    }
    return new Amount(minor - other.minor);
  }

  public boolean isZero() {
    return minor == 0;
  }

  @Override
  public int compareTo(Amount other) {
    return Long.compare(minor, other.minor);
  }
}
