package io.solidus.authority.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.solidus.protocol.MailQuery;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.retrieval.RetrievalQuery;
import io.solidus.retrieval.RetrievalWindow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

/** A replica with a folder: restarts, crashes, damage, earlier days, and what is deleted. */
class TablesOnDiskTest {
  private static final long DAY = 86_400;

  /** The middle of a day. */
  private static final long BEGUN = 12 * DAY + DAY / 2;

  private static final MailboxBucket MINE = new MailboxBucket(70);
  private static final MailboxBucket OTHER = new MailboxBucket(71);
  private static final SecureRandom RANDOM = new SecureRandom();
  @TempDir private Path folder;
  private final ServedTables served = new ServedTables(BEGUN - 10);
  private final ReplicaKeys keys = ReplicaKeys.fromSecret(1, new byte[] {1});

  /** What the disk still has. */
  private long usable = Long.MAX_VALUE / 2;

  private TableFiles files;
  private TableCopies copies;
  private Replica replica;

  @BeforeEach
  void open() {
    open(DataSize.ofMegabytes(1), BEGUN + 200 * DAY);
  }

  private void open(DataSize disk, long now) {
    files = TableFiles.open(folder, ServedTables.NETWORK, () -> usable);
    copies = new TableCopies(disk.toBytes(), files, true);
    replica =
        new Replica(
            new ReplicaProperties(
                ServedTables.NETWORK.value(),
                1,
                "http://127.0.0.1:1",
                Path.of("unused"),
                DataSize.ofMegabytes(1),
                folder,
                disk,
                true,
                Duration.ofSeconds(1),
                1,
                4,
                Duration.ofSeconds(5),
                null),
            keys,
            served,
            copies,
            Clock.fixed(Instant.ofEpochSecond(now), ZoneOffset.UTC),
            new SimpleMeterRegistry());
  }

  @AfterEach
  void close() {
    files.close();
  }

  private void restart() {
    files.close();
    open();
  }

  /** It continues its predecessor's lists, so it signs the first one that it sees. */
  @Test
  void aReplicaThatRestartsAsksForNothingAgain() {
    replica.follow();
    ServedTables.Made early = served.close(BEGUN + 10, MINE, 5);
    served.close(BEGUN + 10, OTHER, 3);
    replica.follow();
    ServedTables.Made late = served.close(BEGUN + 20, MINE, 9);
    replica.follow();
    files.close();
    open(DataSize.ofMegabytes(1), BEGUN + 25);
    noPages();
    replica.follow();
    assertThat(copies.closed()).isEqualTo(BEGUN + 20);
    List<Integer> records = List.of(5, 9);
    for (int i = 0; i < 9; i++) {
      assertThat(ask(BEGUN, BEGUN + 20, records, 1, i)).isEqualTo(late.blobs().get(i));
    }
    assertThat(ask(BEGUN, BEGUN + 20, records, 0, 4)).isEqualTo(early.blobs().get(4));
    assertThat(ask(BEGUN, BEGUN + 10, List.of(5), 0, 2)).isEqualTo(early.blobs().get(2));
    assertThat(replica.countersigned(BEGUN + 20)).as("closed before it began").isEmpty();
    pages();
    served.close(BEGUN + 30, MINE, 1);
    replica.follow();
    assertThat(replica.countersigned(BEGUN + 30)).isPresent();
  }

  /** A mailbox that came back from a backup is refused by the next process, too. */
  @Test
  void aListThatDoesNotContinueTheOneOnDiskIsRefused() {
    replica.follow();
    served.close(BEGUN + 10, MINE, 2);
    replica.follow();
    restart();
    ServedTables fork = new ServedTables(BEGUN - 10);
    fork.close(BEGUN + 20, MINE, 2);
    served.headers = any -> fork.headers(MINE, BEGUN + 10, BEGUN + 20);
    served.records = any -> fork.records(MINE, 0, BEGUN + 20);
    served.list = fork.list;
    assertUnavailable(replica::follow);
    assertThat(replica.countersigned(BEGUN + 20)).isEmpty();
    assertThat(copies.closed()).isEqualTo(BEGUN + 10);
  }

  @Test
  void earlierDaysAreAnswered() {
    replica.follow();
    ServedTables.Made first = served.close(BEGUN + 10, MINE, 5);
    replica.follow();
    ServedTables.Made second = served.close(BEGUN + DAY, MINE, 6);
    replica.follow();
    for (int day = 2; day < 8; day++) {
      served.close(BEGUN + day * DAY, MINE, 2);
      replica.follow();
    }
    for (int process = 0; process < 2; process++) {
      assertThat(ask(BEGUN, BEGUN + 10, List.of(5), 0, 3)).isEqualTo(first.blobs().get(3));
      assertThat(ask(BEGUN + 10, BEGUN + DAY, List.of(6), 0, 5)).isEqualTo(second.blobs().get(5));
      assertThat(ask(BEGUN + 9, BEGUN + 9 + DAY, List.of(5, 6), 0, 1))
          .isEqualTo(first.blobs().get(1));
      // a seed of 32 bytes would make it read all days
      assertUnavailable(() -> ask(BEGUN, BEGUN + 2 * DAY, List.of(5, 6, 2), 0, 0));
      // what this bucket's chain does not lead to
      assertUnavailable(() -> answer(BEGUN, BEGUN + 10, BEGUN + DAY));
      restart();
      noPages();
    }
  }

  @Test
  void daysAreDeletedAfterNinety() {
    replica.follow();
    served.close(BEGUN + 10, MINE, 5);
    replica.follow();
    served.close(BEGUN + DAY, MINE, 5);
    replica.follow();
    assertThat(days()).hasSize(2);
    served.close(BEGUN + 91 * DAY, MINE, 1);
    replica.follow();
    assertThat(days()).containsExactly(day(BEGUN + DAY), day(BEGUN + 91 * DAY));
    assertUnavailable(() -> ask(BEGUN, BEGUN + 10, List.of(5), 0, 0));
    assertThat(ask(BEGUN + DAY - 1, BEGUN + DAY, List.of(5), 0, 0)).isNotNull();
    // the answer would be one of fewer tables than the reader has
    assertUnavailable(() -> ask(BEGUN + 5, BEGUN + 5 + DAY, List.of(5), 0, 0));
    assertThat(copies.reach()).isEqualTo(BEGUN + 91 * DAY - (13 * DAY - 1));
  }

  /** A flood: the oldest days go, and what does not fit beside the newest is not taken on. */
  @Test
  void filesAreBounded() {
    files.close();
    open(DataSize.ofKilobytes(40), BEGUN + 200 * DAY);
    replica.follow();
    for (int day = 0; day < 6; day++) {
      served.close(BEGUN + day * DAY + 1, MINE, 8);
      replica.follow();
      assertThat(copies.bytes()).isLessThanOrEqualTo(40 * 1024);
      assertThat(onDisk()).isEqualTo(copies.bytes());
    }
    assertThat(days()).hasSize(4);
    assertThat(copies.reach()).isBetween(2 * DAY, 4 * DAY);
    served.close(BEGUN + 5 * DAY + 2, MINE, 28);
    assertUnavailable(replica::follow);
    assertThat(replica.countersigned(BEGUN + 5 * DAY + 2)).isEmpty();
    assertThat(ask(BEGUN + 5 * DAY, BEGUN + 5 * DAY + 1, List.of(8), 0, 7)).isNotNull();
  }

  /** The power fails after tables were written and before the list was. */
  @Test
  void whatHasNoListIsCutOff() {
    replica.follow();
    ServedTables.Made made = served.close(BEGUN + 10, MINE, 5);
    replica.follow();
    long before = onDisk();
    ServedTables.Made next = served.close(BEGUN + 20, MINE, 4);
    ServedTables.Made beyond = served.close(BEGUN + DAY, OTHER, 4);
    for (ServedTables.Made each : List.of(next, beyond)) {
      TableFiles.Stored unused = files.append(each.table(), each.before(), each.blobs());
    }
    assertThat(onDisk()).isGreaterThan(before);
    restart();
    assertThat(onDisk()).isEqualTo(before);
    assertThat(copies.closed()).isEqualTo(BEGUN + 10);
    replica.follow();
    assertThat(ask(BEGUN, BEGUN + 20, List.of(5, 4), 0, 1)).isEqualTo(made.blobs().get(1));
    assertThat(ask(BEGUN, BEGUN + 20, List.of(5, 4), 1, 3)).isEqualTo(next.blobs().get(3));
  }

  /** The gateway fails in the middle of a list. */
  @Test
  void aListThatFailsLeavesNothing() {
    replica.follow();
    served.close(BEGUN + 10, MINE, 5);
    replica.follow();
    long before = onDisk();
    served.close(BEGUN + 20, MINE, 4);
    served.close(BEGUN + 20, OTHER, 4);
    int[] pages = {0};
    served.records = page -> ++pages[0] > 3 ? List.of() : page;
    assertUnavailable(replica::follow);
    assertThat(pages[0]).isGreaterThan(3);
    assertThat(onDisk()).isEqualTo(before);
    pages();
    replica.follow();
    assertThat(replica.countersigned(BEGUN + 20)).isEmpty(); // closed long before it began
    restart();
    assertThat(copies.closed()).isEqualTo(BEGUN + 20);
    assertThat(ask(BEGUN, BEGUN + 20, List.of(5, 4), 1, 3)).isNotNull();
  }

  /** A gateway and a disk fail at the same time. */
  @Test
  void whatCouldNotBeTakenBackIsTakenBackLater() throws IOException {
    replica.follow();
    ServedTables.Made first = served.close(BEGUN + 10, MINE, 5);
    replica.follow();
    ServedTables.Made second = served.close(BEGUN + 20, MINE, 4);
    served.close(BEGUN + 20, OTHER, 4);
    long before = onDisk();
    Path index = folder.resolve(day(BEGUN)).resolve("70.index");
    Path aside = folder.resolve("aside");
    long last = second.messages().getLast().number();
    served.records =
        page -> {
          if (page.getFirst().number() <= last) {
            return page;
          }
          // the first bucket is written, the gateway fails with the second, and the disk as well
          try {
            Path unused = Files.move(index, aside);
            unused = Files.createDirectory(index);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return List.of();
        };
    assertUnavailable(replica::follow);
    assertThat(Files.isDirectory(index)).isTrue();
    pages();
    // as long as it cannot be cut off, nothing is written behind it
    assertThatThrownBy(replica::follow).isInstanceOf(UncheckedIOException.class);
    Files.delete(index);
    Path unused = Files.move(aside, index);
    assertThat(onDisk()).as("an entry is left").isGreaterThan(before);
    replica.follow();
    assertThat(files.tables(MINE, BEGUN, BEGUN + 20)).hasSize(2);
    restart();
    assertThat(copies.closed()).isEqualTo(BEGUN + 20);
    assertThat(ask(BEGUN, BEGUN + 20, List.of(5, 4), 0, 1)).isEqualTo(first.blobs().get(1));
    assertThat(ask(BEGUN, BEGUN + 20, List.of(5, 4), 1, 3)).isEqualTo(second.blobs().get(3));
  }

  /**
   * No byte is left, and the device of this name is such a disk: the list cannot be written as long
   * as the day is there.
   */
  @Test
  void aFullDiskKeepsNoDayFromBeingDeleted() throws IOException {
    replica.follow();
    for (int day = 0; day < 6; day++) {
      served.close(BEGUN + day * DAY + 1, MINE, 8);
      replica.follow();
    }
    long closed = copies.closed();
    Path fresh = folder.resolve("list.new");
    Path unused = Files.createSymbolicLink(fresh, Path.of("/dev/full"));
    long all = files.bytes();
    assertThatThrownBy(() -> files.expire(closed, all - 1)).hasMessageContaining("No space left");
    assertThat(folder.resolve(day(BEGUN))).as("it makes room").doesNotExist();
    long since = files.since();
    assertThat(since).isEqualTo(13 * DAY - 1);
    Files.delete(fresh);
    restart();
    assertThat(files.since()).as("the power failed").isEqualTo(since);
    assertThat(files.expire(closed, files.bytes())).isEqualTo(since);
    assertThat(days()).hasSize(5);
    restart();
    assertThat(files.since()).isEqualTo(since);
    assertThat(copies.closed()).isEqualTo(closed);
  }

  /** The power fails after the oldest days were deleted and before the next list. */
  @Test
  void theListOnDiskNamesNoDayThatIsDeleted() {
    replica.follow();
    for (int day = 0; day < 6; day++) {
      served.close(BEGUN + day * DAY + 1, MINE, 8);
      replica.follow();
    }
    assertThat(files.expire(BEGUN + 5 * DAY + 2, files.bytes() / 2)).isGreaterThan(BEGUN);
    long since = files.since();
    assertThat(since).isEqualTo(15 * DAY - 1);
    restart();
    assertThat(days()).hasSize(3);
    assertThat(files.since()).isEqualTo(since);
  }

  /** A volume that is smaller than the setting, or that others fill. */
  @Test
  void theDiskNeedNotHaveWhatTheSettingSays() {
    replica.follow();
    for (int day = 0; day < 6; day++) {
      served.close(BEGUN + day * DAY + 1, MINE, 8);
      replica.follow();
    }
    assertThat(days()).hasSize(6);
    usable = 64 << 20;
    served.close(BEGUN + 5 * DAY + 2, MINE, 4);
    replica.follow();
    assertThat(days()).as("the oldest day made room").hasSize(5);
    usable = 0;
    served.close(BEGUN + 5 * DAY + 3, MINE, 4);
    assertUnavailable(replica::follow);
    assertThat(copies.closed()).isEqualTo(BEGUN + 5 * DAY + 2);
    assertThat(days()).as("what would not suffice is not deleted").hasSize(5);
    usable = 65 << 20;
    replica.follow();
    assertThat(copies.closed()).isEqualTo(BEGUN + 5 * DAY + 3);
  }

  /**
   * A block of the disk that is lost: text that is none must not keep the process from starting.
   */
  @Test
  void aListThatIsNoTextIsReadAnew() throws IOException {
    replica.follow();
    served.close(BEGUN + 10, MINE, 5);
    replica.follow();
    Path unused = Files.write(folder.resolve("list"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    restart();
    assertThat(copies.closed()).isZero();
    replica.follow();
    assertThat(ask(BEGUN, BEGUN + 10, List.of(5), 0, 4)).isNotNull();
  }

  /** Anybody could have a day read from the disk with 33 bytes. */
  @Test
  void earlierDaysAreAnsweredOnlyWhereThatIsTurnedOn() {
    replica.follow();
    served.close(BEGUN + 10, MINE, 5);
    replica.follow();
    served.close(BEGUN + 3 * DAY, MINE, 6);
    replica.follow();
    assertThat(ask(BEGUN, BEGUN + 10, List.of(5), 0, 3)).isNotNull();
    copies = new TableCopies(1 << 20, files, false);
    assertUnavailable(() -> ask(BEGUN, BEGUN + 10, List.of(5), 0, 3));
    assertThat(ask(BEGUN + 3 * DAY - 1, BEGUN + 3 * DAY, List.of(6), 0, 3)).isNotNull();
  }

  /** Queries are answered together, and each reads files of its own. */
  @Test
  void aFileThatFailsTakesNothingFromOtherQueries() throws IOException {
    replica.follow();
    served.close(BEGUN + 10, MINE, 5);
    replica.follow();
    served.close(BEGUN + DAY / 2 + 10, MINE, 6);
    replica.follow();
    Files.delete(folder.resolve(day(BEGUN + DAY)).resolve("70.records"));
    List<MailQuery> queries =
        Stream.of(BEGUN + 10, BEGUN + DAY / 2 + 10)
            .map(upto ->
                new MailQuery(
                    MINE, upto - 10, upto, served.stateAt(MINE, upto).digest(), new byte[] {1, 1}))
            .toList();
    List<AnswerQueue.Outcome> outcomes = copies.answers(queries);
    assertThat(outcomes.getFirst().answer()).isNotNull();
    assertThat(outcomes.getLast().refusal())
        .isNotNull()
        .extracting(ProtocolException::code)
        .isEqualTo(RejectionCode.UNAVAILABLE);
  }

  /** A disk that returns other bytes: nobody gets an answer from them. */
  @Test
  void changedMessagesAreNoticed() throws IOException {
    replica.follow();
    served.close(BEGUN + 10, MINE, 5);
    replica.follow();
    Path records = folder.resolve(day(BEGUN)).resolve("70.records");
    byte[] content = Files.readAllBytes(records);
    content[1300] ^= 1;
    Files.write(records, content);
    restart();
    assertUnavailable(() -> ask(BEGUN, BEGUN + 10, List.of(5), 0, 1));
    content[1300] ^= 1;
    Files.write(records, content);
    assertUnavailable(() -> ask(BEGUN, BEGUN + 10, List.of(5), 0, 1));
    restart();
    assertThat(ask(BEGUN, BEGUN + 10, List.of(5), 0, 1)).isNotNull();
  }

  /** One table of a day: the others are answered for, and it comes from the gateway again. */
  @Test
  void aDamagedTableIsReadFromTheGatewayAgain() throws IOException {
    replica.follow();
    ServedTables.Made first = served.close(BEGUN + 10, MINE, 5);
    replica.follow();
    ServedTables.Made second = served.close(BEGUN + 20, MINE, 3);
    replica.follow();
    Path records = folder.resolve(day(BEGUN)).resolve("70.records");
    byte[] content = Files.readAllBytes(records);
    byte[] changed = content.clone();
    changed[1300] ^= 1;
    Files.write(records, changed);
    restart();
    assertUnavailable(() -> ask(BEGUN, BEGUN + 20, List.of(5, 3), 0, 1));
    assertThat(ask(BEGUN + 10, BEGUN + 20, List.of(3), 0, 2)).isEqualTo(second.blobs().get(2));
    // the gateway may lie, or have no answer
    served.records = page -> List.of();
    served.closeNothing(BEGUN + 30);
    replica.follow();
    assertThat(copies.closed()).isEqualTo(BEGUN + 30);
    assertUnavailable(() -> ask(BEGUN, BEGUN + 20, List.of(5, 3), 0, 1));
    pages();
    served.closeNothing(BEGUN + 40);
    replica.follow();
    assertThat(Files.readAllBytes(records)).isEqualTo(content);
    assertThat(ask(BEGUN, BEGUN + 20, List.of(5, 3), 0, 1)).isEqualTo(first.blobs().get(1));
  }

  /** What is missing of the newest days is read anew; earlier days stay. */
  @Test
  void aDamagedIndexIsReadAnew() throws IOException {
    replica.follow();
    served.close(BEGUN + 10, MINE, 5);
    replica.follow();
    served.close(BEGUN + 5 * DAY, MINE, 5);
    replica.follow();
    for (String name : List.of("70.index", "70.records")) {
      Path file = folder.resolve(day(BEGUN + 5 * DAY)).resolve(name);
      byte[] content = Files.readAllBytes(file);
      Files.write(file, new byte[7], StandardOpenOption.TRUNCATE_EXISTING);
      restart();
      assertThat(copies.closed()).isZero();
      replica.follow();
      assertThat(Files.readAllBytes(file)).isEqualTo(content);
      assertThat(ask(BEGUN + 5 * DAY - 1, BEGUN + 5 * DAY, List.of(5), 0, 4)).isNotNull();
      assertThat(ask(BEGUN, BEGUN + 10, List.of(5), 0, 4)).isNotNull();
    }
    Files.writeString(folder.resolve("list"), "since x\n");
    restart();
    assertThat(copies.closed()).isZero();
  }

  /** Two would sign two lists of one time. */
  @Test
  void oneProcessHasTheFolder() {
    assertThatIllegalStateException()
        .isThrownBy(() -> TableFiles.open(folder, ServedTables.NETWORK).close());
  }

  private void noPages() {
    served.headers =
        any -> {
          throw new AssertionError("it is on disk");
        };
    served.records =
        any -> {
          throw new AssertionError("it is on disk");
        };
  }

  private void pages() {
    served.headers = UnaryOperator.identity();
    served.records = UnaryOperator.identity();
  }

  private static String day(long closed) {
    return LocalDate.ofEpochDay(closed / DAY).toString();
  }

  private List<String> days() {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(Files::isDirectory)
          .map(each -> String.valueOf(each.getFileName()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long onDisk() {
    try (Stream<Path> all = Files.walk(folder, 2)) {
      return all.filter(each -> each.toString().matches(".*[.](records|index)"))
          .mapToLong(each -> each.toFile().length())
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] ask(long after, long upto, List<Integer> records, int table, int record) {
    RetrievalQuery query =
        RetrievalQuery.of(
            RetrievalWindow.place(records, table, record),
            RetrievalWindow.size(records),
            2,
            RANDOM);
    List<byte[]> answers =
        query.shares().stream()
            .map(share ->
                answered(
                    new MailQuery(
                        MINE, after, upto, served.stateAt(MINE, upto).digest(), share.encode())))
            .toList();
    return query.combine(answers, 1200);
  }

  /** A query that names the state of another time. */
  private void answer(long after, long upto, long stateOf) {
    byte[] unused =
        answered(
            new MailQuery(
                MINE, after, upto, served.stateAt(MINE, stateOf).digest(), new byte[] {1, 1}));
  }

  private byte[] answered(MailQuery query) {
    AnswerQueue.Outcome outcome = copies.answers(List.of(query)).getFirst();
    if (outcome.answer() == null) {
      throw Objects.requireNonNull(outcome.refusal());
    }
    return outcome.answer();
  }

  private static void assertUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ProtocolException.class,
            refused -> assertThat(refused.code()).isEqualTo(RejectionCode.UNAVAILABLE));
  }
}
