package io.solidus.platform.bank;

import io.solidus.platform.bank.BankProperties.Bank;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The banks of the platform: one, or those that are configured. */
public final class Banks {
  /** The bank of a platform that has one, and of everything from before there were several. */
  public static final String DEFAULT = "default";

  private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");

  private final List<Bank> known;
  private final String unnamed;
  private final Map<String, String> idsByBeginning = new HashMap<>();

  public Banks(BankProperties properties) {
    this.known =
        properties.known().isEmpty()
            ? List.of(new Bank(DEFAULT, "", List.of()))
            : properties.known();
    this.unnamed =
        known.size() == 1 && properties.unnamed().isEmpty()
            ? known.getFirst().id()
            : properties.unnamed();
    if (!unnamed.isEmpty() && !isKnown(unnamed)) {
      throw new IllegalStateException("solidus.banks.unnamed is no bank of solidus.banks.known");
    }
    for (Bank bank : known) {
      if (!isId(bank.id())) {
        throw new IllegalStateException(
            "solidus.banks.known: an id has 1 to 32 characters of a-z 0-9 -, and begins with no -");
      }
      if (bank.id().equals(properties.central())) {
        throw new IllegalStateException("solidus.banks.central is the id of a bank");
      }
      bank.accounts().forEach(beginning -> idsByBeginning.putIfAbsent(beginning, bank.id()));
    }
    if (known.stream().map(Bank::id).collect(Collectors.toSet()).size() != known.size()) {
      throw new IllegalStateException("solidus.banks.known names a bank twice");
    }
  }

  static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  /** In the order of the configuration. */
  public List<Bank> all() {
    return known;
  }

  public boolean isKnown(String id) {
    return known.stream().anyMatch(bank -> bank.id().equals(id));
  }

  /**
   * Whose a word is that payers write: the bank's whose id and a colon begin it, else that of
   * requests that name no bank.
   *
   * @return empty when it is no bank's
   */
  public Optional<String> ofWord(String word) {
    return named(word).or(this::unnamed);
  }

  /** Whether the id of a bank and a colon begin a word that payers write, in whatever case. */
  public boolean isNamed(String word) {
    return named(word).isPresent();
  }

  private Optional<String> named(String word) {
    return known.stream()
        .map(Bank::id)
        .filter(id -> word.regionMatches(true, 0, id + ":", 0, id.length() + 1))
        .findFirst();
  }

  /**
   * The bank for which something is asked.
   *
   * @param id empty: the only bank, or the one that is configured for that
   * @throws BankRefusedException bank-needed when the platform has several and none is named;
   *     unknown-bank
   */
  public String require(String id) {
    if (id.isEmpty()) {
      if (unnamed.isEmpty()) {
        throw new BankRefusedException(
            BankRefusedException.Kind.BANK_NEEDED, "there are several banks: name one");
      }
      return unnamed;
    }
    if (!isKnown(id)) {
      throw unknown();
    }
    return id;
  }

  /**
   * The bank for which a member of staff acts.
   *
   * @param named as she named it; null: her own, and for the centre's staff as {@link #require}
   * @throws BankRefusedException unknown-bank also when a bank's staff name another one
   */
  public String choose(BankScope scope, @Nullable String named) {
    String bank = named == null ? scope.id() : named;
    if (!scope.allows(bank)) {
      throw unknown();
    }
    return require(bank);
  }

  /**
   * The bank of which the owner of an account is a customer: the one with the longest beginning of
   * it, or that of requests that name none. Empty: of none.
   *
   * @param iban without spaces
   */
  public Optional<String> ofAccount(String iban) {
    return IbanBeginnings.longest(iban, idsByBeginning).or(this::unnamed);
  }

  /** The bank of what names none, if there is one. */
  public Optional<String> unnamed() {
    return unnamed.isEmpty() ? Optional.empty() : Optional.of(unnamed);
  }

  private static BankRefusedException unknown() {
    return new BankRefusedException(
        BankRefusedException.Kind.UNKNOWN_BANK, "there is no such bank");
  }
}
