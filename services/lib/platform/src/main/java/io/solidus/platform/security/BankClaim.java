package io.solidus.platform.security;

import io.solidus.platform.bank.BankScope;
import io.solidus.platform.bank.Banks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads from a person's token whose objects she may touch. */
public final class BankClaim {
  private final Banks banks;
  private final String central;
  private final String path;

  /**
   * @param central what the claim of the centre's staff says; empty: they have none
   * @param path name or path of the claim
   */
  public BankClaim(Banks banks, String central, String path) {
    this.banks = banks;
    this.central = central;
    this.path = path;
  }

  /** The scope of a person's token with these claims; empty: of none, she may touch nothing. */
  public Optional<BankScope> scope(Map<String, Object> claims) {
    Object value = Claims.at(claims, path);
    if (value == null) {
      return central.isEmpty() ? Optional.of(BankScope.every()) : Optional.empty();
    }
    String bank = single(value);
    if (bank == null) {
      return Optional.empty();
    }
    if (!central.isEmpty() && bank.equals(central)) {
      return Optional.of(BankScope.every());
    }
    return banks.isKnown(bank) ? Optional.of(BankScope.of(bank)) : Optional.empty();
  }

  boolean isAbsent(Map<String, Object> claims) {
    return Claims.at(claims, path) == null;
  }

  /** Some providers write every attribute as a list. */
  private static @Nullable String single(Object value) {
    Object only = value instanceof List<?> list && list.size() == 1 ? list.getFirst() : value;
    return only instanceof String text ? text : null;
  }
}
