package io.solidus.operator.issuance;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.Committee;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Period;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.KeySet;
import io.solidus.prover.Limits;
import io.solidus.prover.MintPlan;
import io.solidus.prover.MintWitness;
import io.solidus.prover.OutputToBlind;
import io.solidus.prover.PlanInput;
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
import java.util.stream.IntStream;

/**
 * A wallet and a whole committee in one object, with real keys, shares and proofs and without
 * network.
 */
public final class WalletAndCommittee {
  public static final Period PERIOD = new Period(202611);
  public static final Limits LIMITS =
      new Limits(
          new Amount(1_000_000), new Amount(5_000_000), new Amount(10_000_000), Amount.ZERO, 50);
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int QUORUM_END = 3;

  /** The instance of all tests in this JVM, because opening the prover takes seconds. */
  public static final WalletAndCommittee SHARED = new WalletAndCommittee();

  private final TestCommittee secrets = TestCommittee.regulated();
  public final KeySet keys = secrets.openKeys();
  public final Committee committee = keys.committee();
  public final SanctionTree tree = SanctionTree.build(TestCommittee.NETWORK, new byte[0]);
  private final Suite suite = new Suite(TestCommittee.NETWORK);
  private final Prover prover = Prover.open(keys, 1);
  private final List<Share> shares =
      IntStream.rangeClosed(1, committee.n()).mapToObj(secrets::openShare).toList();
  private final FieldElement nk = field();
  private final KeyScalar a = keyScalar();
  private final KeyPoint pkAuth = suite.publicKey(a);
  private final Apk apk = suite.apk(nk, pkAuth);
  private final FieldElement serialKey = suite.serialKey(nk, pkAuth);

  private WalletAndCommittee() {}

  /** A compliance coin that the committee signed. */
  public record Account(ComplianceCoin coin, FieldElement message, Signature signature) {}

  private static FieldElement field() {
    return FieldElement.of(new BigInteger(254, RANDOM));
  }

  private static Scalar scalar() {
    return TestRandom.scalar();
  }

  private static KeyScalar keyScalar() {
    return TestRandom.keyScalar();
  }

  /** A proved mint of this value. */
  public MintRequest mint(long valueMinor) {
    MintId id = new MintId(Digest32.sha256(field().bytes()));
    Amount value = new Amount(valueMinor);
    InputDigest d = InputDigest.mint(TestCommittee.NETWORK, id, value);
    MintPlan plan = new MintPlan(apk, value, d, field(), field(), scalar());
    MintStatement statement = new MintStatement(id, value, suite.prepareMint(plan).blinded());
    byte[] proof = prover.proveMint(new MintWitness(statement.core(TestCommittee.NETWORK), plan));
    return new MintRequest(statement, keys.circuitVersion(Family.MINT), proof, List.of());
  }

  /**
   * An account with money. The shares sign its coin without a history, which no validator would do.
   */
  public Account account(long heldMinor) {
    Scalar b = scalar();
    ComplianceCoin rich =
        new ComplianceCoin(
            apk, field(), PERIOD, Amount.ZERO, 0, new Amount(heldMinor), FieldElement.ZERO);
    FieldElement message = suite.complianceMessage(rich);
    Outputs outputs =
        suite.blind(
            InputDigest.register(TestCommittee.NETWORK, apk),
            Period.NONE,
            List.of(new OutputToBlind(message, field(), b)));
    Map<Integer, G1Point> partials = new LinkedHashMap<>();
    for (Share share : shares.subList(0, QUORUM_END)) {
      partials.put(share.index(), share.sign(TestCommittee.NETWORK, outputs, 0));
    }
    G1Point combined = suite.combine(committee, partials);
    return new Account(rich, message, suite.unblind(committee, outputs, 0, combined, b));
  }

  /** A proved withdrawal from an account. */
  public TransferRequest withdraw(Account account, long withdrawnMinor, byte[] payoutBlock) {
    return draft(account, withdrawnMinor, payoutBlock).request(scalar());
  }

  /** A withdrawal whose compliance coin is not blinded yet. */
  public Draft draft(Account account, long withdrawnMinor, byte[] payoutBlock) {
    byte[] memo = new byte[Attachments.MEMO_BYTES];
    RANDOM.nextBytes(memo);
    List<PlanInput> inputs = List.of(PlanInput.dummy(field()), PlanInput.dummy(field()));
    List<SerialNumber> serials = new ArrayList<>();
    serials.add(suite.serial(serialKey, account.coin().rho()));
    inputs.forEach(input -> serials.add(suite.serial(serialKey, input.rho())));
    return new Draft(
        account,
        new Amount(withdrawnMinor),
        new Attachments(payoutBlock, memo),
        inputs,
        serials,
        field(),
        List.of(field(), field()),
        scalar(),
        field());
  }

  /** Everything of a withdrawal but the blinding of its compliance coin. */
  final class Draft {
    private final Account account;
    private final Amount withdrawn;
    private final Attachments attachments;
    private final List<PlanInput> inputs;
    private final List<SerialNumber> serials;
    private final FieldElement seed;
    private final List<FieldElement> commitmentSecrets;
    private final Scalar recipientBlinding;
    private final FieldElement historyRandomness;

    private Draft(
        Account account,
        Amount withdrawn,
        Attachments attachments,
        List<PlanInput> inputs,
        List<SerialNumber> serials,
        FieldElement seed,
        List<FieldElement> commitmentSecrets,
        Scalar recipientBlinding,
        FieldElement historyRandomness) {
      this.account = account;
      this.withdrawn = withdrawn;
      this.attachments = attachments;
      this.inputs = inputs;
      this.serials = serials;
      this.seed = seed;
      this.commitmentSecrets = commitmentSecrets;
      this.recipientBlinding = recipientBlinding;
      this.historyRandomness = historyRandomness;
    }

    /** The proved request. Requests of one draft differ only in k of the compliance coin. */
    TransferRequest request(Scalar complianceBlinding) {
      Digest32 context = attachments.context(TestCommittee.NETWORK);
      InputDigest d =
          InputDigest.transfer(TestCommittee.NETWORK, Family.TRANSFER, serials, withdrawn, context);
      TransferPlan plan =
          new TransferPlan(
              nk,
              pkAuth,
              account.coin(),
              inputs,
              false,
              apk,
              Amount.ZERO,
              withdrawn,
              PERIOD,
              d,
              seed,
              commitmentSecrets,
              List.of(recipientBlinding, complianceBlinding),
              historyRandomness);
      PreparedTransfer prepared = suite.prepareTransfer(plan);
      TransferStatement statement =
          new TransferStatement(
              Family.TRANSFER, serials, prepared.outputs(), PERIOD, withdrawn, context);
      return new TransferRequest(
          statement, evidence(account, statement, plan), attachments, List.of());
    }
  }

  private Evidence evidence(Account account, TransferStatement statement, TransferPlan plan) {
    List<ShownSignature> shows = new ArrayList<>();
    List<Scalar> openings = new ArrayList<>();
    for (int i = 0; i < statement.serials().size(); i++) {
      openings.add(scalar());
      shows.add(
          suite.show(committee, account.signature(), account.message(), scalar(), openings.get(i)));
    }
    KeyScalar alpha = keyScalar();
    TxCore core = statement.core(TestCommittee.NETWORK);
    List<FieldElement> messages = List.of(account.message(), account.message(), account.message());
    byte[] proof =
        prover.proveTransfer(
            new TransferWitness(
                core,
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
        suite.signCore(a, alpha, core));
  }

  /** The partial signatures of these authorities on a transfer. */
  public List<PartialSignature> sign(TransferStatement statement, int... authorities) {
    return IntStream.of(authorities).mapToObj(index -> secrets.partial(index, statement)).toList();
  }
}
