package io.solidus.platform.bank;

import java.util.Map;
import java.util.Optional;

/** Which institution an IBAN is of, by its beginning without the check digits (DE12030000). */
public final class IbanBeginnings {
  private static final int CHECK_DIGITS_BEGIN = 2;
  private static final int CHECK_DIGITS_END = 4;

  private IbanBeginnings() {}

  /**
   * What belongs to the longest beginning of an IBAN, if any does.
   *
   * @param iban without spaces
   * @param byBeginning an empty beginning counts for none
   */
  public static <T> Optional<T> longest(String iban, Map<String, T> byBeginning) {
    String account =
        iban.length() < CHECK_DIGITS_END
            ? iban
            : iban.substring(0, CHECK_DIGITS_BEGIN) + iban.substring(CHECK_DIGITS_END);
    return byBeginning.entrySet().stream()
        .filter(entry -> !entry.getKey().isEmpty() && account.startsWith(entry.getKey()))
        .max((a, b) -> Integer.compare(a.getKey().length(), b.getKey().length()))
        .map(Map.Entry::getValue);
  }
}
