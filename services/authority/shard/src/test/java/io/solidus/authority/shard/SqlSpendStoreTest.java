package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.shard.range.ShardMaps;
import io.solidus.authority.spend.Ok;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Siblings.Claim;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.SpendStore.Reservation;
import io.solidus.authority.spend.SpendStore.Signed;
import io.solidus.authority.spend.SpendStore.Stored;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.PartialSignature;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tables of a shard under whole batches, on a real PostgreSQL. */
@Tag("process")
class SqlSpendStoreTest {

  private static final int THREADS = 4;
  private static final int ROUNDS = 25;

  /** Large enough that inserts of several batches overlap; with unsorted keys they deadlock. */
  private static final int CROSSING = 600;

  private static SpendStoreFixture fixture;
  private static ExecutorService threads;

  @BeforeAll
  static void start() {
    fixture = new SpendStoreFixture(THREADS + 1);
    threads = Executors.newFixedThreadPool(THREADS);
  }

  @AfterAll
  static void stop() {
    threads.shutdownNow();
    fixture.close();
  }

  @Test
  @Spec("V-07")
  void reservesTheSerialNumbersAndStoresTheRequestsOfABatch() {
    List<SpendRequest<Transfer>> requests =
        List.of(fixture.request(), fixture.request(), fixture.request());
    assertThat(reserve(requests)).containsOnly(done());
    for (SpendRequest<Transfer> request : requests) {
      assertThat(heldBy(request)).hasSize(3);
      CoreStore.Row stored =
          Objects.requireNonNull(
              fixture.cores.byLeadSerial(List.of(request.lead())).get(request.lead()));
      assertThat(stored.request()).isEqualTo(request.content().message().toByteString());
      assertThat(stored.reply()).isNull();
    }
  }

  @Test
  @Spec("V-09")
  void reservingTheSameCoreAgainSucceeds() {
    List<SpendRequest<Transfer>> requests = List.of(fixture.request(), fixture.request());
    reserve(requests);
    SpendRequest<Transfer> fresh = fixture.request();
    assertThat(reserve(List.of(requests.get(1), fresh, requests.get(0)))).containsOnly(done());
    assertThat(heldBy(fresh)).hasSize(3);
  }

  @Test
  @Spec("V-07")
  void aCoreWithAConflictHoldsNothingAndFailsNoOther() {
    SerialNumber taken = serial();
    reserve(List.of(spending(taken, serial(), serial())));
    SpendRequest<Transfer> good = fixture.request();
    SpendRequest<Transfer> blocked = spending(serial(), serial(), taken);
    SpendRequest<Transfer> alsoGood = fixture.request();
    List<Outcome<Ok>> outcomes = reserve(List.of(good, blocked, alsoGood));
    assertThat(outcomes.get(0)).isEqualTo(done());
    assertThat(code(outcomes.get(1))).isEqualTo(RejectionCode.SERIAL_CONFLICT);
    assertThat(outcomes.get(2)).isEqualTo(done());
    assertThat(heldBy(blocked)).isEmpty();
    assertThat(fixture.cores.byLeadSerial(List.of(blocked.lead()))).isEmpty();
    assertThat(heldBy(good)).hasSize(3);
  }

  /** Attack: a request or a batch in which one serial number counts twice got past the decoders. */
  @Test
  @Spec("V-07")
  void aBatchThatNamesASerialNumberTwiceReservesNothing() {
    SpendRequest<Transfer> doubled = fixture.request();
    List<SerialNumber> twice = List.of(doubled.lead(), doubled.lead(), serial());
    assertSerialsNotDistinct(List.of(new Reservation<>(doubled, twice)));
    assertThat(heldBy(doubled)).isEmpty();

    SerialNumber wanted = serial();
    SpendRequest<Transfer> one = spending(wanted, serial(), serial());
    SpendRequest<Transfer> other = spending(serial(), wanted, serial());
    assertSerialsNotDistinct(
        List.of(new Reservation<>(one, one.serials()), new Reservation<>(other, other.serials())));
    assertThat(heldBy(one)).isEmpty();
    assertThat(heldBy(other)).isEmpty();
  }

  private static void assertSerialsNotDistinct(List<Reservation<Transfer>> wanted) {
    assertThatThrownBy(() -> fixture.spendStore.reserve(wanted))
        .isInstanceOfSatisfying(
            ProtocolException.class,
            refusal -> assertThat(refusal.code()).isEqualTo(RejectionCode.SERIALS_NOT_DISTINCT));
  }

  @Test
  void aCountingRuleThatRejectsReservesNothing() {
    SqlSpendStore<Transfer> strict =
        new SqlSpendStore<>(
            fixture.ownership,
            fixture.serials,
            fixture.cores,
            fixture.transaction,
            requests -> {
              throw new ProtocolException(RejectionCode.MINT_CAP_EXCEEDED, "for the test");
            });
    SpendRequest<Transfer> request = fixture.request();
    List<Reservation<Transfer>> wanted = List.of(new Reservation<>(request, request.serials()));
    assertThatThrownBy(() -> strict.reserve(wanted)).isInstanceOf(ProtocolException.class);
    assertThat(heldBy(request)).isEmpty();
    reserve(List.of(request));
    assertThat(strict.reserve(wanted))
        .as("counted only at the first reservation")
        .containsExactly(done());
  }

  @Test
  void anAnswerIsStoredOnceAndCountedOnce() {
    SpendRequest<Transfer> first = fixture.request();
    SpendRequest<Transfer> second = fixture.request();
    reserve(List.of(first, second));
    long before = fixture.cores.signedCount();
    PartialSignature answer = answer(1);
    assertThat(fixture.spendStore.store(List.of(new Signed<>(first, answer))))
        .isEqualTo(Map.of(first.core(), answer));
    Map<TxCore, PartialSignature> stored =
        fixture.spendStore.store(
            List.of(new Signed<>(first, answer(2)), new Signed<>(second, answer(3))));
    assertThat(stored)
        .as("the earlier answer stays")
        .isEqualTo(Map.of(first.core(), answer, second.core(), answer(3)));
    assertThat(fixture.spendStore.answers(List.of(first.core(), second.core())))
        .isEqualTo(
            Map.of(
                first.core(), new Stored<>(answer, true),
                second.core(), new Stored<>(answer(3), true)));
    assertThat(fixture.cores.signedCount() - before).isEqualTo(2);
    assertThat(fixture.transaction.<Long>execute(t -> fixture.cores.count().orElseThrow()))
        .isEqualTo(before + 2);
    assertThat(fixture.cores.signedCount())
        .as("counting moves answers to the total without adding any")
        .isEqualTo(before + 2);
  }

  @Test
  void overlappingBatchesDoNotDeadlockAndAgree() throws Exception {
    Random random = new Random(7);
    for (int round = 0; round < ROUNDS; round++) {
      List<SerialNumber> wanted = new ArrayList<>();
      for (int i = 0; i < CROSSING; i++) {
        wanted.add(serial());
      }
      List<List<SpendRequest<Transfer>>> batches = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        batches.add(crossing(wanted, random));
      }
      List<List<Outcome<Ok>>> outcomes = together(batches, SqlSpendStoreTest::reserve);
      Map<SerialNumber, TxCore> holders = fixture.serials.holders(wanted);
      int won = 0;
      for (int b = 0; b < THREADS; b++) {
        for (int i = 0; i < batches.get(b).size(); i++) {
          SpendRequest<Transfer> request = batches.get(b).get(i);
          boolean all =
              request.serials().stream().allMatch(s -> request.core().equals(holders.get(s)));
          if (outcomes.get(b).get(i) instanceof Outcome.Done<Ok>) {
            assertThat(all).as("holds all").isTrue();
            won++;
          } else {
            assertThat(code(outcomes.get(b).get(i))).isEqualTo(RejectionCode.SERIAL_CONFLICT);
            assertThat(request.serials())
                .as("holds nothing")
                .noneMatch(s -> request.core().equals(holders.get(s)));
          }
        }
      }
      assertThat(won).isPositive();
    }
  }

  @Test
  void batchesOfTheSameCoresInAnyOrderDoNotDeadlock() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      List<SpendRequest<Transfer>> requests = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        requests.add(fixture.request());
      }
      List<List<SpendRequest<Transfer>>> batches = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Collections.shuffle(requests, new Random(i));
        batches.add(List.copyOf(requests));
      }
      together(batches, SqlSpendStoreTest::reserve)
          .forEach(outcomes -> assertThat(outcomes).containsOnly(done()));
      Set<Map<TxCore, PartialSignature>> answers =
          new HashSet<>(
              together(
                  batches,
                  batch ->
                      fixture.spendStore.store(
                          batch.stream()
                              .map(s -> new Signed<>(s, answer(batch.hashCode())))
                              .toList())));
      assertThat(answers).as("all get the stored answers").hasSize(1);
    }
  }

  /**
   * Requests of three serial numbers each, together all of the list, in a different order each
   * time.
   */
  private static List<SpendRequest<Transfer>> crossing(List<SerialNumber> wanted, Random random) {
    List<SerialNumber> shuffled = new ArrayList<>(wanted);
    Collections.shuffle(shuffled, random);
    List<SpendRequest<Transfer>> batch = new ArrayList<>();
    for (int i = 0; i < shuffled.size(); i += 3) {
      batch.add(spending(shuffled.get(i), shuffled.get(i + 1), shuffled.get(i + 2)));
    }
    return batch;
  }

  private interface Work<T> {
    T on(List<SpendRequest<Transfer>> batch);
  }

  private static <T> List<T> together(List<List<SpendRequest<Transfer>>> batches, Work<T> work)
      throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(batches.size());
    List<Callable<T>> calls = new ArrayList<>();
    for (List<SpendRequest<Transfer>> batch : batches) {
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

  private static List<Outcome<Ok>> reserve(List<SpendRequest<Transfer>> requests) {
    return fixture.spendStore.reserve(
        requests.stream().map(s -> new Reservation<>(s, s.serials())).toList());
  }

  private static List<SerialNumber> heldBy(SpendRequest<Transfer> request) {
    Map<SerialNumber, TxCore> holders = fixture.serials.holders(request.serials());
    return request.serials().stream().filter(s -> request.core().equals(holders.get(s))).toList();
  }

  private static SpendRequest<Transfer> spending(
      SerialNumber lead, SerialNumber first, SerialNumber second) {
    return fixture.request(fixture.transfers.spending(lead, first, second));
  }

  private static SerialNumber serial() {
    return fixture.transfers.serial(s -> true);
  }

  private static PartialSignature answer(int seed) {
    return PartialSignature.newBuilder()
        .setAuthority(1)
        .setShareEpoch(1)
        .addPoints(ByteString.copyFromUtf8("answer " + seed))
        .build();
  }

  private static Outcome<Ok> done() {
    return Outcome.done(Ok.OK);
  }

  private static RejectionCode code(Outcome<Ok> outcome) {
    return ((ProtocolException) ((Outcome.Failed<Ok>) outcome).reason()).code();
  }

  /**
   * Attack: a refresh of the shares. The answer of the epoch before is of no use to its owner, and
   * the row that holds it may not be changed.
   */
  @Test
  @Spec("V-21")
  void anAnswerIsKeptOnceForEachEpoch() {
    SpendRequest<Transfer> request = fixture.request();
    reserve(List.of(request));
    PartialSignature former = inEpoch(SpendStoreFixture.EPOCH - 1);
    PartialSignature present = inEpoch(SpendStoreFixture.EPOCH);
    long before = fixture.cores.signedCount();
    assertThat(store(request, former)).isEqualTo(former);
    assertThat(answer(request)).isEqualTo(new Stored<>(former, false));
    assertThat(store(request, present)).isEqualTo(present);
    assertThat(store(request, inEpoch(SpendStoreFixture.EPOCH))).as("the first").isEqualTo(present);
    assertThat(store(request, inEpoch(SpendStoreFixture.EPOCH - 1))).isEqualTo(former);
    assertThat(answer(request)).isEqualTo(new Stored<>(present, true));
    assertThat(row(request).reply()).isEqualTo(present.toByteString());
    assertThat(fixture.cores.signedCount() - before).as("counted once").isEqualTo(1);
    PartialSignature next = inEpoch(SpendStoreFixture.EPOCH + 1);
    assertThat(store(request, next)).isEqualTo(next);
    assertThat(answer(request)).as("the newest").isEqualTo(new Stored<>(next, true));
    assertThat(row(request).reply()).isEqualTo(next.toByteString());
    for (String change :
        List.of("UPDATE later_answers SET reply = ''", "DELETE FROM later_answers")) {
      assertThatThrownBy(() -> fixture.jdbc.sql(change).update()).hasMessageContaining("for ever");
    }
  }

  /** A retry writes nothing; without a record of its own its commit waits for no standby. */
  @Test
  void aRetryThatFindsItsRowsLeavesAMark() {
    SpendRequest<Transfer> request = fixture.request();
    reserve(List.of(request));
    ShardMaps maps =
        new ShardMaps(
            fixture.jdbc,
            fixture.network,
            1,
            NoteSigner.fromSeed(CommitteeMember.noteName(1), new byte[32]).publicKey());
    Ownership withoutRowLock =
        new Ownership(fixture.jdbc, maps, 0) {
          @Override
          void requireInTransaction(Collection<SerialNumber> serials) {}
        };
    Reservations reservations =
        new Reservations(new SerialStore(fixture.jdbc, withoutRowLock), fixture.transaction);
    List<Boolean> wrote = new ArrayList<>();
    reservations.reserve(
        List.of(new Claim(request.core(), request.serials())),
        (cores, fresh) -> {
          wrote.add(
              fixture
                  .jdbc
                  .sql("SELECT pg_current_xact_id_if_assigned() IS NOT NULL")
                  .query(Boolean.class)
                  .single());
          return Map.of();
        });
    assertThat(wrote).containsExactly(true);
  }

  @Test
  void rowsAreForEver() {
    SpendRequest<Transfer> request = fixture.request();
    reserve(List.of(request));
    store(request, answer(1));
    store(request, inEpoch(SpendStoreFixture.EPOCH + 1));
    for (String table : List.of("serials", "cores", "later_answers")) {
      for (String change : List.of("TRUNCATE " + table + " CASCADE", "DELETE FROM " + table)) {
        assertThatThrownBy(() -> fixture.jdbc.sql(change).update())
            .as(change)
            .hasStackTraceContaining("rows of " + table + " are for ever");
      }
    }
    for (String change :
        List.of(
            "UPDATE serials SET core = sha256(core)",
            "UPDATE cores SET reply = ''",
            "UPDATE later_answers SET reply = ''")) {
      assertThatThrownBy(() -> fixture.jdbc.sql(change).update()).as(change).isNotNull();
    }
  }

  /** A shard that runs before its signer does gets answers of the epoch before only. */
  @Test
  void aRequestIsNotReplacedWhenItsCoreIsSignedAnew() {
    SpendRequest<Transfer> request = fixture.request();
    reserve(List.of(request));
    store(request, inEpoch(SpendStoreFixture.EPOCH - 1));
    var stored = row(request).request();
    SpendRequest<Transfer> other = fixture.request();
    reserve(List.of(new SpendRequest<>(request.core(), request.serials(), other.content())));
    assertThat(row(request).request()).isEqualTo(stored);
  }

  private PartialSignature store(SpendRequest<Transfer> request, PartialSignature answer) {
    return Objects.requireNonNull(
        fixture.spendStore.store(List.of(new Signed<>(request, answer))).get(request.core()));
  }

  private CoreStore.Row row(SpendRequest<Transfer> request) {
    return Objects.requireNonNull(
        fixture.cores.byLeadSerial(List.of(request.lead())).get(request.lead()));
  }

  private Stored<PartialSignature> answer(SpendRequest<Transfer> request) {
    return Objects.requireNonNull(
        fixture.spendStore.answers(List.of(request.core())).get(request.core()));
  }

  private static PartialSignature inEpoch(int epoch) {
    return SpendStoreFixture.answer().toBuilder().setShareEpoch(epoch).build();
  }
}
