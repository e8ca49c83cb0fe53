package io.solidus.operator.issuance.redemption;

import io.solidus.protocol.ProtocolException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A payout instruction: the account that gets the withdrawn money.
 *
 * @param creditorName 1 to 140 characters
 * @param account the wallet's IBAN without spaces; its check digits may be wrong
 * @param reference for the bank statement, up to 140 characters, may be empty
 */
record Payout(String creditorName, String account, String reference) {
  private static final int MAX_TEXT = 140;
  private static final Pattern ACCOUNT = Pattern.compile("[A-Z0-9]{5,34}");
  private static final Pattern IBAN = Pattern.compile("[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}");
  private static final BigInteger IBAN_MODULUS = BigInteger.valueOf(97);

  /** Unknown fields are ignored, because newer wallets may send more. */
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private record Instruction(
      @Nullable String creditorName, @Nullable String iban, @Nullable String reference) {}

  /**
   * Parses an instruction, which is JSON padded with zeros.
   *
   * @throws ProtocolException malformed-request
   */
  static Payout parse(byte[] padded) {
    int length = padded.length;
    while (length > 0 && padded[length - 1] == 0) {
      length--;
    }
    byte[] text = Arrays.copyOf(padded, length);
    try {
      Instruction instruction = JSON.readValue(text, Instruction.class);
      return of(instruction == null ? new Instruction(null, null, null) : instruction);
    } catch (JacksonException e) {
      throw malformed();
    } finally {
      Arrays.fill(text, (byte) 0);
    }
  }

  private static Payout of(Instruction instruction) {
    String name = text(instruction.creditorName());
    String account = text(instruction.iban()).replace(" ", "").toUpperCase(Locale.ROOT);
    if (name.isBlank() || !ACCOUNT.matcher(account).matches()) {
      throw malformed();
    }
    return new Payout(name, account, text(instruction.reference()));
  }

  /**
   * Returns another payee, without a reference.
   *
   * @throws ProtocolException malformed-request
   */
  static Payout corrected(String creditorName, String iban) {
    return of(new Instruction(creditorName, iban, null));
  }

  /** The payee of a correction, with the reference of the wallet's instruction. */
  Payout withReference(String of) {
    return new Payout(creditorName, account, of);
  }

  byte[] toJson() {
    return JSON.writeValueAsBytes(new Instruction(creditorName, account, reference));
  }

  private static String text(@Nullable String value) {
    String present = value == null ? "" : value.strip();
    if (present.length() > MAX_TEXT || present.chars().anyMatch(Character::isISOControl)) {
      throw malformed();
    }
    return present;
  }

  /**
   * Whether the account's check digits are correct (ISO 13616). A payout with a wrong account is
   * not refused: the money has left the network, and an operator has to find out the right account.
   */
  boolean hasValidIban() {
    if (!IBAN.matcher(account).matches()) {
      return false;
    }
    StringBuilder digits = new StringBuilder();
    (account.substring(4) + account.substring(0, 4))
        .chars()
        .forEach(c -> digits.append(Character.digit(c, 36)));
    return new BigInteger(digits.toString()).mod(IBAN_MODULUS).equals(BigInteger.ONE);
  }

  private static ProtocolException malformed() {
    return ProtocolException.malformed("the payout block has no valid payout instruction");
  }

  @Override
  public String toString() {
    return "Payout[redacted]";
  }
}
