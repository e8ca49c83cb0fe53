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
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.Period;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TxCore;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SuiteTest {
  /** (0, 2), a point of order 3. */
  private static final G1Point SMALL_ORDER = G1Point.fromHex("00".repeat(95) + "02");

  /** (1, 1), which is not on the curve. */
  private static final G1Point OFF_CURVE =
      G1Point.fromHex("00".repeat(47) + "01" + "00".repeat(47) + "01");

  private final Suite suite = new Suite(TestKeys.NETWORK);
  private KeySet keys;
  private Committee committee;
  private List<Share> shares;

  /** (0, -1), a point of order 2 of Jubjub. */
  private static final KeyPoint SMALL_ORDER_KEY =
      KeyPoint.fromHex(
          "00".repeat(32) + FieldElement.of(FieldElement.MODULUS.subtract(BigInteger.ONE)).hex());

  /** (1, 1), which is not on Jubjub. */
  private static final KeyPoint OFF_CURVE_KEY =
      KeyPoint.fromHex(("00".repeat(31) + "01").repeat(2));

  /** The blinded outputs of a statement; the first one's opening is known. */
  private record Blinded(FieldElement message, Outputs outputs, Scalar b) {}

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
    FieldElement message = Wallet.field();
    InputDigest d = new InputDigest(Wallet.field());
    Scalar b = Wallet.scalar();
    Outputs outputs =
        suite.blind(
            d,
            Wallet.PERIOD,
            List.of(
                new OutputToBlind(message, Wallet.field(), b),
                new OutputToBlind(Wallet.field(), Wallet.field(), Wallet.scalar())));
    return new Blinded(message, outputs, b);
  }

  private Signature signature(Blinded c, int... authorities) {
    G1Point combined = suite.combine(committee, partials(c, authorities));
    return suite.unblind(committee, c.outputs(), 0, combined, c.b());
  }

  private Map<Integer, G1Point> partials(Blinded c, int... authorities) {
    return IntStream.of(authorities)
        .boxed()
        .collect(
            java.util.stream.Collectors.toMap(
                i -> i, i -> shares.get(i - 1).sign(suite, c.outputs(), 0)));
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
    CommitteeMember one = committee.member(1);
    G1Point good = shares.get(0).sign(suite, c.outputs(), 0);
    assertThat(suite.checkPartial(one, c.outputs(), 0, good)).isTrue();
    assertThat(shares.get(0).sign(suite, c.outputs(), 0)).isEqualTo(good);
    assertThat(suite.checkPartial(committee.member(2), c.outputs(), 0, good)).isFalse();
    assertThat(suite.checkPartial(one, other.outputs(), 0, good)).isFalse();
    assertThat(suite.checkPartial(one, c.outputs(), 1, good)).isFalse();
    for (Outputs wrong : others(c.outputs())) {
      assertThat(suite.checkPartial(one, wrong, 0, good)).isFalse();
    }
    for (G1Point bad : List.of(SMALL_ORDER, OFF_CURVE, Wallet.g1(suite))) {
      assertThat(suite.checkPartial(one, c.outputs(), 0, bad)).isFalse();
    }
  }

  /** Outputs that differ in one thing that the first base depends on. */
  private static List<Outputs> others(Outputs o) {
    BlindedCoin first = o.coins().getFirst();
    BlindedCoin second = o.coins().getLast();
    return List.of(
        new Outputs(new InputDigest(Wallet.field()), o.period(), o.coins()),
        new Outputs(o.d(), new Period(202612), o.coins()),
        new Outputs(o.d(), o.period(), List.of(first)),
        new Outputs(o.d(), o.period(), List.of(first, new BlindedCoin(Wallet.field(), second.k()))),
        new Outputs(
            o.d(), o.period(), List.of(new BlindedCoin(Wallet.field(), first.k()), second)));
  }

  @Test
  void aBaseDependsOnEverythingOfItsStatement() {
    Outputs outputs = blinded().outputs();
    G1Point base = suite.blindBase(outputs, 0);
    assertThat(suite.blindBase(outputs, 0)).isEqualTo(base);
    assertThat(suite.blindBase(outputs, 1)).isNotEqualTo(base);
    assertThat(new Suite(new NetworkId("elsewhere")).blindBase(outputs, 0)).isNotEqualTo(base);
    for (Outputs other : others(outputs)) {
      assertThat(suite.blindBase(other, 0)).isNotEqualTo(base);
    }
    assertThatThrownBy(() -> suite.blindBase(outputs, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
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
    assertThat(suite.verifyBlinded(committee, c.outputs(), 0, swapped)).isFalse();
    G1Point combined = suite.combine(committee, p);
    assertThat(suite.verifyBlinded(committee, c.outputs(), 0, combined)).isTrue();
    assertThat(suite.verifyBlinded(committee, c.outputs(), 1, combined)).isFalse();
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
    KeyScalar a = Wallet.keyScalar();
    KeyScalar alpha = Wallet.keyScalar();
    TxCore core = new TxCore(Digest32.sha256(new byte[] {1}));
    byte[] signature = suite.signCore(a, alpha, core);
    KeyPoint rk = suite.randomisedKey(suite.publicKey(a), alpha);
    assertThat(signature).hasSize(96);
    assertThat(suite.verifyCore(rk, core, signature)).isTrue();
    assertThat(suite.verifyCore(rk, new TxCore(Digest32.sha256(new byte[] {2})), signature))
        .isFalse();
    assertThat(suite.verifyCore(suite.publicKey(a), core, signature)).isFalse();
    assertThat(suite.verifyCore(rk, core, new byte[96])).isFalse();
    assertThat(suite.verifyCore(rk, core, new byte[5])).isFalse();
    assertCode(NativeErrorCode.SCALAR_ZERO, () -> suite.publicKey(new KeyScalar(new byte[32])));
  }

  @Test
  void keysOutsideTheGroupAreRefused() {
    KeyScalar alpha = Wallet.keyScalar();
    for (var bad :
        Map.of(
                SMALL_ORDER_KEY,
                NativeErrorCode.POINT_NOT_IN_SUBGROUP,
                OFF_CURVE_KEY,
                NativeErrorCode.POINT_NOT_ON_CURVE)
            .entrySet()) {
      assertCode(bad.getValue(), () -> suite.apk(Wallet.field(), bad.getKey()));
      assertCode(bad.getValue(), () -> suite.serialKey(Wallet.field(), bad.getKey()));
      assertCode(bad.getValue(), () -> suite.randomisedKey(bad.getKey(), alpha));
      assertThat(
              suite.verifyCore(
                  bad.getKey(), new TxCore(Digest32.sha256(new byte[] {1})), new byte[96]))
          .isFalse();
    }
  }

  @Test
  void hashesDependOnNetworkAndKind() {
    Coin coin = new Coin(Origin.PAYMENT, new Amount(5), new Apk(Wallet.field()), Wallet.field());
    FieldElement regulated = suite.coinMessage(coin);
    for (Origin origin : List.of(Origin.MINT, Origin.OWN)) {
      assertThat(suite.coinMessage(new Coin(origin, coin.value(), coin.owner(), coin.rho())))
          .isNotEqualTo(regulated);
    }
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
    InputDigest d = new InputDigest(Wallet.field());
    assertThat(suite.rhos(coin.rho(), d)).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  void aHistoryBindsEverythingThatATransferDid() {
    Apk recipient = new Apk(Wallet.field());
    FieldElement r = Wallet.field();
    Set<FieldElement> histories = new HashSet<>();
    for (HistoryEntry entry :
        List.of(
            entry(1, 2, 3, 4, Origin.MINT, Origin.OWN, false, 5, recipient, r),
            entry(9, 2, 3, 4, Origin.MINT, Origin.OWN, false, 5, recipient, r),
            entry(1, 3, 2, 4, Origin.MINT, Origin.OWN, false, 5, recipient, r),
            entry(1, 2, 3, 9, Origin.MINT, Origin.OWN, false, 5, recipient, r),
            entry(1, 2, 3, 4, Origin.OWN, Origin.MINT, false, 5, recipient, r),
            entry(1, 2, 3, 4, Origin.MINT, Origin.PAYMENT, false, 5, recipient, r),
            entry(1, 2, 3, 4, Origin.MINT, Origin.OWN, true, 5, recipient, r),
            entry(1, 2, 3, 4, Origin.MINT, Origin.OWN, false, 6, recipient, r),
            entry(1, 2, 3, 4, Origin.MINT, Origin.OWN, false, 5, new Apk(Wallet.field()), r),
            entry(1, 2, 3, 4, Origin.MINT, Origin.OWN, false, 5, recipient, Wallet.field()))) {
      assertThat(histories.add(suite.history(FieldElement.ZERO, entry))).isTrue();
      assertThat(histories.add(suite.history(Wallet.field(), entry))).isTrue();
    }
  }

  private static HistoryEntry entry(
      long paid,
      long in1,
      long in2,
      long withdrawn,
      Origin origin1,
      Origin origin2,
      boolean escrow,
      int period,
      Apk recipient,
      FieldElement r) {
    return new HistoryEntry(
        new Amount(paid),
        new Amount(in1),
        new Amount(in2),
        new Amount(withdrawn),
        origin1,
        origin2,
        escrow,
        new Period(period),
        recipient,
        r);
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
        () -> suite.checkCommittee(with(Wallet.g1(suite), committee.members())));
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
    share.sign(TestKeys.NETWORK, c.outputs(), 0);
    share.close();
    share.close();
    assertCode(NativeErrorCode.UNKNOWN_HANDLE, () -> share.sign(TestKeys.NETWORK, c.outputs(), 0));
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
    List<Outputs> requests = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      InputDigest d = new InputDigest(Wallet.field());
      BlindedCoin first = new BlindedCoin(Wallet.field(), Wallet.g1(suite));
      BlindedCoin second = new BlindedCoin(Wallet.field(), Wallet.g1(suite));
      requests.add(
          new Outputs(d, new Period(i % 3), i % 4 == 0 ? List.of(first) : List.of(first, second)));
    }
    requests.set(7, withBadCoin(requests.get(7), SMALL_ORDER));
    requests.set(29, withBadCoin(requests.get(29), OFF_CURVE));
    List<SignedOutputs> signed = shares.get(1).signAll(TestKeys.NETWORK, requests);
    assertThat(signed).hasSize(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      Outputs request = requests.get(i);
      NativeErrorCode expected =
          i == 7
              ? NativeErrorCode.POINT_NOT_IN_SUBGROUP
              : i == 29 ? NativeErrorCode.POINT_NOT_ON_CURVE : NativeErrorCode.OK;
      assertThat(signed.get(i).code()).isEqualTo(expected);
      if (expected == NativeErrorCode.OK) {
        assertThat(signed.get(i).orThrow())
            .isEqualTo(
                IntStream.range(0, request.coins().size())
                    .mapToObj(j -> shares.get(1).sign(TestKeys.NETWORK, request, j))
                    .toList());
      } else {
        assertThat(signed.get(i).signatures()).isEmpty();
        SignedOutputs refused = signed.get(i);
        assertCode(expected, refused::orThrow);
      }
    }
  }

  private static Outputs withBadCoin(Outputs request, G1Point k) {
    BlindedCoin first = request.coins().getFirst();
    return new Outputs(
        request.d(), request.period(), List.of(first, new BlindedCoin(first.cm(), k)));
  }

  @Test
  void requestsAreBounded() {
    Outputs request = blinded().outputs();
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
      Outputs outputs = withBadCoin(c.outputs(), bad.getKey());
      assertCode(bad.getValue(), () -> shares.get(0).sign(suite, outputs, 1));
    }
  }

  @Test
  void witnessBytesAreStrict() {
    RegisterPlan plan =
        new RegisterPlan(
            Wallet.field(),
            suite.publicKey(Wallet.keyScalar()),
            new InputDigest(Wallet.field()),
            Wallet.field(),
            Wallet.field(),
            Wallet.scalar());
    RegisterWitness witness =
        new RegisterWitness(new TxCore(Digest32.sha256(new byte[] {1})), plan, Wallet.keyScalar());
    byte[] bytes = witness.toBytes();
    assertThat(RegisterWitness.fromBytes(bytes)).isEqualTo(witness);
    byte[] longer = java.util.Arrays.copyOf(bytes, bytes.length + 1);
    byte[] shorter = java.util.Arrays.copyOf(bytes, bytes.length - 1);
    byte[] otherVersion = bytes.clone();
    otherVersion[0] = 9;
    byte[] notCanonical = bytes.clone();
    java.util.Arrays.fill(notCanonical, 34, 66, (byte) 0xff);
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
            NativeException.class, () -> suite.publicKey(new KeyScalar(new byte[32])));
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
