package io.solidus.authority.signer.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.ShardSchema;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Spec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A start compares what came after the checkpoint, everything where something is doubtful, and the
 * rest while the signer signs. A start that refuses a row that was taken away before the checkpoint
 * has compared everything.
 */
@Tag("process")
@Spec("V-20")
class AuditCheckpointTest {

  private static final NetworkId NETWORK = new NetworkId("checkpoint-test");
  private static final String ROW_OF_THE_FIRST =
      "DELETE FROM shard_0.serials WHERE core = sha256('\\x0000'::bytea)";

  @TempDir Path folder;
  private Path path;
  private Path checkpoint;
  private @Nullable Path anchorFile;
  private int authorityIndex = 1;
  private TestDatabase database;
  private AuthorityDatabase authority;
  private JdbcClient jdbc;

  @BeforeEach
  void open() {
    at(folder);
    database = MigratedDatabase.fresh();
    authority = AuthorityDatabase.open(database.dataSource());
    jdbc = authority.jdbc();
  }

  private void at(Path where) {
    path = where.resolve("sign.log");
    checkpoint = where.resolve("sign.log.audited");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ROW_OF_THE_FIRST,
        "UPDATE shard_1.serials SET core = sha256(core) WHERE core = sha256('\\x0000'::bytea)",
        "DELETE FROM signer.signed WHERE core = sha256('\\x0000'::bytea)",
        "UPDATE signer.signed SET core = sha256(core) WHERE core = sha256('\\x0000'::bytea)",
      })
  void aRowChangedBeforeTheCheckpointIsFoundWhileTheSignerRuns(String change) throws Exception {
    signed(0, 1, 2);
    reserve(3);
    change(change);
    try (SignLog log = start()) {
      assertStops(log);
      assertThat(catchThrowable(() -> append(log, 3)))
          .hasCauseInstanceOf(LogDamagedException.class);
    }
    assertThat(checkpoint).as("the next start trusts nothing").doesNotExist();
    assertThatThrownBy(this::start).isInstanceOf(LogDamagedException.class);
  }

  @Test
  void aRecordChangedBeforeTheCheckpointIsFoundWhileTheSignerRuns() throws Exception {
    signed(0, 1, 2);
    byte[] log = Files.readAllBytes(path);
    log[10] ^= 1;
    Files.write(path, log);
    try (SignLog opened = start()) {
      assertStops(opened);
    }
    assertThatThrownBy(this::start).isInstanceOf(LogDamagedException.class);
  }

  @Test
  void aCleanSignerGoesOnAfterTheSweep() throws Exception {
    signed(0, 1, 2);
    byte[] before = Files.readAllBytes(checkpoint);
    reserve(3);
    try (SignLog log = start()) {
      assertThat(append(log, 3).sequence()).isEqualTo(4);
      Thread sweep = threadNamed("sign-log-sweep");
      Await.until("it has ended", () -> sweep == null || !sweep.isAlive());
      assertThat(log.failure()).isEmpty();
    }
    assertThat(Files.readAllBytes(checkpoint)).isNotEqualTo(before);
    assertThat(Files.getPosixFilePermissions(checkpoint))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertWhole(false);
  }

  @Test
  void whatCameAfterTheCheckpointIsComparedAtTheStart() throws Exception {
    signed(0);
    byte[] older = Files.readAllBytes(checkpoint);
    signed(1);
    // as after a crash, or by someone who took the file back
    Files.write(checkpoint, older);
    change("DELETE FROM signer.signed WHERE core = sha256('\\x0001'::bytea)");
    assertThatThrownBy(this::start)
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("lacks 3 serial numbers that it signed");
  }

  @Test
  void aCheckpointTakenBackToOtherTablesIsNotTrusted() throws Exception {
    signed(0);
    byte[] older = Files.readAllBytes(checkpoint);
    replaceShard(1);
    row(1, 0, 2);
    start().close();
    assertWhole(false);
    Files.write(checkpoint, older);
    assertWhole(true);
  }

  @Test
  void aMissingCheckpointShowsNothing() throws Exception {
    signed(0, 1);
    Files.delete(checkpoint);
    assertWhole(true);
  }

  @Test
  void theCheckpointOfAnotherAuthorityShowsNothing() throws Exception {
    signed(0, 1);
    TestDatabase mine = database;
    open();
    at(Files.createDirectory(folder.resolve("other")));
    authorityIndex = 2;
    signed(0, 1);
    byte[] others = Files.readAllBytes(checkpoint);
    authorityIndex = 1;
    at(folder);
    authority = AuthorityDatabase.open(mine.dataSource());
    jdbc = authority.jdbc();
    Files.write(checkpoint, others);
    assertThatThrownBy(() -> file().read()).hasMessage("it is of another log");
    assertWhole(true);
  }

  /** The log of this authority with another history: a copy that a second process went on with. */
  @Test
  void aCheckpointWithAnotherHeadOrPlaceShowsNothing() throws Exception {
    signed(0, 1);
    AuditCheckpoint.Content content = file().read();
    Mark mark = content.compared();
    Digest32 otherHead = Digest32.sha256(mark.at().head().bytes());
    for (Mark other :
        List.of(
            new Mark(new LogPosition(mark.at().sequence(), otherHead), mark.offset()),
            new Mark(mark.at(), mark.offset() - 1),
            new Mark(mark.at(), mark.offset() + 1),
            new Mark(mark.at(), 0),
            new Mark(mark.at(), 5))) {
      file().write(new AuditCheckpoint.Content(other, content.swept(), content.tables()));
      assertWhole(true);
      file().write(new AuditCheckpoint.Content(mark, other, content.tables()));
      assertWhole(true);
    }
    file().write(content);
    assertWhole(false);
  }

  @Test
  void aTornOrDamagedCheckpointShowsNothing() throws Exception {
    signed(0, 1);
    byte[] whole = Files.readAllBytes(checkpoint);
    for (int length = 0; length < whole.length; length += 17) {
      Files.write(checkpoint, Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> file().read()).hasMessage("it is damaged");
    }
    for (int i = 0; i < whole.length; i++) {
      byte[] bytes = whole.clone();
      bytes[i] ^= 1;
      Files.write(checkpoint, bytes);
      assertThatThrownBy(() -> file().read()).hasMessage("it is damaged");
    }
    Files.write(checkpoint, new byte[2 << 20]);
    assertThatThrownBy(() -> file().read()).hasMessage("it is too long");
    assertWhole(true);
    // a crash before the new file took the place of the old one
    Files.write(checkpoint, whole);
    Files.write(folder.resolve("sign.log.audited.new"), Arrays.copyOf(whole, 40));
    assertWhole(false);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "VACUUM FULL shard_0.serials",
        "VACUUM FULL signer.signed",
        "CREATE TABLE copy AS TABLE shard_1.serials; DROP TABLE shard_1.serials CASCADE;"
            + " ALTER TABLE copy SET SCHEMA shard_1; ALTER TABLE shard_1.copy RENAME TO serials",
      })
  void everythingIsComparedWithATableThatWasReplaced(String replacement) throws Exception {
    signed(0, 1);
    jdbc.sql(replacement).update();
    assertWhole(true);
    start().close();
    assertWhole(false);
  }

  @Test
  void everythingIsComparedWithADatabaseThatIsACopy() throws Exception {
    signed(0, 1);
    TestDatabase copy = TestPostgres.copyOf(database);
    authority = AuthorityDatabase.open(copy.dataSource());
    jdbc = authority.jdbc();
    assertWhole(true);
  }

  @Test
  void everythingIsComparedWhereAnAnchorIsBeforeTheCheckpoint() throws Exception {
    anchorFile = folder.resolve("anchor");
    signed(0);
    byte[] anchor = Files.readAllBytes(anchorFile);
    LogPosition first = new LogAnchor(authority).read().orElseThrow();
    signed(1);
    byte[] kept = Files.readAllBytes(anchorFile);
    Files.write(anchorFile, anchor);
    assertWhole(true);
    Files.write(anchorFile, kept);
    assertWhole(false);
    jdbc.sql("UPDATE authority.sign_log_anchor SET sequence = ?, head = ?")
        .params(first.sequence(), first.head().bytes())
        .update();
    assertWhole(true);
    start().close();
    jdbc.sql("UPDATE authority.sign_log_anchor SET signed_sequence = 1").update();
    jdbc.sql("UPDATE signer.signed_position SET sequence = 1").update();
    assertWhole(true);
  }

  @Test
  void anAnchorAtTheCheckpointWithAnotherHeadIsRefused() throws Exception {
    signed(0, 1);
    jdbc.sql("UPDATE authority.sign_log_anchor SET head = sha256(head)").update();
    assertThatThrownBy(this::start)
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("does not hold the anchored record 2");
  }

  @Test
  void everythingIsComparedOnRequest() throws Exception {
    signed(0, 1);
    change(ROW_OF_THE_FIRST);
    assertThatThrownBy(() -> new LogAudit(NETWORK, 1, authority, null, true).open(path))
        .isInstanceOf(LogDamagedException.class);
  }

  @Test
  void aShorterLogIsRefused() throws Exception {
    signed(0);
    byte[] shorter = Files.readAllBytes(path);
    signed(1);
    Files.write(path, shorter);
    assertThatThrownBy(this::start)
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("does not hold the anchored record 2");
  }

  @Test
  void theCheckpointMovesWhileTheSignerRuns() throws Exception {
    new LogAnchor(authority).create(genesis());
    SignLogFile file = SignLogFile.open(path, genesis(), (r, at) -> {});
    file.cutTornTail();
    SignLog.Audited audited = audited(path, genesis(), authority);
    SignedSerials table = new SignedSerials(authority);
    try (SignLog log =
        new SignLog(
            file,
            new LogAnchor(authority),
            table,
            Optional.empty(),
            genesis(),
            records -> {},
            audited)) {
      for (int n = 0; n < 25; n++) {
        append(log, n);
      }
      assertThat(file().read().compared().at().sequence()).isEqualTo(20);
    }
    assertThat(file().read().compared().at().sequence()).as("closed").isEqualTo(25);
  }

  @Test
  void aSignerThatStoppedForGoodTrustsNothingAtItsNextStart() throws Exception {
    signed(0);
    reserve(1);
    try (SignLog log = start()) {
      append(log, 1);
      jdbc.sql("UPDATE authority.sign_log_anchor SET head = sha256(head)").update();
      assertThat(catchThrowable(() -> append(log, 1))).isNotNull();
    }
    assertThat(checkpoint).doesNotExist();
  }

  @Test
  void aFailedFsyncLeavesNoCheckpoint() throws Exception {
    signed(0);
    reserve(1);
    FaultyDisk disk = new FaultyDisk();
    try (SignLog log = disk.audit(NETWORK, 1, authority).open(path)) {
      assertThat(checkpoint).exists();
      disk.failOneSync();
      assertThat(catchThrowable(() -> append(log, 1))).isNotNull();
    }
    assertThat(checkpoint).doesNotExist();
  }

  @Test
  void aRefusedStartLeavesNoCheckpoint() throws Exception {
    signed(0);
    byte[] log = Files.readAllBytes(path);
    Files.write(path, new byte[0]);
    assertThatThrownBy(this::start).isInstanceOf(LogDamagedException.class);
    assertThat(checkpoint).doesNotExist();
    Files.write(path, log);
    assertWhole(true);
  }

  @Test
  void aSweepGoesOnWhereItWasInterrupted() throws Exception {
    List<SignRecord> records = IntStream.range(0, 1_300).mapToObj(SignLogFileTest::record).toList();
    AuditCheckpoint mine = file();
    BlockingQueue<List<SignRecord>> compared = new LinkedBlockingQueue<>();
    try (SignLogFile file = SignLogFile.open(path, genesis(), (r, at) -> {})) {
      file.cutTornTail();
      for (int n = 0; n < records.size(); n += 100) {
        file.append(records.subList(n, n + 100));
      }
      Mark to = file.end();
      mine.write(new AuditCheckpoint.Content(to, Mark.beginningOf(genesis()), Set.of()));
      CountDownLatch second = new CountDownLatch(1);
      CountDownLatch closing = new CountDownLatch(1);
      LogSweep interrupted =
          sweep(
              file,
              mine,
              mine.read().swept(),
              to,
              batch -> {
                if (!compared.isEmpty()) {
                  second.countDown();
                  awaitQuietly(closing);
                  throw new IllegalStateException("the database went away");
                }
                compared.add(batch);
              });
      assertThat(second.await(5, TimeUnit.MINUTES)).isTrue();
      Thread closer = Thread.ofPlatform().start(interrupted::close);
      Await.until("it is closing", () -> closer.getState() == Thread.State.TIMED_WAITING);
      closing.countDown();
      closer.join();
      assertThat(mine.read().swept().at().sequence()).isEqualTo(LogAudit.BATCH);

      try (LogSweep again = sweep(file, mine, mine.read().swept(), to, compared::add)) {
        Await.until("three batches", () -> compared.size() == 3);
        Await.until("it is done", () -> swept() == 0);
        assertThat(again).isNotNull();
      }
    }
    List<SignRecord> all = new ArrayList<>();
    compared.forEach(all::addAll);
    assertThat(all).isEqualTo(records);
  }

  @Test
  void aRunningSignerNoticesAShardThatWasMadeAnew() throws Exception {
    signed(0);
    reserve(1);
    try (SignLog log = startWithoutSweep()) {
      append(log, 1);
      replaceShard(1);
      row(1, 1, 2);
      reserve(2);
      assertReplaced(log, 2);
    }
    assertThatThrownBy(this::start)
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("lacks 1 serial numbers of signed cores");
  }

  @Test
  void aRunningSignerNoticesAShardThatWasRestoredFromADump() throws Exception {
    signed(0);
    try (SignLog log = startWithoutSweep()) {
      replaceShard(1);
      row(1, 0, 2);
      reserve(1);
      assertReplaced(log, 1);
    }
    signed(1);
    assertThat(new LogAnchor(authority).read().orElseThrow().sequence())
        .as("nothing was missing")
        .isEqualTo(2);
  }

  @Test
  void aRunningSignerNoticesAnIssuerThatWasMadeAnew() throws Exception {
    issuer();
    signed(0);
    reserve(1);
    try (SignLog log = startWithoutSweep()) {
      jdbc.sql("DROP SCHEMA issuer CASCADE").update();
      issuer();
      assertReplaced(log, 1);
    }
  }

  @Test
  void aNewShardStopsNothingAndIsWatchedFromThenOn() throws Exception {
    signed(0);
    reserve(1);
    reserve(2);
    try (SignLog log = startWithoutSweep()) {
      ShardSchema.migrate(database.dataSource(), 2);
      append(log, 1);
      jdbc.sql("DROP SCHEMA shard_2 CASCADE").update();
      assertReplaced(log, 2);
    }
  }

  /** What a log of no records, opened without an audit, says about its audit. */
  static SignLog.Audited audited(Path path, LogPosition genesis, AuthorityDatabase authority) {
    ComparedTables tables = new ComparedTables(authority.jdbc());
    Mark beginning = Mark.beginningOf(genesis);
    return new SignLog.Audited(
        new AuditCheckpoint(path, genesis),
        tables,
        tables.lines(),
        beginning,
        beginning,
        records -> {},
        10);
  }

  private static LogSweep sweep(
      SignLogFile file,
      AuditCheckpoint checkpoint,
      Mark from,
      Mark to,
      Consumer<List<SignRecord>> held) {
    return new LogSweep(
        file,
        checkpoint,
        from,
        to,
        held,
        e -> {
          throw e;
        });
  }

  /** Fails unless a start now compares everything, or only what came after the checkpoint. */
  private void assertWhole(boolean whole) throws IOException {
    byte[] kept = Files.exists(checkpoint) ? Files.readAllBytes(checkpoint) : null;
    byte[] anchored = anchorFile == null ? null : Files.readAllBytes(anchorFile);
    change(ROW_OF_THE_FIRST);
    Throwable refused = catchThrowable(() -> start().close());
    row(0, 0, 0);
    row(0, 0, 1);
    if (kept != null) {
      Files.write(checkpoint, kept);
    }
    if (anchored != null) {
      Files.write(anchorFile, anchored);
    }
    if (whole) {
      assertThat(refused)
          .isInstanceOf(LogDamagedException.class)
          .hasMessageContaining("lacks 2 serial numbers of signed cores");
    } else {
      assertThat(refused).isNull();
    }
  }

  private static void assertStops(SignLog log) {
    Await.until("the sweep stops the signing", () -> log.failure().isPresent());
    assertThat(log.failure().orElseThrow()).isInstanceOf(LogDamagedException.class);
  }

  private static void assertReplaced(SignLog log, int n) {
    assertThat(catchThrowable(() -> append(log, n)))
        .hasCauseInstanceOf(TablesReplacedException.class);
    assertThat(SignLog.mayBeReopened(log.failure().orElseThrow())).isTrue();
  }

  private static @Nullable Thread threadNamed(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(name))
        .findAny()
        .orElse(null);
  }

  private long swept() {
    try {
      return file().read().swept().at().sequence();
    } catch (AuditCheckpoint.UnusableException e) {
      throw new AssertionError(e);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private LogPosition genesis() {
    return HashChain.genesis(NETWORK, authorityIndex);
  }

  private AuditCheckpoint file() {
    return new AuditCheckpoint(path, genesis());
  }

  private SignLog start() throws IOException {
    return new LogAudit(NETWORK, authorityIndex, authority, anchorFile, false).open(path);
  }

  /**
   * A sweep could find the rows of a dropped table missing before the signer sees that it was
   * dropped.
   */
  private SignLog startWithoutSweep() throws IOException {
    return new LogAudit(NETWORK, authorityIndex, authority, anchorFile, true).open(path);
  }

  private void signed(int... numbers) throws Exception {
    Arrays.stream(numbers).forEach(this::reserve);
    try (SignLog log = start()) {
      for (int n : numbers) {
        append(log, n);
      }
    }
  }

  private static LogPosition append(SignLog log, int n) throws Exception {
    return log.append(SignLogFileTest.record(n)).orElseThrow().get(5, TimeUnit.MINUTES);
  }

  /** Two serial numbers on one shard, the third on the other. */
  private void reserve(int n) {
    for (int i = 0; i < 3; i++) {
      row(i == 2 ? 1 : 0, n, i);
    }
  }

  private void row(int shard, int n, int serial) {
    SignRecord record = SignLogFileTest.record(n);
    jdbc.sql("INSERT INTO shard_" + shard + ".serials VALUES (?, ?) ON CONFLICT DO NOTHING")
        .params(record.serials().get(serial).bytes(), record.core().bytes())
        .update();
  }

  private void issuer() {
    jdbc.sql("CREATE SCHEMA issuer").update();
    jdbc.sql("CREATE TABLE issuer.registration (core bytea PRIMARY KEY)").update();
  }

  private void replaceShard(int shard) {
    jdbc.sql("DROP SCHEMA " + ShardSchema.name(shard) + " CASCADE").update();
    ShardSchema.migrate(database.dataSource(), shard);
  }

  /** Changes rows as someone does who owns the database. */
  private void change(String sql) {
    for (String table : List.of("shard_0.serials", "shard_1.serials", "signer.signed")) {
      jdbc.sql("ALTER TABLE " + table + " DISABLE TRIGGER ALL").update();
    }
    jdbc.sql(sql).update();
  }
}
