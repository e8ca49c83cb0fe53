package io.solidus.platform.bank;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The banks of the platform. All services have the same.
 *
 * @param known empty: one bank, whose id is {@code default}
 * @param unnamed the bank of requests that name none, for wallets from before there were several;
 *     empty: with several banks such a request is refused
 * @param central what the claim of the centre's staff says; empty: their tokens have no such claim
 */
@ConfigurationProperties("solidus.banks")
public record BankProperties(
    @DefaultValue List<Bank> known,
    @DefaultValue("") String unnamed,
    @DefaultValue("") String central) {

  public BankProperties {
    known = List.copyOf(known);
  }

  /**
   * A bank.
   *
   * @param id 1 to 32 characters of a-z 0-9 -, and never another one later
   * @param name as wallets and desks show it
   * @param accounts the beginnings of its customers' IBANs without check digits, such as DE12030000
   */
  public record Bank(
      String id, @DefaultValue("") String name, @DefaultValue List<String> accounts) {
    public Bank {
      accounts = List.copyOf(accounts);
    }
  }
}
