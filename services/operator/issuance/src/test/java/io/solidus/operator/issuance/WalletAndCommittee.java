package io.solidus.operator.issuance;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Period;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.KeySet;
import io.solidus.prover.Limits;
import io.solidus.prover.MintPlan;
import io.solidus.prover.MintWitness;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import io.solidus.prover.PlanInput;
import io.solidus.prover.PreparedMint;
import io.solidus.prover.PreparedTransfer;
import io.solidus.prover.Prover;
import io.solidus.prover.SanctionTree;
import io.solidus.prover.Share;
import io.solidus.prover.Suite;
import io.solidus.prover.TransferPlan;
import io.solidus.prover.TransferWitness;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A wallet and a whole committee in one object, with real keys, shares and proofs and without
 * network.
 */
final class WalletAndCommittee {
  public static final Period PERIOD = new Period(202611);
  public static final Limits LIMITS =
      new Limits(new Amount(1_000_000), new Amount(5_000_000), new Amount(10_000_000), 50);
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int QUORUM_END = 3;

  /** The instance of all tests in this JVM, because opening the prover takes seconds. */
  static final WalletAndCommittee SHARED = new WalletAndCommittee();

  private final TestCommittee secrets = TestCommittee.regulated();
  public final KeySet keys = secrets.openKeys();
  public final Committee committee = keys.committee();
  public final SanctionTree tree = SanctionTree.build(TestCommittee.NETWORK, new byte[0]);
  private final Suite suite = new Suite(TestCommittee.NETWORK);
  private final Prover prover = Prover.open(keys, 1);
  private final List<Share> shares =
      IntStream.rangeClosed(1, committee.n()).mapToObj(secrets::openShare).toList();
  private final FieldElement nk = field();
  private final Scalar a = scalar();
  private final G1Point pkAuth = suite.publicKey(a);
  private final Apk apk = suite.apk(nk, pkAuth);
  private final FieldElement serialKey = suite.serialKey(nk, pkAuth);

  private WalletAndCommittee() {}

  /** A compliance coin that the committee signed. */
  public record Account(ComplianceCoin coin, FieldElement message, Signature signature) {}

  private static FieldElement field() {
    return FieldElement.of(new BigInteger(376, RANDOM));
  }

  private static Scalar scalar() {
    byte[] bytes = new byte[Scalar.BYTES];
    RANDOM.nextBytes(bytes);
    bytes[0] &= 0x0f;
    return new Scalar(bytes);
  }

  private static <T> T draw(Supplier<T> attempt) {
    while (true) {
      try {
        return attempt.get();
      } catch (NativeException e) {
        if (e.code() != NativeErrorCode.RETRY_SEED) {
          throw e;
        }
      }
    }
  }

  /** A proved mint of this value. */
  public MintRequest mint(long valueMinor) {
    MintId id = new MintId(Digest32.sha256(field().bytes()));
    Amount value = new Amount(valueMinor);
    InputDigest d = InputDigest.mint(TestCommittee.NETWORK, id, value);
    MintPlan[] plan = new MintPlan[1];
    PreparedMint prepared =
        draw(() -> {
          plan[0] = new MintPlan(apk, value, d, field(), field(), scalar());
          return suite.prepareMint(plan[0]);
        });
    byte[] proof = prover.proveMint(new MintWitness(plan[0]));
    return new MintRequest(
        new MintStatement(id, value, prepared.blinded()),
        keys.circuitVersion(Family.MINT),
        proof,
        List.of());
  }

  /**
   * An account with money. The shares sign its coin without a history, which no validator would do.
   */
  public Account account(long heldMinor) {
    InputDigest d = InputDigest.register(TestCommittee.NETWORK, apk);
    Scalar b = scalar();
    return draw(() -> {
      ComplianceCoin rich =
          new ComplianceCoin(
              apk, field(), PERIOD, Amount.ZERO, 0, new Amount(heldMinor), FieldElement.ZERO);
      FieldElement message = suite.complianceMessage(rich);
      BlindedCoin blinded = suite.blind(message, field(), b, d);
      Map<Integer, G1Point> partials = new LinkedHashMap<>();
      for (Share share : shares.subList(0, QUORUM_END)) {
        partials.put(share.index(), share.sign(TestCommittee.NETWORK, blinded, d));
      }
      G1Point combined = suite.combine(committee, partials);
      return new Account(rich, message, suite.unblind(committee, blinded, d, combined, b));
    });
  }

  /** A proved withdrawal from an account. */
  public TransferRequest withdraw(Account account, long withdrawnMinor, byte[] payoutBlock) {
    byte[] memo = new byte[Attachments.MEMO_BYTES];
    RANDOM.nextBytes(memo);
    Attachments attachments = new Attachments(payoutBlock, memo);
    Digest32 context = attachments.context(TestCommittee.NETWORK);
    List<PlanInput> inputs = List.of(PlanInput.dummy(field()), PlanInput.dummy(field()));
    List<SerialNumber> serials = new ArrayList<>();
    serials.add(suite.serial(serialKey, account.coin().rho()));
    inputs.forEach(input -> serials.add(suite.serial(serialKey, input.rho())));
    Amount withdrawn = new Amount(withdrawnMinor);
    InputDigest d =
        InputDigest.transfer(TestCommittee.NETWORK, Family.TRANSFER, serials, withdrawn, context);
    TransferPlan[] plan = new TransferPlan[1];
    PreparedTransfer prepared =
        draw(() -> {
          plan[0] =
              new TransferPlan(
                  nk,
                  pkAuth,
                  account.coin(),
                  inputs,
                  apk,
                  Amount.ZERO,
                  withdrawn,
                  PERIOD,
                  d,
                  field(),
                  List.of(field(), field()),
                  List.of(scalar(), scalar()),
                  field());
          return suite.prepareTransfer(plan[0]);
        });
    TransferStatement statement =
        new TransferStatement(
            Family.TRANSFER, serials, prepared.outputs(), PERIOD, withdrawn, context);
    return new TransferRequest(
        statement, evidence(account, statement, plan[0]), attachments, List.of());
  }

  private Evidence evidence(Account account, TransferStatement statement, TransferPlan plan) {
    List<ShownSignature> shows = new ArrayList<>();
    List<Scalar> openings = new ArrayList<>();
    for (int i = 0; i < statement.serials().size(); i++) {
      openings.add(scalar());
      shows.add(
          suite.show(committee, account.signature(), account.message(), scalar(), openings.get(i)));
    }
    Scalar alpha = scalar();
    List<FieldElement> messages = List.of(account.message(), account.message(), account.message());
    byte[] proof =
        prover.proveTransfer(
            new TransferWitness(
                plan,
                alpha,
                shows,
                openings,
                messages,
                LIMITS,
                tree.root(),
                tree.path(apk),
                tree.path(apk)));
    return new Evidence(
        FakeSanctions.POLICY_VERSION,
        FakeSanctions.CHECKPOINT_VERSION,
        keys.circuitVersion(Family.TRANSFER),
        suite.randomisedKey(pkAuth, alpha),
        shows,
        proof,
        suite.signCore(a, alpha, statement.core(TestCommittee.NETWORK)));
  }

  /** The partial signatures of these authorities on a transfer. */
  public List<PartialSignature> sign(TransferStatement statement, int... authorities) {
    InputDigest d = statement.inputDigest(TestCommittee.NETWORK);
    return IntStream.of(authorities)
        .mapToObj(index ->
            new PartialSignature(
                index,
                committee.epoch(),
                statement.outputs().stream()
                    .map(coin -> shares.get(index - 1).sign(TestCommittee.NETWORK, coin, d))
                    .toList()))
        .toList();
  }
}
