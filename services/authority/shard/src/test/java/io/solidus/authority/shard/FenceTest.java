package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.authority.shard.Submitted.Transfer;
import io.solidus.authority.shard.range.RangeSplit;
import io.solidus.authority.shard.range.SplitStep;
import io.solidus.authority.spend.Ledger.Reservation;
import io.solidus.authority.spend.Ledger.Signed;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Spend;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.PartialSignature;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whoever goes by an old map can do nothing with what moved; and what would happen without the look
 * at the ownership row.
 */
class FenceTest {

  @TempDir static Path folder;
  private static PostgresServer postgres;
  private static int databases;
  private final LocalAuthority authority = new LocalAuthority(postgres, "fence_" + databases++);
  private final LocalShard old = authority.shard(0);
  private final ShardMap before = authority.newestMap();
  private final ShardMap after = before.split(0, before.ranges().get(0).middle());

  @BeforeAll
  static void start() {
    postgres = PostgresServer.start(folder.resolve("postgres"));
  }

  @AfterAll
  static void stop() {
    postgres.close();
  }

  @AfterEach
  void close() {
    authority.close();
  }

  @Test
  @Spec("V-16")
  void anOldMapReservesNothingOfWhatMoved() {
    authority.start(2);
    Ownership stale = old.withMapOfItsStart(authority, () -> authority.split(0));
    SerialStore store = new SerialStore(old.jdbc, stale);
    SerialNumber moved = serialOf(2);
    assertThat(stale.owns(moved)).as("it believes so").isTrue();
    assertMoved(() -> hold(store, moved));
    assertMoved(() -> hold(store, moved, serialOf(0)));
    hold(store, serialOf(0));
    LookUps lookUps =
        new LookUps(old.withMapOfItsStart(authority, () -> {}), old.serials, old.cores);
    assertMoved(() -> lookUps.serials(List.of(moved)));
  }

  /**
   * The same without the look at the row: the store takes it, and two owners give one serial number
   * to two cores.
   */
  @Test
  void onlyTheRowKeepsAnOldMapFromDoingHarm() {
    authority.start(2);
    authority.split(0);
    SerialNumber moved = serialOf(2);
    unguarded(moved);
    hold(authority.shard(2).serials, moved);
    assertThatThrownBy(() -> new SpentInvariants(authority).hold(Map.of()))
        .as("the checker sees it")
        .hasMessageContaining("serial numbers with two cores");
  }

  @Test
  @Spec("V-16")
  void aLookUpByAnOldMapIsNoAnswer() {
    authority.start(2);
    Spend<Transfer> spend = spendOf(2);
    PartialSignature answer = authority.submit(spend).get();
    Ownership stale = old.withMapOfItsStart(authority, () -> authority.split(0));
    // its map may be refreshed by the refusal, so each look-up has one of its own
    assertThat(stale.owns(spend.lead())).isTrue();
    assertMoved(() -> new LookUps(stale, old.serials, old.cores).serials(List.of(spend.lead())));
    assertThat(stale.owns(spend.lead())).as("it has learnt").isFalse();
    assertThat(authority.shard(2).lookUps.core(spend.core(), spend.lead())).isEqualTo(answer);
  }

  @Test
  @Spec("V-18")
  void aSiblingWithAnOldMapIsToldSoAndOneWithANewerTeaches() {
    authority.start(2);
    Ownership stale = old.withMapOfItsStart(authority, () -> authority.split(0));
    assertThat(stale.mapVersion()).isEqualTo(1);
    stale.requireVersion(2);
    assertThat(stale.mapVersion()).isEqualTo(2);
    assertMoved(() -> stale.requireVersion(1));
    assertMoved(() -> stale.requireVersion(3));
  }

  @Test
  @Spec("V-17")
  void aReservationUnderWayIsWaitedForAndMoves() throws Exception {
    authority.start(2);
    SerialNumber moving = serialOf(2);
    TxCore core = TxCore.of(TestRandom.bytes(32));
    CountDownLatch copied = new CountDownLatch(1);
    CountDownLatch reserving = new CountDownLatch(1);
    RangeSplit.Watcher untilReserving =
        new RangeSplit.Watcher() {
          @Override
          public void reached(SplitStep step) {
            if (step == SplitStep.VERIFIED) {
              copied.countDown();
              Await.until("a reservation is under way", () -> reserving.getCount() == 0);
            }
          }
        };
    CompletableFuture<RangeSplit.Result> split =
        CompletableFuture.supplyAsync(() -> authority.split(0, untilReserving));
    Await.until("everything is copied", () -> copied.getCount() == 0);
    old.transaction.executeWithoutResult(t -> {
      old.serials.hold(new TreeMap<>(Map.of(moving, core)));
      reserving.countDown();
      Await.until("the switch waits", this::switchWaits);
      assertThat(authority.newestMap().version()).isEqualTo(1);
    });
    assertThat(split.get(60, TimeUnit.SECONDS).map()).isEqualTo(after);
    assertThat(authority.shard(2).serials.holders(List.of(moving))).containsEntry(moving, core);
  }

  /**
   * A reservation that looks at the row without sharing its lock is overtaken, and the new owner
   * knows nothing of it.
   */
  @Test
  @Spec("V-16")
  void aReservationWithoutTheRowsLockIsLost() throws Exception {
    authority.start(2);
    SerialNumber moving = serialOf(2);
    TxCore core = TxCore.of(TestRandom.bytes(32));
    CountDownLatch switched = new CountDownLatch(1);
    old.transaction.executeWithoutResult(t -> {
      assertThat(old.jdbc.sql("SELECT map_version FROM ownership").query(Long.class).single())
          .isEqualTo(1);
      CompletableFuture.runAsync(() -> authority.split(0)).thenRun(switched::countDown);
      Await.until("the split is through", () -> switched.getCount() == 0);
      unguarded(moving, core);
    });
    assertThat(old.serials.holders(List.of(moving))).containsEntry(moving, core);
    assertThat(authority.shard(2).serials.holders(List.of(moving))).as("lost").isEmpty();
  }

  @Test
  @Spec("V-17")
  void anAnswerOfACoreThatMovedIsSignedAgainByTheNewOwner() {
    authority.start(2);
    Spend<Transfer> spend = spendOf(2);
    SqlLedger<Transfer> ledger =
        new SqlLedger<>(old.ownership, old.serials, old.cores, old.transaction, s -> {});
    List<SerialNumber> own = spend.serials().stream().filter(s -> before.owner(s) == 0).toList();
    ledger.reserve(List.of(new Reservation<>(spend, own))).getFirst().get();
    PartialSignature signature = authority.tap.sign(List.of(spend)).getFirst().get();
    authority.split(0);
    assertMoved(() -> ledger.store(List.of(new Signed<>(spend, signature))));
    assertThat(old.cores.answers(List.of(spend.core()))).isEmpty();
    Outcome<PartialSignature> again = authority.submit(spend);
    assertThat(again.get()).isEqualTo(signature);
    assertThat(authority.shard(2).cores.answers(List.of(spend.core())))
        .containsEntry(spend.core(), signature);
  }

  @Test
  void aRangeIsNotTakenBack() {
    authority.start(2);
    authority.split(0);
    for (String sql :
        List.of(
            "UPDATE shard_0.ownership SET map_version = 1",
            "UPDATE shard_0.ownership SET hi_exclusive = NULL",
            "DELETE FROM shard_0.ownership",
            "DELETE FROM authority.shard_maps",
            "UPDATE authority.shard_maps SET note = ''")) {
      assertThatThrownBy(() -> authority.jdbc.sql(sql).update())
          .as(sql)
          .isInstanceOf(RuntimeException.class);
    }
  }

  private boolean switchWaits() {
    return authority
            .jdbc
            .sql(
                "SELECT count(*) FROM pg_locks WHERE relation = 'shard_0.ownership'::regclass AND mode = 'ExclusiveLock' AND NOT granted")
            .query(Long.class)
            .single()
        > 0;
  }

  private SerialNumber serialOf(int shard) {
    return authority.transfers.serial(serial -> after.owner(serial) == shard);
  }

  private Spend<Transfer> spendOf(int shard) {
    return authority.spend(authority.transfers.spending(serialOf(shard), serialOf(0), serialOf(1)));
  }

  private void unguarded(SerialNumber serial) {
    unguarded(serial, TxCore.of(TestRandom.bytes(32)));
  }

  private void unguarded(SerialNumber serial, TxCore core) {
    old.jdbc
        .sql("INSERT INTO serials (serial, core) VALUES (:serial, :core)")
        .param("serial", serial.bytes())
        .param("core", core.bytes())
        .update();
  }

  private void hold(SerialStore store, SerialNumber... serials) {
    TreeMap<SerialNumber, TxCore> wanted = new TreeMap<>();
    for (SerialNumber serial : serials) {
      wanted.put(serial, TxCore.of(TestRandom.bytes(32)));
    }
    old.transaction.executeWithoutResult(t -> store.hold(wanted));
  }

  private static void assertMoved(ThrowingCallable work) {
    ProtocolException refusal = catchThrowableOfType(ProtocolException.class, work);
    assertThat(refusal).isNotNull();
    assertThat(refusal.code()).isEqualTo(RejectionCode.SHARD_MOVED);
  }
}
