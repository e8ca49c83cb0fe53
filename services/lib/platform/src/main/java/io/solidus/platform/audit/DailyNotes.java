package io.solidus.platform.audit;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.SignedNote;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Closes each day (UTC) of an audit log with a signed note in the form of C2SP checkpoints: the
 * log's name, how many rows are sealed, the newest seal in Base64, then the day and the time of the
 * closing. A day without events is closed too, and a missed one later. Notes are appended to a file
 * outside the database, and logged.
 *
 * <p>No day is closed when the seals contradict the note before, or the file: then somebody took
 * rows away or wrote the log anew, or the database is from an old backup.
 */
final class DailyNotes {
  private static final Logger log = LoggerFactory.getLogger(DailyNotes.class);

  /** Days that one run closes at most; more wait for the next run. */
  private static final int MAX_DAYS = 100;

  private static final int MAX_FILE_BYTES = 64 * 1024 * 1024;
  private static final String DAY = "day ";

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final EventSeals seals;
  private final NoteSigner signer;
  private final @Nullable Path file;
  private final @Nullable LocalDate closedThrough;
  private final Clock clock;
  private volatile boolean rowsTouched;
  private volatile boolean fileTouched;
  private volatile @Nullable LocalDate verified;
  private volatile @Nullable LocalDate newest;

  DailyNotes(
      JdbcClient jdbc,
      TransactionTemplate transaction,
      EventSeals seals,
      NoteSigner signer,
      @Nullable Path file,
      @Nullable LocalDate closedThrough,
      Clock clock,
      MeterRegistry metrics) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.seals = seals;
    this.signer = signer;
    this.file = file;
    this.closedThrough = closedThrough;
    this.clock = clock;
    Gauge.builder("solidus.audit.touched", this, notes -> notes.isTouched() ? 1 : 0)
        .register(metrics);
    Gauge.builder("solidus.audit.days.open", this, DailyNotes::openDays).register(metrics);
    log.info(
        "daily notes of the audit log are signed by {} {}",
        signer.publicKey().name(),
        signer.publicKey().publicKey().base64());
  }

  /**
   * A closed day.
   *
   * @param count how many rows were sealed
   * @param hash the newest seal then
   * @param note as signed
   */
  record Closed(LocalDate day, long count, byte[] hash, String note) {}

  private boolean isTouched() {
    return rowsTouched || fileTouched;
  }

  /** How many days have ended and are not closed; of a clock that went back, how many it is off. */
  private double openDays() {
    LocalDate closed = newest;
    return closed == null
        ? 0
        : Math.abs(ChronoUnit.DAYS.between(closed, today(clock.instant()).minusDays(1)));
  }

  /** Closes what has ended, and brings the file up to it. Verifies the log once a day. */
  void run() {
    LocalDate today = today(clock.instant());
    LocalDate closed = newestClosed();
    newest = closed;
    boolean due = closed == null || closed.isBefore(today.minusDays(1));
    boolean look = due || !today.equals(verified);
    boolean rows = look && areRowsTouched();
    if (file == null) {
      if (look) {
        rowsTouched = isContradicted(today) || rows;
      }
    } else {
      runBeside(file, look, rows, today);
    }
    if (look) {
      newest = newestClosed();
      verified = today;
    }
  }

  private boolean areRowsTouched() {
    seals.sealAll();
    long first = seals.firstTouched();
    if (first > 0) {
      log.error("the audit log was touched: position {} is not what was sealed", first);
    }
    return first > 0;
  }

  /** Closes the days before one, unless the seals contradict the last note. */
  private boolean isContradicted(LocalDate today) {
    return !Boolean.TRUE.equals(transaction.execute(status -> close(today)));
  }

  /** Closes the days before one; false when the seals contradict the last note. */
  private boolean close(LocalDate before) {
    seals.lock(); // two processes close a day once
    Closed last = last().orElse(null);
    if (last != null && !seals.has(last.count(), last.hash())) {
      log.error(
          "the audit log was touched: the seal at position {} is not that of the note of {}",
          last.count(),
          last.day());
      return false;
    }
    EventSeals.Head head = seals.head();
    LocalDate closed = newestClosed();
    LocalDate day = closed == null ? before.minusDays(1) : closed.plusDays(1);
    for (int n = 0; n < MAX_DAYS && day.isBefore(before); n++) {
      insert(day, head, clock.instant());
      day = day.plusDays(1);
    }
    return true;
  }

  private void insert(LocalDate day, EventSeals.Head head, Instant now) {
    String text =
        signer.publicKey().name()
            + '\n'
            + head.position()
            + '\n'
            + Base64.getEncoder().encodeToString(head.hash())
            + '\n'
            + DAY
            + day
            + "\nclosed "
            + now.truncatedTo(ChronoUnit.SECONDS)
            + '\n';
    String note = SignedNote.sign(text, signer).encode();
    jdbc.sql("INSERT INTO audit_note (day, count, hash, note, closed_at) VALUES (?, ?, ?, ?, ?)")
        .params(
            day, head.position(), head.hash(), note, OffsetDateTime.ofInstant(now, ZoneOffset.UTC))
        .update();
    // a copy outside the database, wherever logs go; nothing in it is secret
    log.info("audit log of {} closed: {}", day, note.replace("\n", "\\n"));
  }

  /** The newest day that a note closes; after a restore it may be one that the database lacks. */
  private @Nullable LocalDate newestClosed() {
    return Stream.concat(last().map(Closed::day).stream(), Stream.ofNullable(closedThrough))
        .max(Comparator.naturalOrder())
        .orElse(null);
  }

  private Optional<Closed> last() {
    return jdbc.sql(SELECT + " ORDER BY day DESC LIMIT 1").query(DailyNotes::read).optional();
  }

  /** Notes of days after one, oldest first. */
  List<Closed> page(LocalDate after, int limit) {
    return jdbc.sql(SELECT + " WHERE day > ? ORDER BY day LIMIT ?")
        .params(after, limit)
        .query(DailyNotes::read)
        .list();
  }

  private static final String SELECT = "SELECT day, count, hash, note FROM audit_note";

  private static Closed read(ResultSet row, int number) throws SQLException {
    return new Closed(
        Objects.requireNonNull(row.getObject(1, LocalDate.class)),
        row.getLong(2),
        row.getBytes(3),
        row.getString(4));
  }

  /**
   * Compares the notes that were kept with the database before anything is signed, closes days, and
   * appends the notes that the file lacks; also what a crash left out of the last one. A restored
   * database lacks notes that the file has: were its days closed, two signed notes of one day would
   * exist, and nobody could tell which is true.
   *
   * @param look whether days may have ended, or the log is to be verified
   * @param rows whether verified rows are not what was sealed
   */
  private void runBeside(Path path, boolean look, boolean rows, LocalDate today) {
    // the lock is also against another process that writes the file
    try (FileChannel channel =
            FileChannel.open(
                path,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        FileLock held = channel.lock()) {
      String kept = readAll(channel);
      fileTouched = !held.isValid() || !agrees(notesSince(kept), kept);
      if (fileTouched) {
        rowsTouched = look ? rows : rowsTouched;
        return;
      }
      if (look) {
        rowsTouched = isContradicted(today) || rows;
      }
      write(channel, notesSince(kept).substring(kept.length()));
      channel.force(true);
    } catch (IOException e) {
      throw new UncheckedIOException("the file of the daily notes cannot be written", e);
    }
  }

  private static boolean agrees(String whole, String kept) {
    if (whole.startsWith(kept)) {
      return true;
    }
    log.error(
        kept.startsWith(whole)
            ? "the database lacks daily notes that the file has: it is from an older backup, or"
                + " somebody removed them; no day is closed"
            : "the file of the daily notes and the database differ; no day is closed");
    return false;
  }

  /** The notes from the day of the file's first one on, as the file has them. */
  private String notesSince(String kept) {
    StringBuilder notes = new StringBuilder();
    page(firstDay(kept).minusDays(1), Integer.MAX_VALUE)
        .forEach(closed -> notes.append(closed.note()).append('\n'));
    return notes.toString();
  }

  private static String readAll(FileChannel channel) throws IOException {
    if (channel.size() > MAX_FILE_BYTES) {
      throw new IOException("the file is longer than " + MAX_FILE_BYTES + " bytes");
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) channel.size());
    while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
      // the rest
    }
    return new String(bytes.array(), StandardCharsets.UTF_8);
  }

  private static void write(FileChannel channel, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    channel.position(channel.size());
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** The day of the file's first note; a file may be younger than the log. */
  private static LocalDate firstDay(String notes) {
    return notes
        .lines()
        .filter(line -> line.matches("day [0-9]{4}-[0-9]{2}-[0-9]{2}"))
        .findFirst()
        .map(line -> LocalDate.parse(line.substring(DAY.length())))
        .orElse(LocalDate.EPOCH);
  }

  private static LocalDate today(Instant now) {
    return LocalDate.ofInstant(now, ZoneOffset.UTC);
  }
}
