package io.solidus.wallet.model;

import io.solidus.protocol.ProtocolException;
import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The bank account of a withdrawal; only the issuer can read it. It is validated here, because the
 * money has left the network once the transfer is signed, and an invalid instruction delays the
 * payout.
 *
 * @param creditorName name of the account's holder, 1 to 140 characters
 * @param iban with valid check digits (ISO 13616); spaces are removed and small letters capitalised
 * @param reference for the bank statement, up to 140 characters, may be empty
 */
public record PayoutInstruction(String creditorName, String iban, String reference) {
  private static final int MAX_TEXT = 140;
  private static final Pattern SHAPE = Pattern.compile("[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}");
  private static final BigInteger MODULUS = BigInteger.valueOf(97);

  /**
   * Validates and normalises the instruction.
   *
   * @throws ProtocolException malformed-request
   */
  public PayoutInstruction {
    creditorName = text(creditorName, "account holder's name");
    reference = text(reference, "bank reference");
    iban = iban.replace(" ", "").toUpperCase(Locale.ROOT);
    if (creditorName.isEmpty()) {
      throw ProtocolException.malformed("the account holder's name is missing");
    }
    if (!SHAPE.matcher(iban).matches() || !hasValidCheckDigits(iban)) {
      throw ProtocolException.malformed("the account number is not a valid IBAN");
    }
  }

  @Override
  public String toString() {
    return "PayoutInstruction[redacted]";
  }

  private static String text(String value, String what) {
    String stripped = value.strip();
    if (stripped.length() > MAX_TEXT || stripped.chars().anyMatch(Character::isISOControl)) {
      throw ProtocolException.malformed("the " + what + " is too long or holds control characters");
    }
    return stripped;
  }

  private static boolean hasValidCheckDigits(String iban) {
    StringBuilder digits = new StringBuilder();
    (iban.substring(4) + iban.substring(0, 4))
        .chars()
        .forEach(c -> digits.append(Character.digit(c, 36)));
    return new BigInteger(digits.toString()).mod(MODULUS).equals(BigInteger.ONE);
  }
}
