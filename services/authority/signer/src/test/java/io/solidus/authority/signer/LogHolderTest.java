package io.solidus.authority.signer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.ShardSchema;
import io.solidus.authority.custody.Binding;
import io.solidus.authority.custody.ShareFile;
import io.solidus.authority.signer.LogHolder.State;
import io.solidus.authority.signer.Signing.Order;
import io.solidus.authority.signer.log.FaultyDisk;
import io.solidus.authority.signer.log.LogAnchor;
import io.solidus.authority.signer.log.SignRecord;
import io.solidus.authority.signer.log.SpentRows;
import io.solidus.authority.spend.Outcome;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.platform.tracing.Spans;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import io.solidus.prover.Share;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.Status;

/** A signer whose disk fills up heals by itself; one whose fsync failed waits for a person. */
class LogHolderTest {

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
  private AuthorityDatabase database;
  private Share share;
  private LogHolder holder;
  private Signing signing;

  @BeforeEach
  void start() {
    path = folder.resolve("sign.log");
    TestDatabase fresh = TestPostgres.newDatabase();
    database = AuthorityDatabase.open(fresh.dataSource());
    ShardSchema.migrate(fresh.dataSource(), 0);
    try (ShareFile file =
        ShareFile.read(KEYS.shareFile(AUTHORITY), null, Binding.of(KEYS.keys(), AUTHORITY))) {
      share = file.open(AUTHORITY);
    }
    BackOff pauses = new BackOff(Duration.ofMillis(5), Duration.ofMillis(20));
    holder = new LogHolder(disk.audit(NETWORK, AUTHORITY, database), path, pauses);
    new LogGauges(holder).bindTo(metrics);
    signing =
        new Signing(
            new SignerNetwork(NETWORK, NetworkKind.REGULATED),
            KEYS.committee(),
            share,
            new SpentRows(database.jdbc()),
            holder,
            pool,
            Duration.ofSeconds(20),
            new SignerMetrics(metrics, Spans.none()));
    holder.start();
    await(State.HEALTHY);
  }

  @AfterEach
  void stop() {
    holder.stop();
    pool.close();
    share.close();
  }

  @Test
  void signsAgainAsSoonAsThereIsRoom() throws Exception {
    List<Order> before = reserved(2);
    List<Order> torn = reserved(3);
    assertSigned(signing.signAll(before), before);

    disk.fillUpAfter(ONE_AND_A_HALF);
    assertThat(signing.signAll(torn))
        .as("nothing of the failed write leaves, not even the record that is whole")
        .allMatch(this::unavailable);
    await(State.HEALING);
    int opened = disk.opened();
    Await.until("it is tried again and again", () -> disk.opened() >= opened + 3);
    assertThat(holder.state()).isEqualTo(State.HEALING);
    assertRefuses("opened and verified again");

    disk.empty();
    await(State.HEALTHY);
    assertThat(holder.problem()).isEmpty();
    assertSigned(signing.signAll(torn), torn);
    assertSigned(signing.signAll(before), before);
    assertThat(metrics.get("solidus.signer.log.writes.failed").functionCounter().count())
        .isEqualTo(1);
    holder.stop();
    List<SignRecord> records = FaultyDisk.records(path, NETWORK, AUTHORITY);
    assertThat(records.stream().map(SignRecord::core))
        .as("the whole record of the failed write stays, the torn one is gone")
        .containsExactlyElementsOf(
            Stream.of(before, torn.subList(0, 1), torn, before)
                .flatMap(List::stream)
                .map(Order::core)
                .toList());
    assertThat(new LogAnchor(database).read().orElseThrow().sequence()).isEqualTo(records.size());
  }

  @Test
  void healsAgainAndAgain() throws Exception {
    for (int times = 1; times <= 3; times++) {
      disk.fillUpAfter(times);
      assertThat(signing.signAll(reserved(1))).allMatch(this::unavailable);
      await(State.HEALING);
      disk.empty();
      await(State.HEALTHY);
      assertThat(holder.failedWrites()).isEqualTo(times);
    }
    List<Order> orders = reserved(1);
    assertSigned(signing.signAll(orders), orders);
  }

  @Test
  void aFailedFsyncWaitsForAPerson() throws Exception {
    disk.failOneSync();
    assertThat(signing.signAll(reserved(1))).allMatch(this::unavailable);
    assertNeedsRestart("start the signer again");
    assertThat(holder.failedWrites()).isZero();
    assertThat(disk.opened()).as("it is not opened again").isEqualTo(1);
  }

  @Test
  void soDoesOneOfWhatAFailedWriteLeft() throws Exception {
    disk.fillUpAfter(ONE_AND_A_HALF);
    disk.failOneSync();
    assertThat(signing.signAll(reserved(3))).allMatch(this::unavailable);
    assertNeedsRestart("start the signer again");
    assertThat(disk.opened()).as("it is not opened again").isEqualTo(1);
  }

  @Test
  void andOneOfTheLogThatIsOpenedAgain() throws Exception {
    disk.fillUpAfter(ONE_AND_A_HALF);
    disk.failOneSyncAfter(1);
    assertThat(signing.signAll(reserved(3))).allMatch(this::unavailable);
    await(State.HEALING);
    disk.empty();
    assertNeedsRestart("start the signer again");
    holder.stop();
    holder.start();
    await(State.HEALTHY);
  }

  /** The audit of healing is that of the start. */
  @Test
  void doesNotHealWhenTheDatabaseHasForgottenMeanwhile() throws Exception {
    List<Order> before = reserved(1);
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
  void whatLeavesWhileTheDiskFillsUpUnderManyIsInTheLog() throws Exception {
    List<Order> orders = reserved(48);
    Map<TxCore, PartialSignature> left = new ConcurrentHashMap<>();
    try (ExecutorService callers = Executors.newFixedThreadPool(8)) {
      List<Future<?>> all =
          orders.stream()
              .<Future<?>>map(
                  order -> callers.submit(() -> left.put(order.core(), signPatiently(order))))
              .toList();
      for (int times = 1; times <= 3; times++) {
        int atLeast = times * 8;
        Await.until("some have left", () -> left.size() >= atLeast);
        await(State.HEALTHY);
        disk.fillUpAfter(ONE_AND_A_HALF);
        // theirs, or this one's
        assertThatThrownBy(() -> signing.signAll(reserved(3)).getFirst().get())
            .isInstanceOf(ProtocolException.class);
        int failed = times;
        Await.until("a write has failed", () -> holder.failedWrites() >= failed);
        disk.empty();
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    orders.forEach(order -> assertThat(left.get(order.core())).isEqualTo(expected(order)));
    holder.stop();
    Map<TxCore, List<SignRecord>> records =
        FaultyDisk.records(path, NETWORK, AUTHORITY).stream()
            .collect(Collectors.groupingBy(SignRecord::core));
    left.forEach((core, signature) ->
        assertThat(records.get(core))
            .extracting(SignRecord::points)
            .as("the same points each time")
            .containsOnly(points(signature)));
  }

  @Test
  void aStopInTheMiddleOfHealingEndsIt() throws Exception {
    disk.fillUpAfter(1);
    assertThat(signing.signAll(reserved(1))).allMatch(this::unavailable);
    await(State.HEALING);
    holder.stop();
    assertRefuses("stopping");
    disk.empty();
    int opened = disk.opened();
    holder.start();
    await(State.HEALTHY);
    assertThat(disk.opened()).as("nobody held its lock, or tried besides").isEqualTo(opened + 1);
  }

  private PartialSignature signPatiently(Order order) {
    PartialSignature[] signed = new PartialSignature[1];
    Await.until(
        "it is signed",
        () -> {
          try {
            signed[0] = signing.sign(order);
            return true;
          } catch (ProtocolException no) {
            assertThat(no.code()).isEqualTo(RejectionCode.UNAVAILABLE);
            return false;
          }
        });
    return signed[0];
  }

  private void assertNeedsRestart(String why) {
    await(State.NEEDS_RESTART);
    assertRefuses(why);
    assertThat(new SignerHealth(holder).health().getDetails())
        .containsEntry("signLog", "needs-restart");
    assertThat(gauge(State.NEEDS_RESTART)).isEqualTo(1);
  }

  private void assertRefuses(String why) {
    ProtocolException refused =
        catchThrowableOfType(ProtocolException.class, () -> signing.signAll(reserved(1)));
    assertThat(refused.code()).isEqualTo(RejectionCode.UNAVAILABLE);
    assertThat(refused).hasMessageContaining(why);
    assertThatThrownBy(holder::requireReady).isInstanceOf(ProtocolException.class);
    assertThat(new SignerHealth(holder).health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
    assertThat(gauge(State.HEALTHY)).isZero();
    assertThat(metrics.get("solidus.signer.ready.status").gauge().value()).isZero();
  }

  private double gauge(State state) {
    return metrics.get("solidus.signer.log.status").tag("state", state.label()).gauge().value();
  }

  private void assertSigned(List<Outcome<PartialSignature>> outcomes, List<Order> orders) {
    assertThat(outcomes.stream().map(Outcome::get))
        .containsExactlyElementsOf(orders.stream().map(this::expected).toList());
  }

  private boolean unavailable(Outcome<PartialSignature> outcome) {
    return outcome instanceof Outcome.Failed<PartialSignature> failed
        && failed.reason() instanceof ProtocolException no
        && no.code() == RejectionCode.UNAVAILABLE;
  }

  /** What the share says of it, with no log in between. */
  private PartialSignature expected(Order order) {
    List<G1Point> points =
        order.outputs().stream().map(coin -> share.sign(NETWORK, coin, order.digest())).toList();
    return new PartialSignature(AUTHORITY, KEYS.committee().epoch(), points);
  }

  private static Digest32 points(PartialSignature signature) {
    return Digest32.sha256(signature.points().stream().map(G1Point::bytes).toArray(byte[][]::new));
  }

  private List<Order> reserved(int count) {
    return IntStream.range(0, count).mapToObj(i -> reserved()).toList();
  }

  private Order reserved() {
    InputDigest digest = new InputDigest(TestRandom.field());
    TxCore core = new TxCore(Digest32.sha256(TestRandom.bytes(32)));
    List<SerialNumber> serials =
        Stream.generate(() -> new SerialNumber(TestRandom.field())).limit(3).toList();
    serials.forEach(serial ->
        database
            .jdbc()
            .sql("INSERT INTO shard_0.serials VALUES (?, ?)")
            .params(serial.bytes(), core.bytes())
            .update());
    return new Order(
        Family.TRANSFER, core, serials, digest, List.of(blinded(digest), blinded(digest)));
  }

  private static BlindedCoin blinded(InputDigest digest) {
    while (true) {
      try {
        return KEYS.suite()
            .blind(TestRandom.field(), TestRandom.field(), TestRandom.scalar(), digest);
      } catch (NativeException e) {
        if (e.code() != NativeErrorCode.RETRY_SEED) {
          throw e;
        }
      }
    }
  }

  private void await(State state) {
    Await.until("the sign-log is " + state.label(), () -> holder.state() == state);
  }
}
