package io.solidus.operator.issuance.statement;

import io.solidus.operator.issuance.books.BookCurrency;
import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.message.BankMessageException;
import io.solidus.operator.issuance.message.BankReport;
import io.solidus.operator.issuance.message.MessageType;
import io.solidus.operator.issuance.message.ReportReader;
import io.solidus.operator.issuance.message.Schemas;
import io.solidus.operator.issuance.message.StatusReader;
import io.solidus.operator.issuance.message.StatusReader.StatusReport;
import io.solidus.operator.issuance.settings.IssuanceProperties;
import io.solidus.operator.issuance.statement.BankController.Taken;
import io.solidus.protocol.Digest32;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Takes the bank's messages, one at a time: a document of 8 MiB needs some 100 MiB of heap. */
@Service
class BankMessages {
  private final StatementImport imports;
  private final @Nullable ReportReader reports;
  private final StatusReader answers;
  private final Schemas schemas;
  private final Semaphore one = new Semaphore(1);

  BankMessages(
      StatementImport imports,
      Schemas schemas,
      IssuanceProperties properties,
      BookCurrency currency) {
    this.imports = imports;
    this.schemas = schemas;
    this.reports =
        properties.bank() == null
            ? null
            : new ReportReader(schemas, properties.bank().account(), currency.code());
    this.answers = new StatusReader(schemas);
  }

  /**
   * Takes a message.
   *
   * @throws BankMessageException when the message is refused
   * @throws DeskConflictException bank-unknown when no account is configured; bank-busy while
   *     another message is taken
   */
  Taken take(byte[] xml, String operator) {
    if (reports == null) {
      throw new DeskConflictException(
          "bank-unknown", "solidus.issuance.bank.account is not configured");
    }
    if (!one.tryAcquire()) {
      throw new DeskConflictException("bank-busy", "another message is being taken; try again");
    }
    try {
      Digest32 digest = Digest32.sha256(xml);
      if (schemas.isOf(xml, MessageType.PAIN_002)) {
        StatusReport answer = answers.read(xml);
        boolean taken = imports.take(answer, digest, operator);
        return new Taken(
            MessageType.PAIN_002.id(), answer.messageId(), !taken, answer.transactions().size());
      }
      BankReport report = reports.read(xml);
      boolean taken = imports.book(report, digest, operator);
      return new Taken(report.type().id(), report.messageId(), !taken, report.lines().size());
    } finally {
      one.release();
    }
  }
}
