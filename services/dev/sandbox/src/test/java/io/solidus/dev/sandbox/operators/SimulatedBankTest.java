package io.solidus.dev.sandbox.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.operator.issuance.message.BankReport;
import io.solidus.operator.issuance.message.CreditTransfers;
import io.solidus.operator.issuance.message.CreditTransfers.Payer;
import io.solidus.operator.issuance.message.CreditTransfers.Payment;
import io.solidus.operator.issuance.message.ReportReader;
import io.solidus.operator.issuance.message.Schemas;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The desk's batch goes to the simulated bank, whose answer the desk reads. */
class SimulatedBankTest {

  @Test
  void answersABatchWithANotificationOfItsDebits() throws Exception {
    Schemas schemas = new Schemas();
    Instant now = Instant.parse("2026-03-02T09:00:00Z");
    byte[] batch =
        new CreditTransfers(
                schemas,
                new Payer(SimulatedBank.OWNER, SimulatedBank.ACCOUNT, SimulatedBank.BIC, "TGT"),
                "EUR")
            .pain001(
                "SLD-20260302-0123456789AB",
                now,
                LocalDate.ofInstant(now, ZoneOffset.UTC),
                List.of(
                    new Payment("I-1", "SLD1", 12_345, "Bob", "DE02120300000000202051", null, null),
                    new Payment("I-2", "SLD2", 5, "Zoë", "DE02120300000000202051", null, "x")));
    BankReport report =
        new ReportReader(schemas, SimulatedBank.ACCOUNT, "EUR")
            .read(new SimulatedBank(Clock.fixed(now, ZoneOffset.UTC)).pay(batch));
    assertThat(report.messageId()).isEqualTo("N-SLD-20260302-0123456789AB");
    assertThat(report.lines())
        .allMatch(line -> !line.credit())
        .extracting(BankReport.Line::endToEndId)
        .containsExactly("SLD1", "SLD2");
    assertThat(report.lines())
        .extracting(BankReport.Line::amountMinor)
        .containsExactly(12_345L, 5L);
  }
}
