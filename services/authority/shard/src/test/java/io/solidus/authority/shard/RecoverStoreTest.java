package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.authority.shard.SubmittedRequest.Recover;
import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.shard.range.RangeSplit;
import io.solidus.authority.spend.Ok;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.SpendStore.Reservation;
import io.solidus.authority.spend.SpendStore.Signed;
import io.solidus.authority.spend.SpendStore.Stored;
import io.solidus.dev.testkit.world.Points;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.ProofBytes;
import io.solidus.protocol.RecoverEvidence;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RecoverStatement;
import io.solidus.protocol.RequestBelow.TransferBelow;
import io.solidus.protocol.ResolvedRecover;
import io.solidus.protocol.SerialHeldException;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.SerialState;
import io.solidus.wire.v1.StoredRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rows of recovers on a real PostgreSQL, with all shards of an authority. */
@Tag("process")
class RecoverStoreTest {

  private LocalAuthority authority;

  @BeforeEach
  void start() {
    authority = new LocalAuthority();
  }

  @AfterEach
  void stop() {
    authority.close();
  }

  /** A transfer whose serial numbers are all in the lower part of shard 0. */
  private TransferRequest transfer() {
    return authority.transfers.spending(serialOf(0), serialOf(0), serialOf(0));
  }

  private SerialNumber serialOf(int shard) {
    return authority.transfers.serial(s -> authority.newestMap().owner(s) == shard);
  }

  private SpendRequest<Recover> over(TransferRequest... below) {
    Attachments attachments = TestRandom.attachments();
    BlindedCoin coin = new BlindedCoin(TestRandom.field(), Points.offCurve());
    SerialNumber next = serialOf(0);
    RecoverStatement statement =
        new RecoverStatement(
            0,
            below.length - 1,
            List.of(next, below.length == 1 ? next : serialOf(0)),
            List.of(FieldElement.ZERO, FieldElement.ZERO),
            1,
            List.of(coin, coin),
            attachments.context(LocalAuthority.NETWORK));
    RecoverEvidence evidence =
        new RecoverEvidence(
            1,
            Points.keyOffCurve(),
            new byte[Family.RECOVER.proofBytes()],
            new byte[ProofBytes.RK_SIGNATURE]);
    List<io.solidus.protocol.RequestBelow> requests = new ArrayList<>();
    for (TransferRequest request : below) {
      requests.add(new TransferBelow(request.statement(), request.evidence()));
    }
    RecoverRequest request = new RecoverRequest(requests, statement, evidence, attachments);
    ResolvedRecover resolved = request.resolve(LocalAuthority.NETWORK);
    return new SpendRequest<>(
        resolved.core(),
        resolved.serials(),
        resolved.below(),
        new Recover(request, Codecs.toWire(request)));
  }

  /** A transfer with the same compliance coin. */
  private TransferRequest beside(TransferRequest transfer) {
    return authority.transfers.spending(
        transfer.statement().leadSerial(), serialOf(0), serialOf(0));
  }

  private SqlSpendStore<Recover> store(int shard) {
    LocalShard s = authority.shard(shard);
    return new SqlSpendStore<>(s.ownership, s.serials, s.recovers, s.transaction, r -> {});
  }

  private Outcome<Ok> reserve(SpendRequest<Recover> recover) {
    return store(0).reserve(List.of(new Reservation<>(recover, recover.serials()))).getFirst();
  }

  private Map<SerialNumber, TxCore> holders(List<SerialNumber> serials) {
    return authority.shard(0).serials.holders(serials);
  }

  @Test
  @Spec("X-26")
  void aRecoverLeavesTheRowsOfTheCoresBelowIt() {
    TransferRequest first = transfer();
    SpendRequest<Transfer> held = authority.request(first);
    assertThat(authority.submit(held)).isInstanceOf(Outcome.Done.class);
    SpendRequest<Recover> recover = over(first, beside(first));

    assertThat(reserve(recover)).isEqualTo(Outcome.done(Ok.OK));
    assertThat(reserve(recover)).as("again").isEqualTo(Outcome.done(Ok.OK));

    Map<SerialNumber, TxCore> holders = holders(recover.serials());
    assertThat(holders.get(recover.lead())).isEqualTo(held.core());
    assertThat(holders.get(first.statement().serials().get(1)))
        .as("a coin that it credits")
        .isEqualTo(held.core());
    assertThat(holders.values()).hasSize(recover.serials().size());
    assertThat(holders.values().stream().filter(recover.core()::equals)).hasSize(2);
  }

  /** Attack: a core that is not below the recover holds its lead; nothing is written. */
  @Test
  @Spec({"X-26", "X-27"})
  void aRecoverIsRefusedWithWhatAnotherCoreHolds() {
    TransferRequest first = transfer();
    SpendRequest<Transfer> other = authority.request(beside(first));
    assertThat(authority.submit(other)).isInstanceOf(Outcome.Done.class);
    SpendRequest<Recover> recover = over(first);

    Outcome<Ok> refused = reserve(recover);

    assertThat(((Outcome.Failed<Ok>) refused).reason())
        .isInstanceOfSatisfying(
            SerialHeldException.class,
            held -> {
              assertThat(held.serial()).isEqualTo(recover.lead());
              assertThat(held.holder()).isEqualTo(other.core());
            });
    assertThat(holders(recover.serials())).containsOnlyKeys(recover.lead());
    assertThat(authority.shard(0).recovers.byLeadSerial(List.of(recover.lead()))).isEmpty();
    StoredRequest shown = authority.shard(1).lookUps.holder(other.core());
    assertThat(shown.getTransfer()).isEqualTo(other.content().message());
    assertThat(shown.hasSigned()).isTrue();
  }

  @Test
  @Spec("V-21")
  void anAnswerOfEachEpochIsStoredOnce() {
    SpendRequest<Recover> recover = over(transfer());
    reserve(recover);
    PartialSignature first = SpendStoreFixture.answer();
    PartialSignature later = SpendStoreFixture.answer().toBuilder().setShareEpoch(2).build();
    assertThat(store(recover, first)).isEqualTo(first);
    assertThat(store(recover, SpendStoreFixture.answer())).as("the first stays").isEqualTo(first);
    assertThat(stored(recover)).isEqualTo(new Stored<>(first, true));
    assertThat(store(recover, later)).isEqualTo(later);
    assertThat(stored(recover)).isEqualTo(new Stored<>(later, true));
    assertThat(authority.shard(0).lookUps.core(recover.core(), recover.lead())).isEqualTo(later);
    assertThat(authority.shard(0).cores.signedCount()).as("no transfer was signed").isZero();
  }

  private PartialSignature store(SpendRequest<Recover> recover, PartialSignature answer) {
    return Objects.requireNonNull(
        store(0).store(List.of(new Signed<>(recover, answer))).get(recover.core()));
  }

  private Stored<PartialSignature> stored(SpendRequest<Recover> recover) {
    return Objects.requireNonNull(store(0).answers(List.of(recover.core())).get(recover.core()));
  }

  /** A look-up shows the holder of the lead and the recovers that left it to the holder. */
  @Test
  @Spec("X-26")
  void aLookUpShowsEveryRequestOfALead() {
    TransferRequest first = transfer();
    SpendRequest<Transfer> held = authority.request(first);
    authority.submit(held);
    SpendRequest<Recover> recover = over(first);
    reserve(recover);
    SerialState lead = state(recover.lead());
    assertThat(lead.getStatus()).isEqualTo(SerialState.Status.STATUS_SIGNED);
    assertThat(lead.getRequest()).isEqualTo(held.content().message());
    assertThat(lead.hasRecover()).isFalse();
    assertThat(lead.getOthersList())
        .extracting(StoredRequest::getRecover)
        .containsExactly(recover.content().message());
    assertThat(lead.getOthers(0).hasSigned()).isFalse();

    PartialSignature answer = SpendStoreFixture.answer();
    store(recover, answer);
    assertThat(state(recover.lead()).getOthers(0).getSigned()).isEqualTo(answer);
    assertThat(state(recover.serials().getLast()).getOthersCount())
        .as("only for the lead")
        .isZero();

    SpendRequest<Recover> alone = over(transfer());
    reserve(alone);
    store(alone, answer);
    SerialState own = state(alone.lead());
    assertThat(own.getRecover()).isEqualTo(alone.content().message());
    assertThat(own.getStatus()).isEqualTo(SerialState.Status.STATUS_SIGNED);
    assertThat(own.getSigned()).isEqualTo(answer);
    assertThat(own.getOthersCount()).isZero();
  }

  /** Attack: the owner stores many recovers with one lead. The answer stays bounded. */
  @Test
  void aLookUpShowsABoundedNumberOfRecovers() {
    TransferRequest first = transfer();
    authority.submit(authority.request(first));
    List<SpendRequest<Recover>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      SpendRequest<Recover> recover = over(first);
      // as when the other serial numbers are at a sibling that refuses them
      store(0).reserve(List.of(new Reservation<>(recover, List.of(recover.lead()))));
      all.add(recover);
    }
    SerialState lead = state(first.statement().leadSerial());
    assertThat(lead.getOthersList()).hasSize(RecoverStore.MAX_SHOWN - 1);
    assertThat(lead.getOthers(0).getRecover())
        .as("the newest")
        .isEqualTo(all.getLast().content().message());
  }

  private SerialState state(SerialNumber serial) {
    return authority.ownerOf(serial).lookUps.serials(List.of(serial)).getFirst();
  }

  /** Several recovers of one lead, and their answers, move with the range. */
  @Test
  @Spec({"V-17", "X-26"})
  void aSplitMovesRecoversAndTheirAnswers() {
    authority.start(2);
    List<SpendRequest<Recover>> recovers = new ArrayList<>();
    TransferRequest first = transfer();
    authority.submit(authority.request(first));
    for (int i = 0; i < 3; i++) {
      SpendRequest<Recover> recover = over(first);
      store(0).reserve(List.of(new Reservation<>(recover, List.of(recover.lead()))));
      recovers.add(recover);
    }
    PartialSignature answer = SpendStoreFixture.answer();
    store(recovers.get(1), answer);
    SerialState before = state(first.statement().leadSerial());

    RangeSplit split = authority.split(new RangeSplit.Observer() {});
    FieldElement at = first.statement().leadSerial().value();
    split.run(0, 2, new io.solidus.authority.shard.range.SplitPoint.At(at));

    assertThat(authority.ownerOf(first.statement().leadSerial()).number).isEqualTo(2);
    assertThat(state(first.statement().leadSerial())).isEqualTo(before);
    assertThat(authority.shard(2).recovers.answers(List.of(recovers.get(1).core())))
        .containsEntry(recovers.get(1).core(), new Stored<>(answer, true));
    assertThat(authority.shard(0).recovers.answers(List.of(recovers.get(1).core())))
        .as("the former owner answers nothing")
        .isEmpty();
  }
}
