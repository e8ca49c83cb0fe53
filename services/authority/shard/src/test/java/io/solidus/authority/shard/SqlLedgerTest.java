package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.solidus.authority.shard.Submitted.Transfer;
import io.solidus.authority.spend.Ledger.Done;
import io.solidus.authority.spend.Ledger.Reservation;
import io.solidus.authority.spend.Ledger.Signed;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Spend;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.PartialSignature;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A shard's tables under whole batches, on a real PostgreSQL. */
class SqlLedgerTest {

  private static final int THREADS = 4;
  private static final int ROUNDS = 25;

  /** Long enough that inserts of several batches overlap; with unsorted keys they deadlock. */
  private static final int CROSSING = 600;

  private static LedgerWorld world;
  private static ExecutorService threads;

  @BeforeAll
  static void start() {
    world = new LedgerWorld(THREADS + 1);
    threads = Executors.newFixedThreadPool(THREADS);
  }

  @AfterAll
  static void stop() {
    threads.shutdownNow();
    world.close();
  }

  @Test
  @Spec("V-07")
  void aBatchHoldsItsSerialNumbersAndKeepsItsRequests() {
    List<Spend<Transfer>> spends = List.of(world.spend(), world.spend(), world.spend());
    assertThat(reserve(spends)).containsOnly(done());
    for (Spend<Transfer> spend : spends) {
      assertThat(heldBy(spend)).hasSize(3);
      CoreStore.Stored stored = world.cores.byLeadSerial(List.of(spend.lead())).get(spend.lead());
      assertThat(stored.request()).isEqualTo(spend.request().message().toByteArray());
      assertThat(stored.reply()).isNull();
    }
  }

  @Test
  @Spec("V-09")
  void theSameCoreAgainIsASuccess() {
    List<Spend<Transfer>> spends = List.of(world.spend(), world.spend());
    reserve(spends);
    Spend<Transfer> fresh = world.spend();
    assertThat(reserve(List.of(spends.get(1), fresh, spends.get(0)))).containsOnly(done());
    assertThat(heldBy(fresh)).hasSize(3);
  }

  @Test
  @Spec("V-07")
  void aCoreThatCannotHaveAllHoldsNothingAndSpoilsNoOther() {
    SerialNumber taken = serial();
    reserve(List.of(spending(taken, serial(), serial())));
    Spend<Transfer> good = world.spend();
    Spend<Transfer> blocked = spending(serial(), serial(), taken);
    Spend<Transfer> alsoGood = world.spend();
    List<Outcome<Done>> outcomes = reserve(List.of(good, blocked, alsoGood));
    assertThat(outcomes.get(0)).isEqualTo(done());
    assertThat(code(outcomes.get(1))).isEqualTo(RejectionCode.SERIAL_CONFLICT);
    assertThat(outcomes.get(2)).isEqualTo(done());
    assertThat(heldBy(blocked)).isEmpty();
    assertThat(world.cores.byLeadSerial(List.of(blocked.lead()))).isEmpty();
    assertThat(heldBy(good)).hasSize(3);
  }

  @Test
  void aRuleThatSaysNoReservesNothing() {
    SqlLedger<Transfer> strict =
        new SqlLedger<>(
            world.ownership,
            world.serials,
            world.cores,
            world.transaction,
            spends -> {
              throw new ProtocolException(RejectionCode.MINT_CAP_EXCEEDED, "for the test");
            });
    Spend<Transfer> spend = world.spend();
    List<Reservation<Transfer>> wanted = List.of(new Reservation<>(spend, spend.serials()));
    assertThatThrownBy(() -> strict.reserve(wanted)).isInstanceOf(ProtocolException.class);
    assertThat(heldBy(spend)).isEmpty();
    reserve(List.of(spend));
    assertThat(strict.reserve(wanted))
        .as("counted when it was reserved first")
        .containsExactly(done());
  }

  @Test
  void anAnswerIsKeptOnceAndCountedOnce() {
    Spend<Transfer> first = world.spend();
    Spend<Transfer> second = world.spend();
    reserve(List.of(first, second));
    long before = world.cores.signedCount();
    PartialSignature answer = answer(1);
    assertThat(world.ledger.store(List.of(new Signed<>(first, answer))))
        .isEqualTo(Map.of(first.core(), answer));
    Map<TxCore, PartialSignature> stored =
        world.ledger.store(
            List.of(new Signed<>(first, answer(2)), new Signed<>(second, answer(3))));
    assertThat(stored)
        .as("the earlier answer stays")
        .isEqualTo(Map.of(first.core(), answer, second.core(), answer(3)));
    assertThat(world.ledger.answers(List.of(first.core(), second.core()))).isEqualTo(stored);
    assertThat(world.cores.signedCount() - before).isEqualTo(2);
    assertThat(world.transaction.<Long>execute(t -> world.cores.count().orElseThrow()))
        .isEqualTo(before + 2);
    assertThat(world.cores.signedCount())
        .as("counting moves, it does not add")
        .isEqualTo(before + 2);
  }

  @Test
  void batchesThatWantEachOthersSerialNumbersDoNotDeadlockAndAgree() throws Exception {
    Random random = new Random(7);
    for (int round = 0; round < ROUNDS; round++) {
      List<SerialNumber> wanted = new ArrayList<>();
      for (int i = 0; i < CROSSING; i++) {
        wanted.add(serial());
      }
      List<List<Spend<Transfer>>> batches = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        batches.add(crossing(wanted, random));
      }
      List<List<Outcome<Done>>> outcomes = together(batches, SqlLedgerTest::reserve);
      Map<SerialNumber, TxCore> holders = world.serials.holders(wanted);
      int won = 0;
      for (int b = 0; b < THREADS; b++) {
        for (int i = 0; i < batches.get(b).size(); i++) {
          Spend<Transfer> spend = batches.get(b).get(i);
          boolean all = spend.serials().stream().allMatch(s -> spend.core().equals(holders.get(s)));
          if (outcomes.get(b).get(i) instanceof Outcome.Done<Done>) {
            assertThat(all).as("holds all").isTrue();
            won++;
          } else {
            assertThat(code(outcomes.get(b).get(i))).isEqualTo(RejectionCode.SERIAL_CONFLICT);
            assertThat(spend.serials())
                .as("holds nothing")
                .noneMatch(s -> spend.core().equals(holders.get(s)));
          }
        }
      }
      assertThat(won).isPositive();
    }
  }

  @Test
  void batchesOfTheSameCoresInAnyOrderDoNotDeadlock() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      List<Spend<Transfer>> spends = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        spends.add(world.spend());
      }
      List<List<Spend<Transfer>>> batches = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Collections.shuffle(spends, new Random(i));
        batches.add(List.copyOf(spends));
      }
      together(batches, SqlLedgerTest::reserve)
          .forEach(outcomes -> assertThat(outcomes).containsOnly(done()));
      Set<Map<TxCore, PartialSignature>> answers =
          new HashSet<>(
              together(
                  batches,
                  batch ->
                      world.ledger.store(
                          batch.stream()
                              .map(s -> new Signed<>(s, answer(batch.hashCode())))
                              .toList())));
      assertThat(answers).as("all are told the answers that are stored").hasSize(1);
    }
  }

  /** Spends of three serial numbers each, all of the list, in a different order each time. */
  private static List<Spend<Transfer>> crossing(List<SerialNumber> wanted, Random random) {
    List<SerialNumber> shuffled = new ArrayList<>(wanted);
    Collections.shuffle(shuffled, random);
    List<Spend<Transfer>> batch = new ArrayList<>();
    for (int i = 0; i < shuffled.size(); i += 3) {
      batch.add(spending(shuffled.get(i), shuffled.get(i + 1), shuffled.get(i + 2)));
    }
    return batch;
  }

  private interface Work<T> {
    T on(List<Spend<Transfer>> batch);
  }

  private static <T> List<T> together(List<List<Spend<Transfer>>> batches, Work<T> work)
      throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(batches.size());
    List<Callable<T>> calls = new ArrayList<>();
    for (List<Spend<Transfer>> batch : batches) {
      calls.add(() -> {
        barrier.await();
        return work.on(batch);
      });
    }
    List<T> results = new ArrayList<>();
    for (Future<T> result : threads.invokeAll(calls)) {
      results.add(result.get());
    }
    return results;
  }

  private static List<Outcome<Done>> reserve(List<Spend<Transfer>> spends) {
    return world.ledger.reserve(
        spends.stream().map(s -> new Reservation<>(s, s.serials())).toList());
  }

  private static List<SerialNumber> heldBy(Spend<Transfer> spend) {
    Map<SerialNumber, TxCore> holders = world.serials.holders(spend.serials());
    return spend.serials().stream().filter(s -> spend.core().equals(holders.get(s))).toList();
  }

  private static Spend<Transfer> spending(
      SerialNumber lead, SerialNumber first, SerialNumber second) {
    return world.spend(world.transfers.spending(lead, first, second));
  }

  private static SerialNumber serial() {
    return world.transfers.serial(s -> true);
  }

  private static PartialSignature answer(int seed) {
    return PartialSignature.newBuilder()
        .setAuthority(1)
        .setShareEpoch(1)
        .addPoints(ByteString.copyFromUtf8("answer " + seed))
        .build();
  }

  private static Outcome<Done> done() {
    return Outcome.done(Done.DONE);
  }

  private static RejectionCode code(Outcome<Done> outcome) {
    return ((ProtocolException) ((Outcome.Failed<Done>) outcome).reason()).code();
  }
}
