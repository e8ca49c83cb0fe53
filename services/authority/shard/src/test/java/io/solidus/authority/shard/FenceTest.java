package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.shard.range.RangeSplit;
import io.solidus.authority.shard.range.SplitStep;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Siblings.Claim;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.SpendStore.Reservation;
import io.solidus.authority.spend.SpendStore.Signed;
import io.solidus.authority.spend.SpendStore.Stored;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.HoldersReply;
import io.solidus.wire.v1.HoldersRequest;
import io.solidus.wire.v1.PartialSignature;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A shard with an old map cannot use a range that has moved. Two tests show what would happen
 * without the ownership row.
 */
@Tag("process")
class FenceTest {
  private static final int MOST_CALLS = 8;

  private final LocalAuthority authority = new LocalAuthority();
  private final LocalShard old = authority.shard(0);
  private final ShardMap before = authority.newestMap();
  private final ShardMap after = before.split(0, before.ranges().get(0).middle());

  @AfterEach
  void close() {
    authority.close();
  }

  @Test
  @Spec("V-16")
  void aShardWithAnOldMapReservesNothingOfAMovedRange() {
    authority.start(2);
    Ownership stale = old.withMapAtStart(authority, () -> authority.split(0));
    SerialStore store = new SerialStore(old.jdbc, stale);
    SerialNumber moved = serialOf(2);
    assertThat(stale.owns(moved)).as("by its old map").isTrue();
    assertMoved(() -> hold(store, moved));
    assertMoved(() -> hold(store, moved, serialOf(0)));
    hold(store, serialOf(0));
    LookUpService lookUps = old.lookUps(old.withMapAtStart(authority, () -> {}));
    assertMoved(() -> lookUps.serials(List.of(moved)));
  }

  /**
   * The same without the check of the row: the store accepts the serial number, and two owners give
   * it to two cores.
   */
  @Test
  void withoutTheOwnershipRowTwoShardsGiveOneSerialNumberToTwoCores() {
    authority.start(2);
    authority.split(0);
    SerialNumber moved = serialOf(2);
    unguarded(moved);
    hold(authority.shard(2).serials, moved);
    assertThatThrownBy(() -> new SpentInvariants(authority).hold(Map.of()))
        .as("the invariant check reports it")
        .hasMessageContaining("serial numbers with two cores");
  }

  @Test
  @Spec("V-16")
  void aLookUpWithAnOldMapIsRejected() {
    authority.start(2);
    SpendRequest<Transfer> request = spendOf(2);
    PartialSignature answer = authority.submit(request).get();
    Ownership another = old.withMapAtStart(authority, () -> {});
    Ownership stale = old.withMapAtStart(authority, () -> authority.split(0));
    // a rejection refreshes the map, so each look-up needs an Ownership of its own
    assertThat(stale.owns(request.lead())).isTrue();
    assertMoved(() -> old.lookUps(stale).serials(List.of(request.lead())));
    assertThat(stale.owns(request.lead())).as("the rejection refreshed its map").isFalse();
    assertThat(another.owns(request.lead())).isTrue();
    assertMoved(() -> old.lookUps(another).core(request.core(), request.lead()));
    assertThat(old.cores.answers(List.of(request.core())))
        .as("the old owner still has the row, and gives no answer")
        .isEmpty();
    assertThat(authority.shard(2).lookUps.core(request.core(), request.lead())).isEqualTo(answer);
  }

  /**
   * Attack: two processes with the same old map. The one that asks would hear "unspent" of a serial
   * number that the new owner has given away.
   */
  @Test
  @Spec("V-16")
  void theOldOwnerNamesNoHolders() {
    authority.start(2);
    SerialNumber moved = serialOf(2);
    Ownership stale = old.withMapAtStart(authority, () -> authority.split(0));
    hold(authority.shard(2).serials, moved);
    ShardEndpoint endpoint =
        new ShardEndpoint(
            stale, old.serials, new Reservations(old.serials, old.transaction), MOST_CALLS);
    CompletableFuture<HoldersReply> reply = new CompletableFuture<>();
    endpoint.holders(
        HoldersRequest.newBuilder()
            .setShardMapVersion(1)
            .addSerials(ByteString.copyFrom(moved.bytes()))
            .build(),
        new StreamObserver<>() {
          @Override
          public void onNext(HoldersReply value) {
            reply.complete(value);
          }

          @Override
          public void onError(Throwable t) {
            reply.completeExceptionally(t);
          }

          @Override
          public void onCompleted() {}
        });
    assertThat(reply.join().getRejected().getCode()).isEqualTo(RejectionCode.SHARD_MOVED.code());
  }

  @Test
  void aFencedRangeReservesNothing() {
    SerialNumber serial = serialOf(0);
    old.jdbc.sql("UPDATE ownership SET fenced = true").update();
    assertMoved(() -> hold(old.serials, serial));
    old.jdbc.sql("UPDATE ownership SET fenced = false").update();
    hold(old.serials, serial);
  }

  @Test
  @Spec("V-18")
  void rejectsASiblingWithAnOldMapAndLearnsFromOneWithANewerMap() {
    authority.start(2);
    Ownership stale = old.withMapAtStart(authority, () -> authority.split(0));
    assertThat(stale.mapVersion()).isEqualTo(1);
    stale.requireVersion(2);
    assertThat(stale.mapVersion()).isEqualTo(2);
    assertMoved(() -> stale.requireVersion(1));
    assertMoved(() -> stale.requireVersion(3));
  }

  @Test
  @Spec("V-17")
  void theCutoverWaitsForAReservationInProgressAndMovesIt() throws Exception {
    authority.start(2);
    SerialNumber moving = serialOf(2);
    TxCore core = TxCore.of(TestRandom.bytes(32));
    CountDownLatch copied = new CountDownLatch(1);
    CountDownLatch reserving = new CountDownLatch(1);
    RangeSplit.Observer untilReserving =
        new RangeSplit.Observer() {
          @Override
          public void reached(SplitStep step) {
            if (step == SplitStep.VERIFIED) {
              copied.countDown();
              Await.until("a reservation is in progress", () -> reserving.getCount() == 0);
            }
          }
        };
    CompletableFuture<RangeSplit.Result> split =
        CompletableFuture.supplyAsync(() -> authority.split(0, untilReserving));
    Await.until("everything is copied", () -> copied.getCount() == 0);
    old.transaction.executeWithoutResult(t -> {
      old.serials.hold(new TreeMap<>(Map.of(moving, new Claim(core, List.of(moving)))));
      reserving.countDown();
      Await.until("the cutover waits", this::cutoverWaits);
      assertThat(authority.newestMap().version()).isEqualTo(1);
    });
    assertThat(split.get(60, TimeUnit.SECONDS).map()).isEqualTo(after);
    assertThat(authority.shard(2).serials.holders(List.of(moving))).containsEntry(moving, core);
  }

  /**
   * A reservation that reads the row without sharing its lock is overtaken by the cutover, and the
   * new owner does not have it.
   */
  @Test
  @Spec("V-16")
  void aReservationWithoutTheRowLockIsLost() throws Exception {
    authority.start(2);
    SerialNumber moving = serialOf(2);
    TxCore core = TxCore.of(TestRandom.bytes(32));

    old.transaction.executeWithoutResult(t -> {
      assertThat(old.jdbc.sql("SELECT map_version FROM ownership").query(Long.class).single())
          .isEqualTo(1);
      CompletableFuture<Void> split = CompletableFuture.runAsync(() -> authority.split(0));
      Await.until("the split is done", split::isDone);
      unguarded(moving, core);
    });
    assertThat(old.serials.holders(List.of(moving))).containsEntry(moving, core);
    assertThat(authority.shard(2).serials.holders(List.of(moving))).as("lost").isEmpty();
  }

  @Test
  @Spec("V-17")
  void theNewOwnerSignsACoreThatMovedAgain() {
    authority.start(2);
    SpendRequest<Transfer> request = spendOf(2);
    SqlSpendStore<Transfer> spendStore =
        new SqlSpendStore<>(old.ownership, old.serials, old.cores, old.transaction, requests -> {});
    List<SerialNumber> own = request.serials().stream().filter(s -> before.owner(s) == 0).toList();
    spendStore.reserve(List.of(new Reservation<>(request, own))).getFirst().get();
    PartialSignature signature = authority.tap.sign(List.of(request)).getFirst().get();
    authority.split(0);
    assertMoved(() -> spendStore.store(List.of(new Signed<>(request, signature))));
    assertThat(old.cores.answers(List.of(request.core()))).isEmpty();
    Outcome<PartialSignature> again = authority.submit(request);
    assertThat(again.get()).isEqualTo(signature);
    assertThat(authority.shard(2).cores.answers(List.of(request.core())))
        .containsEntry(request.core(), new Stored<>(signature, true));
  }

  @Test
  void aMovedRangeCannotBeTakenBack() {
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

  private boolean cutoverWaits() {
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

  private SpendRequest<Transfer> spendOf(int shard) {
    return authority.request(
        authority.transfers.spending(serialOf(shard), serialOf(0), serialOf(1)));
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
    TreeMap<SerialNumber, Claim> wanted = new TreeMap<>();
    for (SerialNumber serial : serials) {
      wanted.put(serial, new Claim(TxCore.of(TestRandom.bytes(32)), List.of(serial)));
    }
    old.transaction.executeWithoutResult(t -> store.hold(wanted));
  }

  private static void assertMoved(ThrowingCallable work) {
    ProtocolException rejection = catchThrowableOfType(ProtocolException.class, work);
    assertThat(rejection).isNotNull();
    assertThat(rejection.code()).isEqualTo(RejectionCode.SHARD_MOVED);
  }
}
