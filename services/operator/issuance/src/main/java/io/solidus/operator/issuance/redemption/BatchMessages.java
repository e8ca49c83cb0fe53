package io.solidus.operator.issuance.redemption;

import io.solidus.operator.issuance.books.BookCurrency;
import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.message.BankMessageException;
import io.solidus.operator.issuance.message.CreditTransfers;
import io.solidus.operator.issuance.message.CreditTransfers.Payer;
import io.solidus.operator.issuance.message.CreditTransfers.Payment;
import io.solidus.operator.issuance.message.Schemas;
import io.solidus.operator.issuance.settings.IssuanceProperties;
import io.solidus.operator.issuance.settings.IssuanceProperties.BankSettings;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.stereotype.Service;

/** Writes batches as messages to the bank. */
@Service
class BatchMessages implements SmartInitializingSingleton {
  private static final String PROBE_IBAN = "DE02120300000000202051";

  private final Redemptions redemptions;
  private final PayeeBanks payees;
  private final @Nullable BankSettings bank;
  private final @Nullable CreditTransfers transfers;

  BatchMessages(
      Redemptions redemptions,
      PayeeBanks payees,
      Schemas schemas,
      IssuanceProperties properties,
      BookCurrency currency) {
    this.redemptions = redemptions;
    this.payees = payees;
    this.bank = properties.bank();
    this.transfers =
        bank == null
            ? null
            : new CreditTransfers(
                schemas,
                new Payer(bank.name(), bank.account(), bank.bic(), bank.clearingSystem()),
                currency.code());
  }

  /** Whether a bank is configured, whose messages then decide what became of payouts. */
  boolean areUsed() {
    return bank != null;
  }

  /**
   * Requires a bank.
   *
   * @throws DeskConflictException bank-unknown
   */
  void requireUsed() {
    if (bank == null) {
      throw new DeskConflictException(
          "bank-unknown", "solidus.issuance.bank.account is not configured");
    }
  }

  /**
   * Writes a message with these settings once, so that settings with which no batch can be written
   * stop the start and not the payouts.
   */
  @Override
  public void afterSingletonsInstantiated() {
    if (bank == null) {
      return;
    }
    try {
      write(
          "SLD-PROBE",
          Instant.EPOCH,
          List.of(new Payment("1", "1", 1, "A", PROBE_IBAN, bank.bic(), null)),
          bank);
    } catch (BankMessageException e) {
      throw new IllegalStateException(
          "with these settings of solidus.issuance.bank no payment can be written: "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Writes the message of a batch. It depends on the arguments alone.
   *
   * @param at when the batch was released
   * @throws DeskConflictException bank-unknown; agent-unknown when a member's message needs the BIC
   *     of a payee's bank that is not configured; message-unwritable when the message would not be
   *     of its schema
   */
  byte[] write(String batchId, Instant at, List<Redemption> items) {
    requireUsed();
    BankSettings settings = Objects.requireNonNull(bank);
    try {
      return write(
          batchId,
          at,
          items.stream().map(item -> payment(item, settings.isMember())).toList(),
          settings);
    } catch (BankMessageException e) {
      throw new DeskConflictException(
          "message-unwritable", "the batch cannot be written: " + e.getMessage());
    }
  }

  private byte[] write(String id, Instant at, List<Payment> payments, BankSettings settings) {
    CreditTransfers writer = Objects.requireNonNull(transfers);
    LocalDate day = LocalDate.ofInstant(at, ZoneOffset.UTC);
    return settings.isMember()
        ? writer.pacs008(id, at, day, payments)
        : writer.pain001(id, at, day, payments);
  }

  private static DeskConflictException agentUnknown() {
    return new DeskConflictException(
        "agent-unknown", "the bank of a payee is not in solidus.issuance.bank.agents");
  }

  private Payment payment(Redemption item, boolean member) {
    Payout payout = redemptions.payout(item);
    return new Payment(
        item.endToEndId().substring(EndToEndId.PREFIX.length()) + "-" + item.attempt(),
        item.endToEndId(),
        item.amount().minor(),
        payout.creditorName(),
        payout.account(),
        member ? payees.agent(payout.account()).orElseThrow(BatchMessages::agentUnknown) : null,
        payout.reference().isEmpty() ? null : payout.reference());
  }
}
