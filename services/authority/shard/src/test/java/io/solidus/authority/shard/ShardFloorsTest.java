package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.authority.common.FloorsRow;
import io.solidus.authority.common.ShardSchema;
import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.spend.Ok;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Siblings.Claim;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.SpendStore.Reservation;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.world.Points;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.G2Point;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Period;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.SerialStates;
import io.solidus.protocol.SignedStates;
import io.solidus.protocol.Spec;
import io.solidus.protocol.StateFloors;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.LookUpSerialsReply;
import io.solidus.wire.v1.SerialState;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What a shard promised with a signed look-up holds: no core below its floors is reserved
 * afterwards, whatever happens to its rules, its process or its range.
 */
@Tag("process")
@Spec("W-09")
class ShardFloorsTest {
  private static final Period PERIOD = new Period(RandomTransfers.PERIOD);

  /** Of the transfers of this test. */
  private static final StateFloors AT = new StateFloors(1, 1, PERIOD);

  private static final List<StateFloors> ABOVE =
      List.of(
          new StateFloors(2, 1, PERIOD),
          new StateFloors(1, 2, PERIOD),
          new StateFloors(1, 1, new Period(RandomTransfers.PERIOD + 1)));
  private static final List<RejectionCode> REFUSALS =
      List.of(
          RejectionCode.STALE_POLICY, RejectionCode.STALE_CHECKPOINT, RejectionCode.STALE_PERIOD);

  private static final NetworkId NETWORK = new NetworkId("floors-test");
  private static final int EPOCH = 1;

  private final List<byte[]> seeds = Stream.generate(() -> TestRandom.bytes(32)).limit(4).toList();
  private final Committee committee = committee();
  private final SpendStoreFixture fixture = new SpendStoreFixture(8);
  private StateFloors rules = AT;
  private final ShardFloors floors = floors(fixture.transaction);
  private final SqlSpendStore<Transfer> store = store(floors);

  @AfterEach
  void close() {
    fixture.close();
  }

  private NoteSigner signer(int authority) {
    return NoteSigner.fromSeed(CommitteeMember.noteName(authority), seeds.get(authority - 1));
  }

  private Committee committee() {
    byte[] bytes = new byte[G2Point.BYTES];
    bytes[G2Point.BYTES - 1] = 1;
    G2Point any = new G2Point(bytes);
    G1Point point = Points.offCurve();
    List<CommitteeMember> members =
        IntStream.rangeClosed(1, 4)
            .mapToObj(
                i -> new CommitteeMember(i, any, any, point, signer(i).publicKey().publicKey()))
            .toList();
    return new Committee(NETWORK, EPOCH, 1, any, any, point, members);
  }

  private PartialSignature voted(int authority, TxCore core) {
    List<G1Point> points = List.of(Points.offCurve(), Points.offCurve());
    try (Ed25519PrivateKey key = Ed25519PrivateKey.fromSeed(seeds.get(authority - 1))) {
      return PartialSignature.voted(authority, EPOCH, core, points, key);
    }
  }

  private ShardFloors floors(TransactionTemplate transaction) {
    return new ShardFloors(fixture.jdbc, transaction, 0, committee, () -> rules, Clock.systemUTC());
  }

  private SqlSpendStore<Transfer> store(ShardFloors of) {
    return new SqlSpendStore<>(
        fixture.ownership,
        fixture.serials,
        fixture.cores,
        fixture.transaction,
        new FirstTransfers(new WithdrawnMoney(fixture.jdbc, Clock.systemUTC()), of));
  }

  private void raise(StateFloors to) {
    rules = to;
    floors.raise();
  }

  private List<Outcome<Ok>> reserve(List<SpendRequest<Transfer>> requests) {
    return store.reserve(
        requests.stream().map(one -> new Reservation<>(one, one.serials())).toList());
  }

  private boolean isHeld(SpendRequest<Transfer> request) {
    return fixture.serials.holders(request.serials()).containsKey(request.lead());
  }

  /** A transfer like another one, under a newer policy and a newer checkpoint. */
  private SpendRequest<Transfer> above() {
    TransferRequest like = fixture.transfers.next();
    Evidence e = like.evidence();
    Evidence newer =
        new Evidence(
            e.policyVersion() + 1,
            e.checkpointVersion() + 1,
            e.circuitVersion(),
            e.rk(),
            e.shows(),
            e.proof(),
            e.rkSignature());
    return fixture.request(
        new TransferRequest(like.statement(), newer, like.attachments(), List.of()));
  }

  private SpendRequest<Transfer> certified(SpendRequest<Transfer> request, TxCore votedFor) {
    TransferRequest plain = request.content().request();
    List<PartialSignature> votes = List.of(voted(2, votedFor), voted(3, votedFor));
    return fixture.request(
        new TransferRequest(plain.statement(), plain.evidence(), plain.attachments(), votes));
  }

  /**
   * Attack: a transfer passes the windows, the floors rise and are signed beside "free", and then
   * it is reserved.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void whatPassedTheWindowsBeforeTheFloorsRoseIsNotReservedAfterwards(int kind) {
    SpendRequest<Transfer> below = fixture.request();
    raise(ABOVE.get(kind));
    assertThat(code(reserve(List.of(below)).getFirst())).isEqualTo(REFUSALS.get(kind));
    assertThat(isHeld(below)).isFalse();
    assertThatThrownBy(() -> floors.require(below.content().request()))
        .as("before anything is spent on it")
        .isInstanceOf(ProtocolException.class);
  }

  @Test
  void whatIsNotBelowTheFloorsIsReservedInTheSameBatch() {
    raise(ABOVE.getFirst());
    SpendRequest<Transfer> below = fixture.request();
    SpendRequest<Transfer> above = above();
    List<Outcome<Ok>> outcomes = reserve(List.of(below, above));
    assertThat(code(outcomes.get(0))).isEqualTo(RejectionCode.STALE_POLICY);
    assertThat(outcomes.get(1)).isEqualTo(Outcome.done(Ok.OK));
    assertThat(isHeld(below)).isFalse();
    assertThat(isHeld(above)).isTrue();
  }

  @Test
  @Spec("V-23")
  void aHolderIsNotBelowTheFloors() {
    SpendRequest<Transfer> held = fixture.request();
    reserve(List.of(held));
    raise(ABOVE.getFirst());
    assertThat(reserve(List.of(held))).containsExactly(Outcome.done(Ok.OK));
  }

  /** Attack: votes that anybody can invent, or that are for another core. */
  @Test
  @Spec("V-11")
  void onlyValidVotesCarryACoreBelowTheFloors() {
    SpendRequest<Transfer> below = fixture.request();
    raise(ABOVE.getFirst());
    SpendRequest<Transfer> junk = certified(below, TxCore.of(TestRandom.bytes(32)));
    assertThat(code(reserve(List.of(junk)).getFirst())).isEqualTo(RejectionCode.STALE_POLICY);
    SpendRequest<Transfer> carried = certified(below, below.core());
    assertThat(reserve(List.of(carried))).containsExactly(Outcome.done(Ok.OK));
  }

  /** Attack: the shard restarts with rules that it learns anew, or with a clock that is behind. */
  @Test
  void floorsSurviveARestart() {
    raise(ABOVE.getFirst());
    rules = StateFloors.NONE;
    ShardFloors restarted = floors(fixture.transaction);
    restarted.raise();
    assertThat(restarted.promised()).isEqualTo(ABOVE.getFirst());
    SpendRequest<Transfer> below = fixture.request();
    Outcome<Ok> outcome =
        store(restarted).reserve(List.of(new Reservation<>(below, below.serials()))).getFirst();
    assertThat(code(outcome)).isEqualTo(RejectionCode.STALE_POLICY);
  }

  @Test
  void floorsNeverFall() {
    raise(new StateFloors(5, 7, PERIOD));
    raise(new StateFloors(4, 9, Period.NONE));
    assertThat(floors.promised()).isEqualTo(new StateFloors(5, 9, PERIOD));
    for (String change :
        List.of(
            "UPDATE floors SET policy_version = 4",
            "UPDATE floors SET checkpoint_version = 8",
            "UPDATE floors SET period = 1",
            "DELETE FROM floors",
            "TRUNCATE floors")) {
      assertThatThrownBy(() -> fixture.jdbc.sql(change).update())
          .as(change)
          .isInstanceOf(DataAccessException.class);
    }
  }

  /** Attack: the disk fails, and what was signed would be forgotten with the next start. */
  @Test
  void floorsAreOnDiskBeforeTheyArePromised() {
    TransactionTemplate failing =
        new TransactionTemplate(
            new JdbcTransactionManager(fixture.dataSource()) {
              @Override
              protected void doCommit(DefaultTransactionStatus status) {
                throw new TransactionSystemException("no commit");
              }
            });
    ShardFloors unlucky = floors(failing);
    rules = ABOVE.getFirst();
    assertThatThrownBy(unlucky::raise).isInstanceOf(TransactionSystemException.class);
    assertThat(unlucky.promised()).isEqualTo(StateFloors.NONE);
  }

  /** A reservation that compared itself with the lower floors is in the rows that are signed. */
  @Test
  void floorsRiseAfterTheReservationsInProgress() throws Exception {
    SpendRequest<Transfer> request = fixture.request();
    CompletableFuture<Void> rising =
        fixture.transaction.execute(status -> {
          TreeMap<SerialNumber, Claim> wanted = new TreeMap<>();
          Claim claim = new Claim(request.core(), request.serials(), request.below());
          request.serials().forEach(serial -> wanted.put(serial, claim));
          fixture.serials.hold(wanted);
          assertThat(floors.refuse(List.of(request))).isEmpty();
          CompletableFuture<Void> raise = CompletableFuture.runAsync(() -> raise(ABOVE.getFirst()));
          Await.until("the floors wait", this::aRiseWaits);
          assertThat(floors.promised()).isEqualTo(StateFloors.NONE);
          return raise;
        });
    Objects.requireNonNull(rising).get(60, TimeUnit.SECONDS);
    assertThat(floors.promised()).isEqualTo(ABOVE.getFirst());
    assertThat(isHeld(request)).isTrue();
  }

  private boolean aRiseWaits() {
    return fixture
            .jdbc
            .sql(
                "SELECT count(*) FROM pg_locks WHERE relation = 'floors'::regclass AND mode ="
                    + " 'ExclusiveLock' AND NOT granted")
            .query(Long.class)
            .single()
        > 0;
  }

  @Test
  void aLookUpIsSignedForItsNonceOnce() {
    SpendRequest<Transfer> held = fixture.request();
    reserve(List.of(held));
    raise(AT);
    SerialNumber free = fixture.transfers.serial(serial -> true);
    List<SerialNumber> asked = List.of(held.lead(), free);
    Digest32 nonce = Digest32.of(TestRandom.bytes(32));
    LookUpSerialsReply reply = signer(lookUps()).answer(asked, Optional.of(nonce));

    SignedStates signed = Codecs.toDomain(reply.getSigned());
    assertThat(signed.isSigned(committee, nonce, Instant.now())).isTrue();
    assertThat(signed.isSigned(committee, Digest32.of(new byte[32]), Instant.now())).isFalse();
    assertThat(signed.authority()).isEqualTo(1);
    assertThat(signed.states())
        .isEqualTo(
            new SerialStates(
                fixture.ownership.mapVersion(),
                AT,
                List.of(
                    SerialStates.State.held(
                        held.lead(),
                        held.core(),
                        Optional.of(Codecs.digest(held.content().request()))),
                    SerialStates.State.free(free))));
    assertThat(signer(lookUps()).answer(asked, Optional.empty()).hasSigned()).isFalse();
  }

  /**
   * Attack: a core below the new floors is reserved after the rows were read and before the floors
   * rise. Signed beside the new floors, "free" would be a promise that is broken already.
   */
  @Test
  void theFloorsOfALookUpAreOlderThanItsRows() {
    raise(AT);
    LookUpService slow =
        new LookUpService(
            fixture.ownership,
            fixture.serials,
            fixture.cores,
            fixture.recovers,
            fixture.holderRequests) {
          @Override
          List<SerialState> serials(List<SerialNumber> wanted) {
            List<SerialState> states = super.serials(wanted);
            raise(ABOVE.getFirst());
            return states;
          }
        };
    LookUpSerialsReply reply =
        signer(slow)
            .answer(
                List.of(fixture.transfers.serial(serial -> true)),
                Optional.of(Digest32.of(new byte[32])));
    assertThat(Codecs.toDomain(reply.getSigned()).states().floors()).isEqualTo(AT);
  }

  private LookUpService lookUps() {
    return new LookUpService(
        fixture.ownership,
        fixture.serials,
        fixture.cores,
        fixture.recovers,
        fixture.holderRequests);
  }

  private StateSigner signer(LookUpService lookUps) {
    return new StateSigner(lookUps, floors, fixture.ownership::mapVersion, NETWORK, signer(1), 1);
  }

  /** Attack: the shard that takes a range over knows older rules than the one that promised. */
  @Test
  @Spec("V-17")
  void aRangeMovesWithItsFloors() {
    try (LocalAuthority authority = new LocalAuthority()) {
      authority.start(2);
      LocalShard giver = authority.shard(0);
      giver.transaction.executeWithoutResult(
          status -> FloorsRow.raise(giver.jdbc, ShardSchema.name(0), ABOVE.getFirst()));
      LocalShard taker = authority.shard(2);
      taker.transaction.executeWithoutResult(status ->
          FloorsRow.raise(taker.jdbc, ShardSchema.name(2), new StateFloors(1, 9, PERIOD)));
      authority.split(0);
      StateFloors taken =
          taker.transaction.execute(
              status -> FloorsRow.readForShare(taker.jdbc, ShardSchema.name(2)));
      assertThat(taken).isEqualTo(new StateFloors(2, 9, PERIOD));
    }
  }

  private static RejectionCode code(Outcome<Ok> outcome) {
    return ((ProtocolException) ((Outcome.Failed<Ok>) outcome).reason()).code();
  }
}
