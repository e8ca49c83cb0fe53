package io.solidus.operator.issuance.statement;

import io.solidus.operator.issuance.books.BookCurrency;
import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.books.Expiry;
import io.solidus.operator.issuance.books.Ledger;
import io.solidus.operator.issuance.books.OperatorAuditLog;
import io.solidus.operator.issuance.message.BankMessageException;
import io.solidus.operator.issuance.message.BankReport;
import io.solidus.operator.issuance.message.MessageType;
import io.solidus.operator.issuance.message.PageReader;
import io.solidus.operator.issuance.message.PageReader.Page;
import io.solidus.operator.issuance.message.ReportReader;
import io.solidus.operator.issuance.message.Schemas;
import io.solidus.operator.issuance.message.StatusReader;
import io.solidus.operator.issuance.message.StatusReader.StatusReport;
import io.solidus.operator.issuance.settings.IssuanceProperties;
import io.solidus.operator.issuance.settings.IssuanceProperties.BankSettings;
import io.solidus.operator.issuance.statement.StatementImport.Prepared;
import io.solidus.operator.issuance.statement.Uploads.Upload;
import io.solidus.operator.issuance.vault.RedemptionKeys;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Clock;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/**
 * Takes the bank's messages. No camt message is signed, so one person hands a message in, and
 * another one, who sees what it would do, has it booked. One message is worked on at a time: a
 * document of 8 MiB needs some 100 MiB of heap.
 */
@Service
class BankMessages {
  /** The most messages that wait for a decision. */
  static final int MAX_PENDING = 50;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final JdbcClient jdbc;
  private final StatementImport imports;
  private final Uploads uploads;
  private final Ledger ledger;
  private final RedemptionKeys keys;
  private final Expiry expiry;
  private final OperatorAuditLog audit;
  private final IssuanceProperties properties;
  private final @Nullable ReportReader reports;
  private final @Nullable PageReader pages;
  private final HeldPages held;
  private final StatusReader answers;
  private final Schemas schemas;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final Semaphore one = new Semaphore(1);

  BankMessages(
      JdbcClient jdbc,
      StatementImport imports,
      Uploads uploads,
      HeldPages held,
      Ledger ledger,
      RedemptionKeys keys,
      Expiry expiry,
      OperatorAuditLog audit,
      Schemas schemas,
      IssuanceProperties properties,
      BookCurrency currency,
      TransactionTemplate transaction,
      Clock clock) {
    this.jdbc = jdbc;
    this.imports = imports;
    this.uploads = uploads;
    this.held = held;
    this.ledger = ledger;
    this.keys = keys;
    this.expiry = expiry;
    this.audit = audit;
    this.schemas = schemas;
    this.properties = properties;
    this.reports =
        properties.bank() == null
            ? null
            : new ReportReader(schemas, properties.bank().account(), currency.code());
    this.pages =
        properties.bank() == null ? null : new PageReader(schemas, properties.bank().account());
    this.answers = new StatusReader(schemas);
    this.transaction = transaction;
    this.clock = clock;
  }

  /** A message that was read, and how it is booked for an upload. */
  private record Message(MessageType type, String messageId, int lines, Booking booking) {}

  private interface Booking {
    /** Returns the number of the message's row. */
    long book(Upload upload);
  }

  /**
   * What was handed in.
   *
   * @param upload null when the same message was booked before, and for a held page
   * @param heldPage the number of a page that waits for the others of its statement, or null
   */
  record Handed(
      MessageType type,
      String messageId,
      int lines,
      boolean repeated,
      @Nullable Upload upload,
      @Nullable Integer heldPage) {
    private static Handed of(Message message, boolean repeated, @Nullable Upload upload) {
      return new Handed(
          message.type(), message.messageId(), message.lines(), repeated, upload, null);
    }
  }

  /**
   * Takes a message and shows what it would do. Nothing is booked. A page of a statement waits for
   * the others.
   *
   * @throws BankMessageException when the message is refused
   * @throws DeskConflictException bank-unknown when no account is configured; bank-busy while
   *     another message is worked on; message-in-future; messages-waiting; what {@link
   *     HeldPages#keep} refuses; and what its booking would be refused with
   */
  Handed take(byte[] xml, String operator) {
    return alone(() -> {
      expire();
      PageReader reader = Objects.requireNonNull(pages);
      Page page = reader.page(xml).orElse(null);
      if (page == null) {
        return takeWhole(xml, null, operator);
      }
      List<byte[]> all = held.keep(page, xml, operator);
      return all.isEmpty()
          ? new Handed(MessageType.CAMT_053, page.messageId(), 0, false, null, page.number())
          : takeWhole(reader.together(all), page.reportId(), operator);
    });
  }

  /**
   * Takes a whole message.
   *
   * @param paged the statement whose held pages it was made of, or null
   */
  private Handed takeWhole(byte[] xml, @Nullable String paged, String operator) {
    Digest32 digest = Digest32.sha256(xml);
    Message message = read(xml, digest);
    if (orForget(paged, () -> imports.isKnown(message.type().id(), message.messageId(), digest))) {
      forget(paged);
      return Handed.of(message, true, null);
    }
    Upload before = uploads.pending(digest).orElse(null);
    if (before != null) {
      forget(paged);
      return Handed.of(message, true, before);
    }
    if (uploads.countPending() >= MAX_PENDING) {
      throw new DeskConflictException(
          "messages-waiting", MAX_PENDING + " messages wait; decide them first");
    }
    byte[] content = keys.sealRecord(xml);
    String preview = orForget(paged, () -> preview(message, digest, content, operator));
    Upload upload =
        Objects.requireNonNull(
            transaction.execute(status -> {
              Upload kept = insert(message, digest, content, preview, operator);
              forget(paged);
              audit.add(operator, "bank message handed in", name(kept));
              return kept;
            }));
    return Handed.of(message, false, upload);
  }

  /** Forgets the pages of a statement that conflicts with what was booked: none would help it. */
  private <T> T orForget(@Nullable String paged, Supplier<T> booking) {
    try {
      return booking.get();
    } catch (DeskConflictException e) {
      forget(paged);
      throw e;
    }
  }

  private void expire() {
    uploads.expire(expiry.oldest(), clock.instant());
    held.expire();
  }

  private void forget(@Nullable String paged) {
    if (paged != null) {
      held.forget(paged);
    }
  }

  private Upload insert(
      Message message, Digest32 digest, byte[] content, String preview, String operator) {
    return load(
        uploads.insert(
            message.type(),
            message.messageId(),
            digest,
            content,
            preview,
            operator,
            clock.instant()));
  }

  /** Books the message and takes it back: what is seen is what the booking does. */
  private String preview(Message message, Digest32 digest, byte[] content, String operator) {
    return Objects.requireNonNull(
        transaction.execute(status -> {
          status.setRollbackOnly();
          ledger.lock();
          return effects(message, insert(message, digest, content, "", operator), "preview");
        }));
  }

  /** Decides and books; returns the effects. */
  private String effects(Message message, Upload upload, String approver) {
    uploads.decide(upload.uploadId(), "approved", approver, clock.instant());
    long before = Effects.newestEntry(jdbc);
    long row = message.booking().book(upload);
    return JSON.writeValueAsString(Effects.of(jdbc, row, before));
  }

  /**
   * Books a message that another person handed in.
   *
   * @param shown the digest of the preview that the approver was shown
   * @throws ProtocolException forbidden when the caller handed it in
   * @throws DeskConflictException upload-decided, proposal-expired; preview-changed when the
   *     preview is another one than was shown, or the message would now do something else than it
   *     shows; then it is renewed
   */
  Upload approve(long uploadId, Digest32 shown, String approver) {
    return alone(() -> {
      byte[] sealed = uploads.content(uploadId).orElseThrow(() -> decided(uploadId));
      byte[] xml = keys.openRecord(sealed);
      Message message = read(xml, Digest32.sha256(xml));
      String changed =
          Objects.requireNonNull(
              transaction.execute(status -> {
                ledger.lock();
                Upload upload = lockPending(uploadId);
                if (Operator.samePerson(upload.proposedBy(), approver)) {
                  throw new ProtocolException(
                      RejectionCode.FORBIDDEN,
                      "another person than the one who handed the message in has it booked");
                }
                expiry.require(upload.proposedAt());
                if (!upload.previewDigest().equals(shown)) {
                  // somebody else had it renewed
                  throw changed();
                }
                String effects = effects(message, upload, approver);
                if (!effects.equals(upload.preview())) {
                  status.setRollbackOnly();
                  return effects;
                }
                audit.add(approver, "bank message approved", name(upload));
                return "";
              }));
      if (!changed.isEmpty()) {
        transaction.executeWithoutResult(status -> uploads.preview(uploadId, changed));
        throw changed();
      }
      return load(uploadId);
    });
  }

  private static DeskConflictException changed() {
    return new DeskConflictException(
        "preview-changed", "the message would do something else now; look at it again");
  }

  /** Refuses a message, or takes it back. */
  Upload refuse(long uploadId, String operator) {
    return Objects.requireNonNull(
        transaction.execute(status -> {
          Upload upload = lockPending(uploadId);
          uploads.decide(uploadId, "refused", operator, clock.instant());
          audit.add(operator, "bank message refused", name(upload));
          return load(uploadId);
        }));
  }

  List<Upload> page(@Nullable String status, long cursor, int limit) {
    expire();
    return uploads.page(status, cursor, limit);
  }

  Upload load(long uploadId) {
    return uploads
        .find(uploadId)
        .orElseThrow(() -> new ProtocolException(RejectionCode.NOT_FOUND, "no such message"));
  }

  static Effects preview(Upload upload) {
    return JSON.readValue(upload.preview(), Effects.class);
  }

  private Upload lockPending(long uploadId) {
    Upload upload =
        uploads
            .lock(uploadId)
            .orElseThrow(() -> new ProtocolException(RejectionCode.NOT_FOUND, "no such message"));
    if (!upload.status().equals("pending")) {
      throw decided(uploadId);
    }
    return upload;
  }

  private RuntimeException decided(long uploadId) {
    return new DeskConflictException("upload-decided", "the message is " + load(uploadId).status());
  }

  private static String name(Upload upload) {
    return upload.type() + " " + upload.messageId();
  }

  private Message read(byte[] xml, Digest32 digest) {
    ReportReader reader = Objects.requireNonNull(reports);
    if (schemas.isOf(xml, MessageType.PAIN_002)) {
      StatusReport answer = answers.read(xml);
      return new Message(
          MessageType.PAIN_002,
          answer.messageId(),
          answer.transactions().size(),
          upload -> imports.take(answer, upload));
    }
    BankReport report = reader.read(xml);
    requirePast(report);
    Prepared prepared = imports.prepare(report, digest);
    return new Message(
        report.type(),
        report.messageId(),
        report.lines().size(),
        upload -> imports.book(prepared, upload));
  }

  /** A statement of a day to come would decide what the books are compared with for ever. */
  private void requirePast(BankReport report) {
    BankSettings bank = Objects.requireNonNull(properties.bank());
    LocalDate today = LocalDate.ofInstant(clock.instant(), bank.zone());
    LocalDate day = report.day();
    if ((day != null && day.isAfter(today))
        || report.lines().stream().anyMatch(line -> line.bookedOn().isAfter(today))) {
      throw new DeskConflictException("message-in-future", "the message is of a day after today");
    }
  }

  private <T> T alone(Supplier<T> work) {
    if (reports == null) {
      throw new DeskConflictException(
          "bank-unknown", "solidus.issuance.bank.account is not configured");
    }
    if (!one.tryAcquire()) {
      throw new DeskConflictException("bank-busy", "another message is being taken; try again");
    }
    try {
      return work.get();
    } finally {
      one.release();
    }
  }
}
