package io.solidus.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Coin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Period;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SuiteTest {
  /** (0, 1), a point of order 3. */
  private static final G1Point SMALL_ORDER = G1Point.fromHex("00".repeat(95) + "01");

  /** (1, 1), which is not on the curve. */
  private static final G1Point OFF_CURVE =
      G1Point.fromHex("00".repeat(47) + "01" + "00".repeat(47) + "01");

  private final Suite suite = new Suite(TestKeys.NETWORK);
  private KeySet keys;
  private Committee committee;
  private List<Share> shares;

  /** A blinded coin whose opening is known. */
  private record Blinded(FieldElement message, BlindedCoin coin, InputDigest d, Scalar b) {}

  @BeforeAll
  void open() {
    TestKeys testKeys = TestKeys.of(NetworkKind.REGULATED);
    keys = testKeys.open();
    committee = keys.committee();
    shares = IntStream.rangeClosed(1, 4).mapToObj(testKeys::share).toList();
  }

  @AfterAll
  void close() {
    shares.forEach(Share::close);
    keys.close();
  }

  private Blinded blinded() {
    return Wallet.draw(() -> {
      FieldElement message = Wallet.field();
      InputDigest d = new InputDigest(Wallet.field());
      Scalar b = Wallet.scalar();
      return new Blinded(message, suite.blind(message, Wallet.field(), b, d), d, b);
    });
  }

  private Signature signature(Blinded c, int... authorities) {
    G1Point combined = suite.combine(committee, partials(c, authorities));
    return suite.unblind(committee, c.coin(), c.d(), combined, c.b());
  }

  private Map<Integer, G1Point> partials(Blinded c, int... authorities) {
    return IntStream.of(authorities)
        .boxed()
        .collect(
            java.util.stream.Collectors.toMap(
                i -> i, i -> shares.get(i - 1).sign(suite, c.coin(), c.d())));
  }

  @Test
  void everyQuorumMakesTheSameSignature() {
    Blinded c = blinded();
    Signature first = signature(c, 1, 2, 3);
    for (int[] quorum : new int[][] {{1, 2, 4}, {1, 3, 4}, {2, 3, 4}}) {
      assertThat(signature(c, quorum)).isEqualTo(first);
    }
    assertThat(suite.verify(committee, c.message(), first)).isTrue();
    assertThat(suite.verify(committee, Wallet.field(), first)).isFalse();
  }

  @Test
  void invalidPartialSignaturesAreDetected() {
    Blinded c = blinded();
    Blinded other = blinded();
    G1Point good = shares.get(0).sign(suite, c.coin(), c.d());
    assertThat(suite.checkPartial(committee.member(1), c.coin(), c.d(), good)).isTrue();
    assertThat(shares.get(0).sign(suite, c.coin(), c.d())).isEqualTo(good);
    assertThat(suite.checkPartial(committee.member(2), c.coin(), c.d(), good)).isFalse();
    assertThat(suite.checkPartial(committee.member(1), other.coin(), c.d(), good)).isFalse();
    assertThat(suite.checkPartial(committee.member(1), c.coin(), other.d(), good)).isFalse();
    for (G1Point bad : List.of(SMALL_ORDER, OFF_CURVE, suite.publicKey(Wallet.scalar()))) {
      assertThat(suite.checkPartial(committee.member(1), c.coin(), c.d(), bad)).isFalse();
    }
  }

  @Test
  void combineTakesExactlyAQuorum() {
    Blinded c = blinded();
    assertCode(NativeErrorCode.QUORUM_SIZE, () -> suite.combine(committee, partials(c, 1, 2)));
    assertCode(
        NativeErrorCode.QUORUM_SIZE, () -> suite.combine(committee, partials(c, 1, 2, 3, 4)));
    Map<Integer, G1Point> p = partials(c, 1, 2, 3);
    assertCode(
        NativeErrorCode.INDEX_OUT_OF_RANGE,
        () -> suite.combine(committee, Map.of(1, p.get(1), 2, p.get(2), 5, p.get(3))));
    assertCode(
        NativeErrorCode.INDEX_OUT_OF_RANGE,
        () -> suite.combine(committee, Map.of(1, p.get(1), 2, p.get(2), 0, p.get(3))));
    assertCode(
        NativeErrorCode.POINT_NOT_IN_SUBGROUP,
        () -> suite.combine(committee, Map.of(1, p.get(1), 2, p.get(2), 3, SMALL_ORDER)));
    assertCode(
        NativeErrorCode.POINT_NOT_ON_CURVE,
        () -> suite.combine(committee, Map.of(1, p.get(1), 2, p.get(2), 3, OFF_CURVE)));
    G1Point swapped = suite.combine(committee, Map.of(1, p.get(2), 2, p.get(1), 3, p.get(3)));
    assertThat(suite.verifyBlinded(committee, c.coin(), c.d(), swapped)).isFalse();
    assertThat(suite.verifyBlinded(committee, c.coin(), c.d(), suite.combine(committee, p)))
        .isTrue();
  }

  @Test
  void shownSignaturesVerifyAndDiffer() {
    Blinded c = blinded();
    Signature signature = signature(c, 1, 2, 4);
    ShownSignature shown =
        suite.show(committee, signature, c.message(), Wallet.scalar(), Wallet.scalar());
    ShownSignature again =
        suite.show(committee, signature, c.message(), Wallet.scalar(), Wallet.scalar());
    assertThat(suite.verifyShown(committee, shown)).isTrue();
    assertThat(suite.verifyShown(committee, again)).isTrue();
    assertThat(shown).isNotEqualTo(again);
    assertThat(suite.verifyShown(committee, new ShownSignature(shown.h(), again.m(), shown.s())))
        .isFalse();
    assertThat(suite.verifyShown(committee, new ShownSignature(SMALL_ORDER, shown.m(), shown.s())))
        .isFalse();
    assertCode(
        NativeErrorCode.SCALAR_ZERO,
        () ->
            suite.show(
                committee, signature, c.message(), new Scalar(new byte[32]), Wallet.scalar()));
    Signature random = suite.randomise(signature, Wallet.scalar());
    assertThat(random).isNotEqualTo(signature);
    assertThat(suite.verify(committee, c.message(), random)).isTrue();
  }

  @Test
  void coresAreSignedUnderARandomisedKey() {
    Scalar a = Wallet.scalar();
    Scalar alpha = Wallet.scalar();
    TxCore core = new TxCore(Digest32.sha256(new byte[] {1}));
    byte[] signature = suite.signCore(a, alpha, core);
    G1Point rk = suite.randomisedKey(suite.publicKey(a), alpha);
    assertThat(signature).hasSize(128);
    assertThat(suite.verifyCore(rk, core, signature)).isTrue();
    assertThat(suite.verifyCore(rk, new TxCore(Digest32.sha256(new byte[] {2})), signature))
        .isFalse();
    assertThat(suite.verifyCore(suite.publicKey(a), core, signature)).isFalse();
    assertThat(suite.verifyCore(rk, core, new byte[128])).isFalse();
    assertThat(suite.verifyCore(rk, core, new byte[5])).isFalse();
    assertCode(NativeErrorCode.SCALAR_ZERO, () -> suite.publicKey(new Scalar(new byte[32])));
  }

  @Test
  void hashesDependOnNetworkAndKind() {
    Coin coin = new Coin(new Amount(5), new Apk(Wallet.field()), Wallet.field());
    FieldElement regulated = suite.coinMessage(coin);
    assertThat(new Suite(TestKeys.NETWORK, NetworkKind.UNREGULATED).coinMessage(coin))
        .isNotEqualTo(regulated);
    assertThat(new Suite(new NetworkId("elsewhere")).coinMessage(coin)).isNotEqualTo(regulated);
    assertThat(suite.coinMessage(coin)).isEqualTo(regulated);
    ComplianceCoin cc =
        new ComplianceCoin(
            coin.owner(),
            coin.rho(),
            new Period(202611),
            new Amount(1),
            2,
            new Amount(3),
            FieldElement.ZERO);
    assertThat(suite.complianceMessage(cc)).isNotEqualTo(regulated);
    FieldElement history =
        suite.history(
            FieldElement.ZERO,
            new Amount(1),
            new Amount(2),
            new Amount(3),
            new Amount(4),
            new Period(5),
            coin.owner(),
            coin.rho());
    assertThat(history)
        .isNotEqualTo(
            suite.history(
                FieldElement.ZERO,
                new Amount(1),
                new Amount(3),
                new Amount(2),
                new Amount(4),
                new Period(5),
                coin.owner(),
                coin.rho()));
    InputDigest d = new InputDigest(Wallet.field());
    assertThat(suite.rhos(coin.rho(), d)).hasSize(2).doesNotHaveDuplicates();
    assertThat(suite.blindBase(new BlindedCoin(coin.rho(), suite.publicKey(Wallet.scalar())), d))
        .isNotEqualTo(
            suite.blindBase(
                new BlindedCoin(coin.rho(), suite.publicKey(Wallet.scalar())),
                new InputDigest(Wallet.field())));
  }

  @Test
  void committeesThatDoNotBelongTogetherAreRefused() {
    suite.checkCommittee(committee);
    List<CommitteeMember> swapped = new ArrayList<>(committee.members());
    CommitteeMember one = swapped.get(0);
    CommitteeMember two = swapped.get(1);
    swapped.set(0, new CommitteeMember(1, two.x(), two.y(), two.gamma(), one.noteKey()));
    assertCode(
        NativeErrorCode.COMMITTEE_INVALID,
        () -> suite.checkCommittee(with(committee.y1(), swapped)));
    assertCode(
        NativeErrorCode.COMMITTEE_INVALID,
        () -> suite.checkCommittee(with(suite.publicKey(Wallet.scalar()), committee.members())));
    assertCode(
        NativeErrorCode.POINT_NOT_IN_SUBGROUP,
        () -> suite.checkCommittee(with(SMALL_ORDER, committee.members())));
    Committee foreign =
        new Committee(
            new NetworkId("elsewhere"),
            committee.epoch(),
            committee.f(),
            committee.x(),
            committee.y(),
            committee.y1(),
            committee.members());
    assertCode(NativeErrorCode.COMMITTEE_INVALID, () -> suite.checkCommittee(foreign));
    assertCode(NativeErrorCode.KEYS_NETWORK, () -> Verifier.open(keys, foreign));
  }

  private Committee with(G1Point y1, List<CommitteeMember> members) {
    return new Committee(
        committee.network(),
        committee.epoch(),
        committee.f(),
        committee.x(),
        committee.y(),
        y1,
        members);
  }

  @Test
  void sharesOverwriteTheCallersBytesAndRefuseAfterClose() {
    byte[] x = Wallet.scalar().bytes();
    byte[] y = Wallet.scalar().bytes();
    Blinded c = blinded();
    Share share = Share.open(x, y, 3);
    assertThat(x).containsOnly(0);
    assertThat(y).containsOnly(0);
    assertThat(share.index()).isEqualTo(3);
    share.sign(TestKeys.NETWORK, c.coin(), c.d());
    share.close();
    share.close();
    assertCode(NativeErrorCode.UNKNOWN_HANDLE, () -> share.sign(TestKeys.NETWORK, c.coin(), c.d()));
    byte[] zero = new byte[32];
    byte[] other = Wallet.scalar().bytes();
    assertCode(NativeErrorCode.SHARE_INVALID, () -> Share.open(zero, other, 1));
    assertThat(other).containsOnly(0);
    assertCode(
        NativeErrorCode.INDEX_OUT_OF_RANGE,
        () -> Share.open(Wallet.scalar().bytes(), Wallet.scalar().bytes(), 0));
  }

  @Test
  void signingManyRequestsGivesTheSignaturesOfEachAlone() {
    List<OutputsToSign> requests = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      InputDigest d = new InputDigest(Wallet.field());
      BlindedCoin first = new BlindedCoin(Wallet.field(), suite.publicKey(Wallet.scalar()));
      BlindedCoin second = new BlindedCoin(Wallet.field(), suite.publicKey(Wallet.scalar()));
      requests.add(new OutputsToSign(i % 4 == 0 ? List.of(first) : List.of(first, second), d));
    }
    requests.set(7, withBadCoin(requests.get(7), SMALL_ORDER));
    requests.set(29, withBadCoin(requests.get(29), OFF_CURVE));
    List<SignedOutputs> signed = shares.get(1).signAll(TestKeys.NETWORK, requests);
    assertThat(signed).hasSize(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      OutputsToSign request = requests.get(i);
      NativeErrorCode expected =
          i == 7
              ? NativeErrorCode.POINT_NOT_IN_SUBGROUP
              : i == 29 ? NativeErrorCode.POINT_NOT_ON_CURVE : NativeErrorCode.OK;
      assertThat(signed.get(i).code()).isEqualTo(expected);
      if (expected == NativeErrorCode.OK) {
        assertThat(signed.get(i).orThrow())
            .isEqualTo(
                request.outputs().stream()
                    .map(coin -> shares.get(1).sign(TestKeys.NETWORK, coin, request.d()))
                    .toList());
      } else {
        assertThat(signed.get(i).signatures()).isEmpty();
        SignedOutputs refused = signed.get(i);
        assertCode(expected, refused::orThrow);
      }
    }
  }

  private static OutputsToSign withBadCoin(OutputsToSign request, G1Point k) {
    BlindedCoin first = request.outputs().getFirst();
    return new OutputsToSign(List.of(first, new BlindedCoin(first.cm(), k)), request.d());
  }

  @Test
  void requestsAreBounded() {
    OutputsToSign request =
        new OutputsToSign(List.of(blinded().coin()), new InputDigest(Wallet.field()));
    assertThat(shares.get(0).signAll(TestKeys.NETWORK, List.of())).isEmpty();
    assertThat(
            shares
                .get(0)
                .signAll(TestKeys.NETWORK, Collections.nCopies(Share.MAX_REQUESTS, request)))
        .hasSize(Share.MAX_REQUESTS)
        .allMatch(SignedOutputs::ok);
    assertThatThrownBy(() ->
            shares
                .get(0)
                .signAll(TestKeys.NETWORK, Collections.nCopies(Share.MAX_REQUESTS + 1, request)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new OutputsToSign(List.of(), request.d()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() ->
            new OutputsToSign(Collections.nCopies(9, request.outputs().getFirst()), request.d()))
        .isInstanceOf(IllegalArgumentException.class);
    Share closed = Share.open(Wallet.scalar().bytes(), Wallet.scalar().bytes(), 1);
    closed.close();
    assertCode(
        NativeErrorCode.UNKNOWN_HANDLE, () -> closed.signAll(TestKeys.NETWORK, List.of(request)));
  }

  @Test
  void signingRefusesPointsOutsideTheGroup() {
    Blinded c = blinded();
    for (var bad :
        Map.of(
                SMALL_ORDER,
                NativeErrorCode.POINT_NOT_IN_SUBGROUP,
                OFF_CURVE,
                NativeErrorCode.POINT_NOT_ON_CURVE)
            .entrySet()) {
      BlindedCoin coin = new BlindedCoin(c.coin().cm(), bad.getKey());
      assertCode(bad.getValue(), () -> shares.get(0).sign(suite, coin, c.d()));
    }
  }

  @Test
  void someMessagesHaveNoShortExponent() {
    boolean retried = false;
    for (int i = 0; i < 64 && !retried; i++) {
      try {
        suite.blind(
            Wallet.field(), Wallet.field(), Wallet.scalar(), new InputDigest(Wallet.field()));
      } catch (NativeException e) {
        assertThat(e.code()).isEqualTo(NativeErrorCode.RETRY_SEED);
        retried = true;
      }
    }
    assertThat(retried).isTrue();
  }

  @Test
  void witnessBytesAreStrict() {
    RegisterPlan plan =
        new RegisterPlan(
            Wallet.field(),
            suite.publicKey(Wallet.scalar()),
            new InputDigest(Wallet.field()),
            Wallet.field(),
            Wallet.field(),
            Wallet.scalar());
    RegisterWitness witness = new RegisterWitness(plan, Wallet.scalar());
    byte[] bytes = witness.toBytes();
    assertThat(RegisterWitness.fromBytes(bytes)).isEqualTo(witness);
    byte[] longer = java.util.Arrays.copyOf(bytes, bytes.length + 1);
    byte[] shorter = java.util.Arrays.copyOf(bytes, bytes.length - 1);
    byte[] otherVersion = bytes.clone();
    otherVersion[0] = 9;
    byte[] notCanonical = bytes.clone();
    java.util.Arrays.fill(notCanonical, 2, 50, (byte) 0xff);
    for (byte[] bad : List.of(longer, shorter, otherVersion, notCanonical, new byte[0])) {
      assertCode(NativeErrorCode.MALFORMED_REQUEST, () -> RegisterWitness.fromBytes(bad));
    }
    assertCode(NativeErrorCode.MALFORMED_REQUEST, () -> MintWitness.fromBytes(bytes));
    assertCode(NativeErrorCode.MALFORMED_REQUEST, () -> TransferWitness.fromBytes(bytes));
    assertThat(witness.toString()).doesNotContain(plan.nk().hex());
  }

  @Test
  void exceptionsNameTheFault() {
    NativeException e =
        catchThrowableOfType(
            NativeException.class, () -> suite.publicKey(new Scalar(new byte[32])));
    assertThat(e.code()).isEqualTo(NativeErrorCode.SCALAR_ZERO);
    assertThat(e).hasMessageStartingWith("SCALAR_ZERO: ");
    assertThatThrownBy(() -> NativeRequest.exactly(2, List.of(1), "inputs"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void assertCode(
      NativeErrorCode code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThat(catchThrowableOfType(NativeException.class, call).code()).isEqualTo(code);
  }
}
