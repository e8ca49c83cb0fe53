package io.solidus.operator.issuance.redemption;

import io.solidus.operator.issuance.books.BookCurrency;
import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.message.CreditTransfers;
import io.solidus.operator.issuance.message.CreditTransfers.Payer;
import io.solidus.operator.issuance.message.CreditTransfers.Payment;
import io.solidus.operator.issuance.message.Schemas;
import io.solidus.operator.issuance.redemption.PayoutBatches.Batch;
import io.solidus.operator.issuance.settings.IssuanceProperties;
import io.solidus.operator.issuance.settings.IssuanceProperties.BankSettings;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Writes released batches as messages to the bank. */
@Service
class BatchMessages {
  private final PayoutBatches batches;
  private final Redemptions redemptions;
  private final PayeeBanks payees;
  private final @Nullable BankSettings bank;
  private final @Nullable CreditTransfers transfers;

  BatchMessages(
      PayoutBatches batches,
      Redemptions redemptions,
      PayeeBanks payees,
      Schemas schemas,
      IssuanceProperties properties,
      BookCurrency currency) {
    this.batches = batches;
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
   * The message of a released batch. It depends on the batch alone, so a repeated one is found by
   * its id.
   *
   * @throws DeskConflictException bank-unknown; batch-not-released; agent-unknown when a member's
   *     message needs the BIC of a payee's bank that is not configured
   */
  byte[] of(String batchId, String operator) {
    if (bank == null || transfers == null) {
      throw new DeskConflictException(
          "bank-unknown", "solidus.issuance.bank.account is not configured");
    }
    Batch batch = batches.load(batchId);
    if (!batch.status().equals("released")) {
      throw new DeskConflictException("batch-not-released", "the batch is " + batch.status());
    }
    boolean member = bank.isMember();
    List<Payment> payments =
        batches.items(batchId, operator).stream().map(item -> payment(item, member)).toList();
    Instant released = Objects.requireNonNull(batch.decidedAt());
    LocalDate day = LocalDate.ofInstant(released, ZoneOffset.UTC);
    return member
        ? transfers.pacs008(batchId, released, day, payments)
        : transfers.pain001(batchId, released, day, payments);
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
