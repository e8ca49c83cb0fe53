package io.solidus.operator.issuance.books;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.operator.issuance.IssuanceProperties;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.io.IOException;
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
 * What the books come to, kept outside the database: the turnover, the sum of all entries ever
 * made, which only grows. A database that was restored from an old backup has made fewer entries
 * than the file says, and a desk on it would approve a second mint for money that is spent, or pay
 * a withdrawal out twice: it enters nothing until a person has put the books in order. They are
 * compared at the start and in the transaction of each entry, for a database may be exchanged under
 * a running desk, by a failover that forgets for one.
 *
 * <p>It moves when an entry is committed and before anybody is told. A second process, which should
 * not be there, would wait for a lock.
 */
@Component
class BooksAnchor implements HealthIndicator, SmartInitializingSingleton {

  private static final Logger LOG = LoggerFactory.getLogger(BooksAnchor.class);
  private static final Pattern CONTENT = Pattern.compile("solidus-books/v1 ([0-9]{1,19})\n");

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
   * At the start. A file that is missing passes for a first start only beside empty books, for its
   * volume may just not be mounted.
   */
  @Override
  public void afterSingletonsInstantiated() {
    if (path.isEmpty()) {
      problem = "";
      LOG.warn("no anchor file: that the books come from an old backup would not be noticed");
      return;
    }
    problem = "";
    Path file = path.get();
    if (Files.notExists(file) && turnover() > 0) {
      stop(
          "the anchor file is missing beside books that are not empty; is its volume mounted? To begin with one, put an empty file there");
      return;
    }
    advance(file);
  }

  private void stop(String reason) {
    problem = reason;
    LOG.error(
        "NOTHING IS ISSUED OR PAID OUT until a person has looked and has started the desk again: {}",
        reason);
  }

  /**
   * In the transaction of an entry, before it.
   *
   * @throws ProtocolException unavailable when the books are older than their anchor, or were
   */
  void requireCurrent() {
    if (problem.isEmpty()) {
      path.ifPresent(this::compare);
    }
    if (!problem.isEmpty()) {
      throw new ProtocolException(
          RejectionCode.UNAVAILABLE,
          "the desk issues and pays out nothing until a person has looked at its books");
    }
  }

  /**
   * In the transaction of an entry. When the file cannot be written nobody is told of the entry,
   * and no further one is made.
   */
  void moveAfterCommit() {
    path.ifPresent(file ->
        TransactionSynchronizationManager.registerSynchronization(
            new TransactionSynchronization() {
              @Override
              public void afterCommit() {
                advance(file);
                if (!problem.isEmpty()) {
                  throw new ProtocolException(
                      RejectionCode.UNAVAILABLE, "what was entered could not be anchored");
                }
              }
            }));
  }

  /**
   * The file first: what it says was committed before, so books that come to less were rolled back
   * and are not just behind.
   */
  private void compare(Path file) {
    try {
      Long anchored = read(file);
      long turnover = turnover();
      if (anchored == null) {
        stop("the anchor file is gone");
      } else if (turnover < anchored) {
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

  private static String rolledBack(long turnover, long anchored) {
    return "the books come to a turnover of "
        + turnover
        + ", and were at "
        + anchored
        + " before: the database was rolled back";
  }

  @Override
  public Health health() {
    return (problem.isEmpty() ? Health.up() : Health.outOfService()).build();
  }

  private long turnover() {
    return jdbc.sql("SELECT coalesce(sum(debit_minor), 0)::bigint FROM ledger_account")
        .query(Long.class)
        .single();
  }

  /**
   * @return null for a file that is missing or empty
   */
  private static @Nullable Long read(Path file) throws IOException {
    if (Files.notExists(file) || Files.size(file) == 0) {
      return null;
    }
    Matcher content = CONTENT.matcher(Files.readString(file));
    if (!content.matches()) {
      throw new IOException("not an anchor file: " + file.getFileName());
    }
    return Long.valueOf(content.group(1));
  }

  /** Whole or not at all, durable when it returns, and never back. */
  private synchronized void write(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    Path lock = folder.resolve(file.getFileName() + ".lock");
    try (FileChannel held =
        FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      held.lock();
      Long before = read(file);
      long turnover = turnover();
      if (before != null && before >= turnover) {
        if (before > turnover) {
          stop(rolledBack(turnover, before));
        }
        return;
      }
      Path made = folder.resolve(file.getFileName() + ".new");
      try (FileChannel out =
          FileChannel.open(
              made,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        out.write(
            ByteBuffer.wrap(
                ("solidus-books/v1 " + turnover + "\n").getBytes(StandardCharsets.US_ASCII)));
        out.force(true);
      }
      Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      try (FileChannel entry = FileChannel.open(folder, StandardOpenOption.READ)) {
        entry.force(true);
      }
    }
  }
}
