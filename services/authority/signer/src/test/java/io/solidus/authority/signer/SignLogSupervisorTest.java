package io.solidus.authority.signer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.ShardSchema;
import io.solidus.authority.custody.Binding;
import io.solidus.authority.custody.ShareFile;
import io.solidus.authority.signer.SignLogSupervisor.State;
import io.solidus.authority.signer.log.FaultyDisk;
import io.solidus.authority.signer.log.LogAnchor;
import io.solidus.authority.signer.log.LogAudit;
import io.solidus.authority.signer.log.MigratedDatabase;
import io.solidus.authority.signer.log.SignLog;
import io.solidus.authority.signer.log.SignRecord;
import io.solidus.authority.signer.log.SpentRows;
import io.solidus.authority.spend.Outcome;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.platform.time.BackOff;
import io.solidus.platform.tracing.Spans;
import io.solidus.protocol.Answer;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.Period;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import io.solidus.prover.OutputToBlind;
import io.solidus.prover.Share;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.Status;

/** A signer whose disk is full recovers by itself; after a failed fsync it needs a person. */
@Tag("process")
class SignLogSupervisorTest {

  private static final TestCommittee KEYS = TestCommittee.of(NetworkKind.REGULATED);
  private static final NetworkId NETWORK = KEYS.network();
  private static final int AUTHORITY = 1;

  /** Room for one record of a transfer and part of the next. */
  private static final long ONE_AND_A_HALF = 300;

  @TempDir Path folder;
  private final FaultyDisk disk = new FaultyDisk();
  private final NativePool pool = new NativePool(1, 64, Duration.ofSeconds(20));
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private Path path;
  private DataSource source;
  private AuthorityDatabase database;
  private Share share;
  private SignLogSupervisor supervisor;
  private SigningService signing;

  @BeforeEach
  void start() {
    path = folder.resolve("sign.log");
    TestDatabase fresh = MigratedDatabase.fresh();
    source = fresh.dataSource();
    database = AuthorityDatabase.open(source);
    try (ShareFile file =
        ShareFile.read(KEYS.shareFile(AUTHORITY), null, Binding.of(KEYS.keys(), AUTHORITY))) {
      share = file.open(AUTHORITY);
    }
    BackOff pauses = new BackOff(Duration.ofMillis(5), Duration.ofMillis(20));
    supervisor = new SignLogSupervisor(disk.audit(NETWORK, AUTHORITY, database), path, pauses);
    new SignLogGauges(supervisor).bindTo(metrics);
    signing =
        new SigningService(
            new SignerNetwork(NETWORK, NetworkKind.REGULATED),
            new SigningShares(
                new HeldShare(KEYS.committee().epoch(), share, KEYS.noteKey(AUTHORITY)),
                Optional.empty(),
                Clock.systemUTC()),
            new SpentRows(database.jdbc()),
            supervisor,
            pool,
            Duration.ofSeconds(20),
            new SignerMetrics(metrics, Spans.none()));
    supervisor.start();
    await(State.HEALTHY);
  }

  @AfterEach
  void stop() {
    supervisor.stop();
    pool.close();
    share.close();
  }

  @Test
  void signsAgainWhenThereIsRoom() throws Exception {
    List<SigningRequest> before = reserved(2);
    List<SigningRequest> torn = reserved(3);
    assertSigned(signing.signAll(before), before);

    disk.fillUpAfter(ONE_AND_A_HALF);
    assertThat(signing.signAll(torn))
        .as("no signature of the failed write leaves, not even of the complete record")
        .allMatch(this::unavailable);
    await(State.HEALING);
    int opened = disk.opened();
    Await.until("it is tried repeatedly", () -> disk.opened() >= opened + 3);
    assertThat(supervisor.state()).isEqualTo(State.HEALING);
    assertRefuses("opened and verified again");

    disk.empty();
    await(State.HEALTHY);
    assertThat(supervisor.problem()).isEmpty();
    assertSigned(signing.signAll(torn), torn);
    assertSigned(signing.signAll(before), before);
    assertThat(metrics.get("solidus.signer.log.writes.failed").functionCounter().count())
        .isEqualTo(1);
    supervisor.stop();
    List<SignRecord> records = FaultyDisk.records(path, NETWORK, AUTHORITY);
    assertThat(records.stream().map(SignRecord::core))
        .as("the complete record of the failed write stays, the torn one is removed")
        .containsExactlyElementsOf(
            Stream.of(before, torn.subList(0, 1), torn, before)
                .flatMap(List::stream)
                .map(SigningRequest::core)
                .toList());
    assertThat(new LogAnchor(database).read().orElseThrow().sequence()).isEqualTo(records.size());
  }

  @Test
  void healsRepeatedly() throws Exception {
    for (int times = 1; times <= 3; times++) {
      disk.fillUpAfter(times);
      assertThat(signing.signAll(reserved(1))).allMatch(this::unavailable);
      await(State.HEALING);
      disk.empty();
      await(State.HEALTHY);
      assertThat(supervisor.failedWrites()).isEqualTo(times);
    }
    List<SigningRequest> requests = reserved(1);
    assertSigned(signing.signAll(requests), requests);
  }

  @Test
  void aFailedFsyncNeedsAPerson() throws Exception {
    disk.failOneSync();
    assertThat(signing.signAll(reserved(1))).allMatch(this::unavailable);
    assertNeedsRestart("start the signer again");
    assertThat(supervisor.failedWrites()).isZero();
    assertThat(disk.opened()).as("it is not opened again").isEqualTo(1);
  }

  @Test
  void aFailedFsyncAfterAFailedWriteNeedsAPerson() throws Exception {
    disk.fillUpAfter(ONE_AND_A_HALF);
    disk.failOneSync();
    assertThat(signing.signAll(reserved(3))).allMatch(this::unavailable);
    assertNeedsRestart("start the signer again");
    assertThat(disk.opened()).as("it is not opened again").isEqualTo(1);
  }

  @Test
  void aFailedFsyncOfTheReopenedLogNeedsAPerson() throws Exception {
    disk.fillUpAfter(ONE_AND_A_HALF);
    disk.failOneSyncAfter(1);
    assertThat(signing.signAll(reserved(3))).allMatch(this::unavailable);
    await(State.HEALING);
    disk.empty();
    assertNeedsRestart("start the signer again");
    supervisor.stop();
    supervisor.start();
    await(State.HEALTHY);
  }

  /** Healing makes the same audit as the start. */
  @Test
  void doesNotHealWhenTheDatabaseLostRowsMeanwhile() throws Exception {
    List<SigningRequest> before = reserved(1);
    assertSigned(signing.signAll(before), before);
    disk.fillUpAfter(1);
    assertThat(signing.signAll(reserved(1))).allMatch(this::unavailable);
    await(State.HEALING);
    database.jdbc().sql("ALTER TABLE shard_0.serials DISABLE TRIGGER ALL").update();
    database
        .jdbc()
        .sql("DELETE FROM shard_0.serials WHERE core = ?")
        .param(before.getFirst().core().bytes())
        .update();
    disk.empty();
    assertNeedsRestart("the database lacks 3 serial numbers");
  }

  @Test
  void comparesEverythingAgainWhenATableWasRewritten() {
    List<SigningRequest> before = reserved(1);
    assertSigned(signing.signAll(before), before);
    database.jdbc().sql("VACUUM FULL shard_0.serials").update();
    List<SigningRequest> after = reserved(1);
    assertThat(signing.signAll(after)).allMatch(this::unavailable);
    await(State.HEALTHY);
    assertSigned(signing.signAll(after), after);
    assertThat(supervisor.failedWrites()).isZero();
  }

  @Test
  void stopsWhenAShardsSchemaIsMadeAnewWhileItRuns() {
    List<SigningRequest> before = reserved(1);
    assertSigned(signing.signAll(before), before);
    database.jdbc().sql("DROP SCHEMA shard_0 CASCADE").update();
    ShardSchema.migrate(source, 0);
    assertThat(signing.signAll(reserved(1))).allMatch(this::unavailable);
    assertNeedsRestart("the database lacks 3 serial numbers");
  }

  @Test
  void everySignatureThatLeavesWhileTheDiskFillsUpIsInTheLog() throws Exception {
    List<SigningRequest> requests = reserved(48);
    Map<TxCore, Answer> left = new ConcurrentHashMap<>();
    try (ExecutorService callers = Executors.newFixedThreadPool(8)) {
      List<Future<?>> all =
          requests.stream()
              .<Future<?>>map(request ->
                  callers.submit(() -> left.put(request.core(), signWithRetries(request))))
              .toList();
      for (int times = 1; times <= 3; times++) {
        int atLeast = times * 8;
        Await.until("some have left", () -> left.size() >= atLeast);
        await(State.HEALTHY);
        disk.fillUpAfter(ONE_AND_A_HALF);
        // the write of another caller fails, or this one
        assertThatThrownBy(() -> signing.signAll(reserved(3)).getFirst().get())
            .isInstanceOf(ProtocolException.class);
        int failed = times;
        Await.until("a write has failed", () -> supervisor.failedWrites() >= failed);
        disk.empty();
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    requests.forEach(request -> assertThat(left.get(request.core())).isEqualTo(expected(request)));
    supervisor.stop();
    Map<TxCore, List<SignRecord>> records =
        FaultyDisk.records(path, NETWORK, AUTHORITY).stream()
            .collect(Collectors.groupingBy(SignRecord::core));
    left.forEach((core, signature) ->
        assertThat(records.get(core))
            .extracting(SignRecord::points)
            .as("the same points each time")
            .containsOnly(points(signature)));
  }

  /** A shard holds a second core, as if nobody had reserved the coin before. */
  @Test
  @Spec("V-20")
  void refusesASecondCoreForGoodAndSignsTheRestOfTheBatch() {
    List<SigningRequest> before = reserved(1);
    assertSigned(signing.signAll(before), before);
    SigningRequest second = reserved(before.getFirst().serials(), "shard_1");
    List<SigningRequest> others = reserved(2);
    List<SigningRequest> batch = List.of(others.get(0), second, others.get(1));

    for (int times = 1; times <= 2; times++) {
      List<Outcome<Answer>> outcomes = signing.signAll(batch);
      assertSigned(List.of(outcomes.get(0), outcomes.get(2)), others);
      ProtocolException refused =
          catchThrowableOfType(ProtocolException.class, () -> outcomes.get(1).get());
      assertThat(refused.code()).isEqualTo(RejectionCode.SERIAL_CONFLICT);
      assertThat(metrics.get("solidus.signer.second.cores.refused").counter().count())
          .isEqualTo(times);
    }
    assertThat(supervisor.state()).as("the signer goes on").isEqualTo(State.HEALTHY);
    assertSigned(signing.signAll(before), before);
  }

  /** The commit took effect, and the process ended before the signature left. */
  @Test
  void aCoreInTheTableGetsTheSameBytesAfterACrash() throws Exception {
    List<SigningRequest> requests = reserved(2);
    supervisor.stop();
    LogAudit audit = disk.audit(NETWORK, AUTHORITY, database);
    try (SignLog log = audit.open(path)) {
      for (SigningRequest each : requests) {
        log.append(
                new SignRecord(
                    each.family(), each.core(), 1, each.serials(), points(expected(each))))
            .orElseThrow()
            .get();
      }
    }
    supervisor.start();
    await(State.HEALTHY);
    assertSigned(signing.signAll(requests), requests);
  }

  @Test
  void stoppingEndsTheHealing() throws Exception {
    disk.fillUpAfter(1);
    assertThat(signing.signAll(reserved(1))).allMatch(this::unavailable);
    await(State.HEALING);
    supervisor.stop();
    assertRefuses("stopping");
    disk.empty();
    int opened = disk.opened();
    supervisor.start();
    await(State.HEALTHY);
    assertThat(disk.opened())
        .as("the stopped supervisor released its lock and did not try again")
        .isEqualTo(opened + 1);
  }

  private Answer signWithRetries(SigningRequest request) {
    Answer[] signed = new Answer[1];
    Await.until(
        "it is signed",
        () -> {
          try {
            signed[0] = signing.sign(request);
            return true;
          } catch (ProtocolException e) {
            assertThat(e.code()).isEqualTo(RejectionCode.UNAVAILABLE);
            return false;
          }
        });
    return signed[0];
  }

  private void assertNeedsRestart(String reason) {
    await(State.NEEDS_RESTART);
    assertRefuses(reason);
    assertThat(new SignerHealth(supervisor).health().getDetails())
        .containsEntry("signLog", "needs-restart");
    assertThat(gauge(State.NEEDS_RESTART)).isEqualTo(1);
  }

  private void assertRefuses(String reason) {
    ProtocolException refused =
        catchThrowableOfType(ProtocolException.class, () -> signing.signAll(reserved(1)));
    assertThat(refused.code()).isEqualTo(RejectionCode.UNAVAILABLE);
    assertThat(refused).hasMessageContaining(reason);
    assertThatThrownBy(supervisor::requireReady).isInstanceOf(ProtocolException.class);
    assertThat(new SignerHealth(supervisor).health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
    assertThat(gauge(State.HEALTHY)).isZero();
    assertThat(metrics.get("solidus.signer.ready.status").gauge().value()).isZero();
  }

  private double gauge(State state) {
    return metrics.get("solidus.signer.log.status").tag("state", state.label()).gauge().value();
  }

  private void assertSigned(List<Outcome<Answer>> outcomes, List<SigningRequest> requests) {
    assertThat(outcomes.stream().map(Outcome::get))
        .containsExactlyElementsOf(requests.stream().map(this::expected).toList());
  }

  private boolean unavailable(Outcome<Answer> outcome) {
    return outcome instanceof Outcome.Failed<Answer> failed
        && failed.reason() instanceof ProtocolException no
        && no.code() == RejectionCode.UNAVAILABLE;
  }

  /** The signature of the share, without a log. */
  private Answer expected(SigningRequest request) {
    List<G1Point> points =
        IntStream.range(0, request.outputs().coins().size())
            .mapToObj(j -> share.sign(NETWORK, request.outputs(), j))
            .toList();
    return Answer.of(KEYS.voted(AUTHORITY, request.core(), points));
  }

  private static Digest32 points(Answer signature) {
    return Digest32.sha256(
        signature.present().points().stream().map(G1Point::bytes).toArray(byte[][]::new));
  }

  private List<SigningRequest> reserved(int count) {
    return IntStream.range(0, count).mapToObj(i -> reserved()).toList();
  }

  private SigningRequest reserved() {
    return reserved(
        Stream.generate(() -> new SerialNumber(TestRandom.field())).limit(3).toList(), "shard_0");
  }

  private SigningRequest reserved(List<SerialNumber> serials, String schema) {
    TxCore core = new TxCore(Digest32.sha256(TestRandom.bytes(32)));
    serials.forEach(serial ->
        database
            .jdbc()
            .sql("INSERT INTO " + schema + ".serials VALUES (?, ?)")
            .params(serial.bytes(), core.bytes())
            .update());
    Outputs outputs =
        KEYS.suite()
            .blind(
                new InputDigest(TestRandom.field()),
                new Period(202606),
                List.of(toBlind(), toBlind()));
    return new SigningRequest(Family.TRANSFER, core, serials, outputs);
  }

  private static OutputToBlind toBlind() {
    return new OutputToBlind(TestRandom.field(), TestRandom.field(), TestRandom.scalar());
  }

  private void await(State state) {
    Await.until("the sign-log is " + state.label(), () -> supervisor.state() == state);
  }
}
