package io.solidus.operator.issuance.books;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.operator.issuance.settings.IssuanceProperties;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps the turnover of the books in a file outside the database. The turnover is the sum of all
 * entries and only grows. A database restored from an old backup has a smaller turnover than the
 * file. On such a database the service could approve a second mint for spent money or pay a
 * withdrawal twice. So it makes no entry until a person has corrected the books. The turnover is
 * compared at the start and in the transaction of each entry, because the database can change under
 * a running service, for example by a failover that loses transactions.
 *
 * <p>The file is written after an entry is committed and before the caller gets an answer. A lock
 * file excludes other processes.
 */
@Component
class BooksAnchor implements HealthIndicator, SmartInitializingSingleton {

  private static final Logger log = LoggerFactory.getLogger(BooksAnchor.class);
  private static final Pattern CONTENT = Pattern.compile("solidus-books/v1 ([0-9]{1,38})\n");

  private final JdbcClient jdbc;
  private final Optional<Path> path;
  private volatile String problem = "the books have not been compared with their anchor yet";

  BooksAnchor(JdbcClient jdbc, IssuanceProperties properties, MeterRegistry registry) {
    this.jdbc = jdbc;
    this.path = Optional.ofNullable(properties.anchorFile());
    Gauge.builder("solidus.issuance.books.status", this, anchor -> anchor.problem.isEmpty() ? 1 : 0)
        .description("1 while the books are not older than their anchor and entries are made")
        .register(registry);
  }

  /**
   * Compares the books at the start. A missing file is accepted only if the books are empty,
   * because otherwise its volume may not be mounted.
   */
  @Override
  public void afterSingletonsInstantiated() {
    if (path.isEmpty()) {
      problem = "";
      log.warn("no anchor file is configured: books from an old backup would not be detected");
      return;
    }
    problem = "";
    Path file = path.get();
    if (Files.notExists(file) && turnover().signum() > 0) {
      stop(
          "the anchor file is missing and the books are not empty; is its volume mounted? To begin with an anchor, put an empty file there");
      return;
    }
    advance(file);
  }

  private void stop(String reason) {
    problem = reason;
    log.error(
        "NOTHING IS ISSUED OR PAID OUT until a person has looked and has started the service again: {}",
        reason);
  }

  /**
   * Compares the books before the first entry of a transaction, in it.
   *
   * @throws ProtocolException unavailable when the books are older than their anchor, or were
   *     before
   */
  void requireCurrent() {
    if (problem.isEmpty() && !isRegistered()) {
      path.ifPresent(this::compare);
    }
    if (!problem.isEmpty()) {
      throw new ProtocolException(
          RejectionCode.UNAVAILABLE,
          "the service issues and pays out nothing until a person has checked its books");
    }
  }

  /**
   * Registers the update of the file for the commit of the current transaction. If the file cannot
   * be written, the caller gets an error instead of the entry, and no further entry is made.
   */
  void updateAfterCommit() {
    if (!isRegistered()) {
      path.ifPresent(
          file -> TransactionSynchronizationManager.registerSynchronization(new Update(file)));
    }
  }

  /** Once in a transaction is enough: its entries are committed together. */
  private boolean isRegistered() {
    return TransactionSynchronizationManager.getSynchronizations().stream()
        .anyMatch(Update.class::isInstance);
  }

  private final class Update implements TransactionSynchronization {
    private final Path file;

    private Update(Path file) {
      this.file = file;
    }

    @Override
    public void afterCommit() {
      advance(file);
      if (!problem.isEmpty()) {
        throw new ProtocolException(
            RejectionCode.UNAVAILABLE, "the anchor file of the books was not updated");
      }
    }
  }

  /**
   * Reads the file before the database. Its turnover was committed before it was written, so a
   * smaller turnover read later means that the database was rolled back.
   */
  private void compare(Path file) {
    try {
      BigInteger anchored = read(file);
      BigInteger turnover = turnover();
      if (anchored == null) {
        stop("the anchor file is gone");
      } else if (turnover.compareTo(anchored) < 0) {
        stop(rolledBack(turnover, anchored));
      }
    } catch (IOException e) {
      stop("the anchor file cannot be read");
    }
  }

  private void advance(Path file) {
    try {
      write(file);
    } catch (IOException e) {
      stop("the anchor file cannot be read or written");
    }
  }

  private static String rolledBack(BigInteger turnover, BigInteger anchored) {
    return "the books have a turnover of "
        + turnover
        + ", and were at "
        + anchored
        + " before: the database was rolled back";
  }

  @Override
  public Health health() {
    return (problem.isEmpty() ? Health.up() : Health.outOfService()).build();
  }

  /** Has no upper bound: a number of 64 bits could be filled, and would stop the books for good. */
  private BigInteger turnover() {
    return jdbc.sql("SELECT coalesce(sum(debit_minor), 0) FROM ledger_account")
        .query(BigDecimal.class)
        .single()
        .toBigIntegerExact();
  }

  /** Returns the turnover in the file; null when the file is missing or empty. */
  private static @Nullable BigInteger read(Path file) throws IOException {
    if (Files.notExists(file) || Files.size(file) == 0) {
      return null;
    }
    Matcher content = CONTENT.matcher(Files.readString(file));
    if (!content.matches()) {
      throw new IOException("not an anchor file: " + file.getFileName());
    }
    return new BigInteger(content.group(1));
  }

  /** Writes the turnover atomically and durably. A larger turnover in the file stays. */
  private synchronized void write(Path file) throws IOException {
    Path absolute = file.toAbsolutePath();
    Path lock = absolute.resolveSibling(file.getFileName() + ".lock");
    try (FileChannel lockFile =
        FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      lockFile.lock();
      BigInteger before = read(file);
      BigInteger turnover = turnover();
      if (before != null && before.compareTo(turnover) >= 0) {
        if (before.compareTo(turnover) > 0) {
          stop(rolledBack(turnover, before));
        }
        return;
      }
      Path temporary = absolute.resolveSibling(file.getFileName() + ".new");
      try (FileChannel out =
          FileChannel.open(
              temporary,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        out.write(
            ByteBuffer.wrap(
                ("solidus-books/v1 " + turnover + "\n").getBytes(StandardCharsets.US_ASCII)));
        out.force(true);
      }
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      try (FileChannel directory =
          FileChannel.open(absolute.resolveSibling(""), StandardOpenOption.READ)) {
        directory.force(true);
      }
    }
  }
}
