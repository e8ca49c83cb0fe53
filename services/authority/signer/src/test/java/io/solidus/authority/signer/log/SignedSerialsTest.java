package io.solidus.authority.signer.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.OwnershipRow;
import io.solidus.authority.common.ShardSchema;
import io.solidus.authority.common.SignerSchema;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardRange;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The signer's own table: shards may hold what they like, one core is signed for a serial number;
 * and a table that lost rows stops the signer.
 */
@Tag("process")
@Spec("V-20")
class SignedSerialsTest {

  private static final NetworkId NETWORK = new NetworkId("signed-serials-test");
  private static final LogPosition GENESIS = HashChain.genesis(NETWORK, 1);

  @TempDir Path folder;
  private Path path;
  private TestDatabase database;
  private AuthorityDatabase authority;
  private JdbcClient jdbc;

  @BeforeEach
  void open() {
    path = folder.resolve("sign.log");
    database = MigratedDatabase.fresh();
    authority = AuthorityDatabase.open(database.dataSource());
    jdbc = authority.jdbc();
    OwnershipRow.insert(jdbc, ShardSchema.name(0), 1, new ShardRange(FieldElement.ZERO, null));
  }

  @Test
  void refusesASecondCoreThatAnotherShardHolds() throws Exception {
    SignRecord first = record(0);
    SignRecord second = secondCore(0);
    reserve(0, first);
    reserve(1, second);
    try (SignLog log = audit().open(path)) {
      append(log, first);
      assertThat(refused(log, second)).containsExactly(second.core());
      assertThat(log.failure()).as("the signer goes on").isEmpty();
      assertThat(append(log, first).sequence()).as("the first core again").isEqualTo(2);
    }
    assertThat(records()).as("the refused core leaves no record").containsExactly(first, first);
    assertThat(table()).isEqualTo(3);
    try (SignLog log = audit().open(path)) {
      assertThat(refused(log, second)).as("after a restart").containsExactly(second.core());
    }
  }

  /**
   * Attack: shards hold the serial number for a core below a second recover, which the first signed
   * core is not. What the signer signed first decides.
   */
  @Test
  @Spec("X-26")
  void refusesARecoverThatRestsOnAnotherRowThanTheSignersOwn() throws Exception {
    SignRecord first = record(0);
    SignRecord second = secondCore(0);
    SignRecord over =
        recover(record(9).core(), second.core(), second.serials().getFirst(), serialOf(9));
    reserve(0, first);
    reserve(1, over);
    try (SignLog log = audit().open(path)) {
      append(log, first);
      assertThat(refused(log, over)).containsExactly(over.core());
      assertThat(log.failure()).isEmpty();
    }
    assertThat(records()).containsExactly(first);
  }

  /** A recover rests on the row of a core below it, which is signed as well, before or after. */
  @Test
  @Spec("X-26")
  void signsARecoverAndTheCoreBelowIt() throws Exception {
    SignRecord below = record(0);
    SignRecord over =
        recover(record(9).core(), below.core(), below.serials().getFirst(), serialOf(9));
    SignRecord further = recover(record(8).core(), over.core(), serialOf(9), serialOf(8));
    reserve(0, below);
    reserve(0, over);
    reserve(0, further);
    try (SignLog log = audit().open(path)) {
      append(log, over);
      append(log, below);
      append(log, further);
      assertThat(append(log, over).sequence()).as("again").isEqualTo(4);
    }
    SignRecord second = secondCore(0);
    reserve(1, second);
    try (SignLog log = audit().open(path)) {
      assertThat(refused(log, second)).as("a core beside them").containsExactly(second.core());
    }
    assertThat(new SignedCores(jdbc).holds(over.core(), List.of(serialOf(9)))).isTrue();
  }

  private static SerialNumber serialOf(int n) {
    return record(n).serials().getLast();
  }

  /** A recover that rests on a core's row of the first serial number, and on one of its own. */
  private static SignRecord recover(
      TxCore core, TxCore holder, SerialNumber held, SerialNumber own) {
    return new SignRecord(
        Family.RECOVER,
        core,
        1,
        List.of(held, own),
        List.of(holder, core),
        Digest32.sha256(core.bytes()));
  }

  /** What the finish rule asks: whether the signer signed this very core, whatever shards hold. */
  @Test
  @Spec("V-21")
  void tellsWhichCoresItSigned() throws Exception {
    SignRecord signed = record(0);
    SignRecord other = secondCore(0);
    SignRecord reserved = record(7);
    reserve(0, signed);
    reserve(1, other);
    reserve(0, reserved);
    try (SignLog log = audit().open(path)) {
      append(log, signed);
    }
    SignedCores cores = new SignedCores(jdbc);
    assertThat(cores.holds(signed.core(), signed.serials())).isTrue();
    assertThat(cores.holds(other.core(), other.serials())).as("another core").isFalse();
    assertThat(cores.holds(reserved.core(), reserved.serials())).as("only reserved").isFalse();
    List<SerialNumber> more = new ArrayList<>(signed.serials());
    more.addAll(reserved.serials());
    assertThat(cores.holds(signed.core(), more)).as("with a serial number besides").isFalse();
    assertThat(cores.holds(signed.core(), List.of())).isFalse();
  }

  @Test
  void aRefusedCoreTakesNoSerialNumber() throws Exception {
    SignRecord first = record(0);
    SerialNumber fresh = record(7).serials().getFirst();
    SignRecord mixed = record(secondCore(0).core(), List.of(fresh, first.serials().get(2)));
    SignRecord owner = record(record(8).core(), List.of(fresh));
    reserve(0, first);
    reserve(1, mixed);
    reserve(0, owner);
    try (SignLog log = audit().open(path)) {
      append(log, first);
      assertThat(refused(log, mixed)).containsExactly(mixed.core());
      assertThat(append(log, owner).sequence()).isEqualTo(2);
    }
  }

  @Test
  void ofTwoCoresInOneBatchOnlyOneIsSigned() throws Exception {
    SignRecord first = record(0);
    SignRecord second = secondCore(0);
    reserve(0, first);
    reserve(1, second);
    try (SignLog log = audit().open(path)) {
      assertThat(refused(log, first, second)).containsExactly(second.core());
      append(log, first);
    }
    assertThat(records()).containsExactly(first);
  }

  /** Several batches are one group: the writer waits for the row meanwhile. */
  @Test
  void aRefusedBatchTakesNoOtherWithIt() throws Exception {
    List<SignRecord> good = IntStream.range(0, 4).mapToObj(SignLogFileTest::record).toList();
    good.forEach(each -> reserve(0, each));
    SignRecord second = secondCore(2);
    reserve(1, second);
    try (SignLog log = audit().open(path)) {
      append(log, good.get(2));
      List<CompletableFuture<LogPosition>> all = new ArrayList<>();
      authority
          .transaction()
          .executeWithoutResult(t -> {
            jdbc.sql("SELECT 1 FROM authority.sign_log_anchor FOR UPDATE")
                .query(Integer.class)
                .single();
            for (SignRecord each : List.of(good.get(0), good.get(1), second, good.get(3))) {
              all.add(log.append(each).orElseThrow());
            }
          });
      CompletableFuture<LogPosition> refused = all.remove(2);
      assertThat(catchThrowable(() -> done(refused)))
          .hasCauseInstanceOf(SignedOtherwiseException.class);
      for (CompletableFuture<LogPosition> each : all) {
        done(each);
      }
    }
    assertThat(records()).containsExactly(good.get(2), good.get(0), good.get(1), good.get(3));
  }

  @Test
  void refusesALogWithTwoCoresOfOneSerialNumber() throws Exception {
    SignRecord first = record(0);
    SignRecord second = secondCore(0);
    reserve(0, first);
    reserve(1, second);
    try (SignLog log = audit().open(path)) {
      append(log, first);
    }
    write(second);
    assertThatThrownBy(() -> audit().open(path))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("two cores");
    move(2);
    assertThatThrownBy(() -> audit().open(path))
        .as("also where the table is at the end of the log")
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("two cores");
    assertThatThrownBy(() -> recovery().run(path, true))
        .as("and in a recovery")
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("this authority has signed a double spend");
  }

  /** Attack: a row for another core, while the transaction of a record has to be repeated. */
  @Test
  void aRepeatedTransactionThatFindsAnotherCoreStopsTheSigning() throws Exception {
    SignRecord first = record(0);
    SignRecord next = record(1);
    reserve(0, first);
    reserve(0, next);
    try (SignLog log = audit().open(path)) {
      jdbc.sql("ALTER TABLE authority.sign_log_anchor RENAME TO away").update();
      assertThat(catchThrowable(() -> append(log, first)))
          .as("in the log, and not in the database")
          .hasCauseInstanceOf(DataAccessException.class);
      jdbc.sql("ALTER TABLE authority.away RENAME TO sign_log_anchor").update();
      jdbc.sql("INSERT INTO signer.signed (serial, core) VALUES (?, ?)")
          .params(first.serials().getFirst().bytes(), secondCore(0).core().bytes())
          .update();
      assertThat(catchThrowable(() -> append(log, next)))
          .hasCauseInstanceOf(LogDamagedException.class)
          .hasMessageContaining("two cores");
      assertThat(log.failure()).isPresent();
    }
    assertThat(records()).containsExactly(first);
  }

  @Test
  void noticesADroppedSchema() throws Exception {
    signed(0, 1);
    drop();
    assertThatThrownBy(() -> audit().open(path))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("table is at record 0 and the authority's anchor says 2");
    recover();
  }

  @Test
  void noticesAnEmptiedTable() throws Exception {
    signed(0, 1);
    jdbc.sql("ALTER TABLE signer.signed DISABLE TRIGGER ALL").update();
    jdbc.sql("TRUNCATE signer.signed").update();
    assertThatThrownBy(() -> audit().open(path))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("lacks 6 serial numbers that it signed");
    recover();
  }

  @Test
  void noticesATableRestoredByItself() throws Exception {
    signed(0, 1, 2);
    restoreTable(1);
    assertThatThrownBy(() -> audit().open(path))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("table is at record 1 and the authority's anchor says 3");
    recover();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRunningSignerNoticesADroppedOrRestoredSchema(boolean dropped) throws Exception {
    signed(0, 1);
    reserve(0, record(2));
    try (SignLog log = audit().open(path)) {
      if (dropped) {
        drop();
      } else {
        restoreTable(1);
      }
      assertThat(catchThrowable(() -> append(log, record(2))))
          .hasCauseInstanceOf(TablesReplacedException.class);
      assertThat(log.failure()).isPresent();
    }
    assertThatThrownBy(() -> audit().open(path)).isInstanceOf(LogDamagedException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "signer.signed_position SET sequence = 1",
        "authority.sign_log_anchor SET signed_sequence = 1"
      })
  void aRunningSignerNoticesATableThatIsNotAtTheAnchor(String change) throws Exception {
    signed(0, 1);
    reserve(0, record(2));
    try (SignLog log = audit().open(path)) {
      jdbc.sql("UPDATE " + change).update();
      assertThat(catchThrowable(() -> append(log, record(2))))
          .hasCauseInstanceOf(LogDamagedException.class);
      assertThat(log.failure()).isPresent();
    }
  }

  /**
   * A start moved the table and crashed before the anchor; then the log's volume is rolled back.
   */
  @Test
  void aLogThatEndsBeforeTheTableIsRefused() throws Exception {
    signed(0);
    byte[] older = Files.readAllBytes(path);
    LogPosition anchored = new LogAnchor(authority).read().orElseThrow();
    signed(1);
    jdbc.sql("UPDATE authority.sign_log_anchor SET sequence = ?, head = ?")
        .params(anchored.sequence(), anchored.head().bytes())
        .update();
    Files.write(path, older);
    assertThatThrownBy(() -> audit().open(path))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("the log is an older one");
  }

  @Test
  void signsNothingWhileTheTableIsAway() throws Exception {
    signed(0);
    reserve(0, record(1));
    try (SignLog log = audit().open(path)) {
      jdbc.sql("ALTER TABLE signer.signed RENAME TO away").update();
      assertThat(catchThrowable(() -> append(log, record(1)))).isNotNull();
      jdbc.sql("ALTER TABLE signer.away RENAME TO signed").update();
      assertThat(append(log, record(1)).sequence()).isEqualTo(2);
    }
  }

  @Test
  void rowsAreForEver() throws Exception {
    signed(0);
    for (String sql :
        List.of(
            "UPDATE signer.signed SET core = sha256(core)",
            "DELETE FROM signer.signed",
            "TRUNCATE signer.signed",
            "DELETE FROM signer.signed_position",
            "TRUNCATE signer.signed_position")) {
      assertThatThrownBy(() -> jdbc.sql(sql).update())
          .as(sql)
          .hasStackTraceContaining("are for ever");
    }
  }

  /** A crash after the log's fsync and before the commit: the signature never left. */
  @Test
  void completesTheTableAfterACrash() throws Exception {
    signed(0);
    reserve(0, record(1));
    write(record(1));
    try (SignLog log = audit().open(path)) {
      assertThat(table()).isEqualTo(6);
      assertThat(refused(log, secondCore(1))).hasSize(1);
      assertThat(append(log, record(1)).sequence()).isEqualTo(3);
    }
  }

  /** The first start of this version, or of one after a roll-back to the version before. */
  @Test
  void completesTheTableOfASignerThatDidNotKeepIt() throws Exception {
    int count = 1_203;
    for (int n = 0; n < count; n++) {
      reserve(0, record(n));
    }
    try (SignLog log = audit().open(path)) {
      for (int n = 0; n < count; n += 200) {
        done(
            log.append(
                    IntStream.range(n, Math.min(n + 200, count))
                        .mapToObj(SignLogFileTest::record)
                        .toList())
                .orElseThrow());
      }
    }
    drop();
    move(0);
    try (SignLog log = audit().open(path)) {
      assertThat(table()).isEqualTo(3L * count);
      assertThat(new SignedSerials(authority).position()).isEqualTo(count);
      assertThat(refused(log, secondCore(3))).hasSize(1);
    }
    audit().open(path).close();
  }

  @Test
  void aRegistrationIsKeptLikeASerialNumber() throws Exception {
    SignRecord first = registration(record(0));
    SignRecord second = registration(secondCore(0));
    jdbc.sql("CREATE SCHEMA issuer").update();
    jdbc.sql("CREATE TABLE issuer.registration (core bytea PRIMARY KEY)").update();
    for (SignRecord each : List.of(first, second)) {
      jdbc.sql("INSERT INTO issuer.registration VALUES (?)").param(each.core().bytes()).update();
    }
    try (SignLog log = audit().open(path)) {
      append(log, first);
      assertThat(refused(log, second)).containsExactly(second.core());
    }
    audit().open(path).close();
    drop();
    recover();
  }

  /**
   * The roles of the charts: the signer's is a member of the shards', which owns the database and
   * has no rights on the table.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRoleOfItsOwnKeepsShardsAway(boolean signerFirst) throws Exception {
    database = TestPostgres.newDatabase();
    String name = database.url().substring(database.url().lastIndexOf('/') + 1);
    String shards = name + "_shards";
    String signer = name + "_signer";
    JdbcClient owner = JdbcClient.create(database.dataSource());
    owner.sql("CREATE ROLE " + shards + " LOGIN PASSWORD 'p'").update();
    owner.sql("CREATE ROLE " + signer + " LOGIN PASSWORD 'p' IN ROLE " + shards).update();
    owner.sql("ALTER DATABASE " + name + " OWNER TO " + shards).update();
    HikariDataSource pool = pool(signer);
    if (signerFirst) {
      AuthorityDatabase.open(pool);
      SignerSchema.migrate(pool);
    }
    jdbc = AuthorityDatabase.open(as(shards)).jdbc();
    ShardSchema.migrate(as(shards), 0);
    ShardSchema.migrate(as(shards), 1);
    authority = AuthorityDatabase.open(pool);
    SignerSchema.migrate(pool);
    reserve(0, record(0));
    reserve(1, secondCore(0));
    try (SignLog log = audit().open(path)) {
      append(log, record(0));
      for (String sql :
          List.of(
              "SELECT count(*) FROM signer.signed",
              "INSERT INTO signer.signed VALUES ('\\x00', '\\x00')",
              "DELETE FROM signer.signed",
              "ALTER SCHEMA signer RENAME TO away",
              "SET ROLE " + signer,
              "UPDATE signer.signed_position SET sequence = 0",
              "ALTER TABLE signer.signed DISABLE TRIGGER ALL",
              "TRUNCATE signer.signed",
              "DROP SCHEMA signer CASCADE")) {
        assertThatThrownBy(() -> jdbc.sql(sql).update())
            .as(sql)
            .rootCause()
            .isInstanceOfSatisfying(
                SQLException.class,
                refused -> assertThat(refused.getSQLState()).as(sql).isEqualTo("42501"));
      }
      assertThat(refused(log, secondCore(0))).hasSize(1);
      jdbc.sql("SELECT sequence FROM authority.sign_log_anchor FOR UPDATE")
          .query(Long.class)
          .single();
    }
    audit().open(path).close();
    pool.close();
  }

  private DataSource as(String role) {
    return new DriverManagerDataSource(database.url(), role, "p");
  }

  /** Sessions that are used again, as in a service. */
  private HikariDataSource pool(String role) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(database.url());
    pool.setUsername(role);
    pool.setPassword("p");
    pool.setMaximumPoolSize(4);
    return pool;
  }

  /** The way back after each of these faults. */
  private void recover() throws IOException {
    recovery().run(path, true);
    audit().open(path).close();
  }

  private LogRecovery recovery() {
    return new LogRecovery(NETWORK, 1, authority, null, Clock.systemUTC());
  }

  private void drop() {
    jdbc.sql("DROP SCHEMA signer CASCADE").update();
    SignerSchema.migrate(database.dataSource());
  }

  /** Restores the table to the moment when the first records were signed, and nothing else. */
  private void restoreTable(int count) {
    drop();
    for (int n = 0; n < count; n++) {
      new SignedSerials(authority).add(List.of(record(n)));
    }
    jdbc.sql("UPDATE signer.signed_position SET sequence = ?").param(count).update();
  }

  /** Says that the table and the authority's anchor agree on a position. */
  private void move(long position) {
    jdbc.sql("UPDATE signer.signed_position SET sequence = ?").param(position).update();
    jdbc.sql("UPDATE authority.sign_log_anchor SET signed_sequence = ?").param(position).update();
  }

  /** Appends to the log alone. */
  private void write(SignRecord record) throws IOException {
    try (SignLogFile file = SignLogFile.open(path, GENESIS, (r, at) -> {})) {
      file.cutTornTail();
      file.append(List.of(record));
    }
  }

  private void signed(int... numbers) throws Exception {
    for (int n : numbers) {
      reserve(0, record(n));
    }
    try (SignLog log = audit().open(path)) {
      for (int n : numbers) {
        append(log, record(n));
      }
    }
  }

  private void reserve(int shard, SignRecord record) {
    for (int i = 0; i < record.serials().size(); i++) {
      jdbc.sql("INSERT INTO shard_" + shard + ".serials VALUES (?, ?) ON CONFLICT DO NOTHING")
          .params(record.serials().get(i).bytes(), record.holders().get(i).bytes())
          .update();
    }
  }

  private static Set<TxCore> refused(SignLog log, SignRecord... records) {
    Throwable why = catchThrowable(() -> done(log.append(List.of(records)).orElseThrow()));
    assertThat(why).hasCauseInstanceOf(SignedOtherwiseException.class);
    return Objects.requireNonNull((SignedOtherwiseException) why.getCause()).cores();
  }

  private static LogPosition append(SignLog log, SignRecord record)
      throws InterruptedException, ExecutionException, TimeoutException {
    return done(log.append(record).orElseThrow());
  }

  private static LogPosition done(CompletableFuture<LogPosition> appended)
      throws InterruptedException, ExecutionException, TimeoutException {
    return appended.get(5, TimeUnit.MINUTES);
  }

  private static SignRecord record(int n) {
    return SignLogFileTest.record(n);
  }

  /** Another core that spends the serial numbers of {@link #record(int)}. */
  private static SignRecord secondCore(int n) {
    return record(new TxCore(Digest32.sha256(record(n).core().bytes())), record(n).serials());
  }

  private static SignRecord record(TxCore core, List<SerialNumber> serials) {
    return new SignRecord(Family.TRANSFER, core, 1, serials, Digest32.sha256(core.bytes()));
  }

  private static SignRecord registration(SignRecord like) {
    return new SignRecord(
        Family.REGISTER, like.core(), 1, like.serials().subList(0, 2), like.points());
  }

  private List<SignRecord> records() throws IOException {
    return FaultyDisk.records(path, NETWORK, 1);
  }

  private long table() {
    return jdbc.sql("SELECT count(*) FROM signer.signed").query(Long.class).single();
  }

  private LogAudit audit() {
    return new LogAudit(NETWORK, 1, authority, null, true);
  }
}
