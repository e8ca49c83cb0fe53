package io.solidus.loadtest.forge;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Coin;
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
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.KeySet;
import io.solidus.prover.MintPlan;
import io.solidus.prover.MintWitness;
import io.solidus.prover.PlanInput;
import io.solidus.prover.PreparedMint;
import io.solidus.prover.PreparedRegister;
import io.solidus.prover.RegisterPlan;
import io.solidus.prover.RegisterWitness;
import io.solidus.prover.SanctionTree;
import io.solidus.prover.Share;
import io.solidus.prover.Suite;
import io.solidus.prover.TransferBatchItem;
import io.solidus.prover.TransferPlan;
import io.solidus.prover.TransferWitness;
import io.solidus.wallet.proving.ProofSource;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An owner with real keys, coins and openings; a {@link ProofSource} makes the proofs. */
final class CoinOwner {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final KeySet keys;
  private final Committee committee;
  private final Suite suite;
  private final List<Share> shares;
  private final ProofSource proofs;
  private final FieldElement nk = field();
  private final KeyScalar a = keyScalar();
  private final KeyPoint pkAuth;
  final Apk apk;
  private @Nullable Signed<ComplianceCoin> compliance;
  private @Nullable Signed<Coin> coin;

  /** A coin with the committee's signature. */
  private record Signed<T>(T coin, Signature signature) {}

  CoinOwner(KeySet keys, List<Share> shares, ProofSource proofs) {
    this.keys = keys;
    this.committee = keys.committee();
    this.suite = new Suite(keys.network());
    this.shares = shares;
    this.proofs = proofs;
    this.pkAuth = suite.publicKey(a);
    this.apk = suite.apk(nk, pkAuth);
  }

  RegisterRequest register() {
    InputDigest d = InputDigest.register(suite.network(), apk);
    RegisterPlan plan = new RegisterPlan(nk, pkAuth, d, field(), field(), scalar());
    PreparedRegister prepared = suite.prepareRegister(plan);
    KeyScalar alpha = keyScalar();
    RegisterStatement statement = new RegisterStatement(apk, prepared.coin());
    TxCore core = statement.core(suite.network());
    compliance =
        new Signed<>(prepared.cc(), sign(Outputs.of(suite.network(), statement), plan.b()));
    return new RegisterRequest(
        statement,
        keys.circuitVersion(Family.REGISTER),
        suite.randomisedKey(pkAuth, alpha),
        proofs.proveRegister(new RegisterWitness(core, plan, alpha)),
        suite.signCore(a, alpha, core));
  }

  MintRequest mint(long value) {
    MintId id = new MintId(Digest32.sha256(field().bytes()));
    InputDigest d = InputDigest.mint(suite.network(), id, new Amount(value));
    MintPlan plan = new MintPlan(apk, new Amount(value), d, field(), field(), scalar());
    PreparedMint prepared = suite.prepareMint(plan);
    MintStatement statement = new MintStatement(id, new Amount(value), prepared.blinded());
    coin = new Signed<>(prepared.coin(), sign(Outputs.of(suite.network(), statement), plan.b()));
    return new MintRequest(
        statement,
        keys.circuitVersion(Family.MINT),
        proofs.proveMint(new MintWitness(statement.core(suite.network()), plan)),
        List.of());
  }

  /** Claims the minted coin and pays from it. */
  TransferBatchItem pay(Apk recipient, long paid, SanctionTree tree) {
    Coin minted = Objects.requireNonNull(coin, "no coin was minted").coin();
    ComplianceCoin before = Objects.requireNonNull(compliance, "not registered").coin();
    List<PlanInput> inputs =
        List.of(
            PlanInput.coin(minted.value(), minted.origin(), minted.rho()),
            PlanInput.dummy(field()));
    FieldElement serialKey = suite.serialKey(nk, pkAuth);
    List<SerialNumber> serials = new ArrayList<>(List.of(suite.serial(serialKey, before.rho())));
    inputs.forEach(in -> serials.add(suite.serial(serialKey, in.rho())));
    Digest32 context = Digest32.sha256(field().bytes());
    InputDigest d =
        InputDigest.transfer(suite.network(), Family.TRANSFER, serials, Amount.ZERO, context);
    TransferPlan plan =
        new TransferPlan(
            nk,
            pkAuth,
            before,
            inputs,
            false,
            recipient,
            new Amount(paid),
            Amount.ZERO,
            ForgeFixture.PERIOD,
            d,
            field(),
            List.of(field(), field()),
            List.of(scalar(), scalar()),
            field());
    TransferStatement statement =
        new TransferStatement(
            Family.TRANSFER,
            serials,
            suite.prepareTransfer(plan).outputs(),
            ForgeFixture.PERIOD,
            Amount.ZERO,
            context);
    return new TransferBatchItem(
        statement, evidence(statement, plan, tree), ForgeFixture.LIMITS, tree.root());
  }

  private Evidence evidence(TransferStatement statement, TransferPlan plan, SanctionTree tree) {
    Signed<Coin> spent = Objects.requireNonNull(coin, "no coin was minted");
    Signed<ComplianceCoin> before = Objects.requireNonNull(compliance, "not registered");
    FieldElement message = suite.complianceMessage(before.coin());
    List<FieldElement> messages = List.of(message, suite.coinMessage(spent.coin()), message);
    List<Signature> signatures = List.of(before.signature(), spent.signature(), before.signature());
    List<ShownSignature> shows = new ArrayList<>();
    List<Scalar> openings = List.of(scalar(), scalar(), scalar());
    for (int i = 0; i < openings.size(); i++) {
      shows.add(
          suite.show(committee, signatures.get(i), messages.get(i), scalar(), openings.get(i)));
    }
    KeyScalar alpha = keyScalar();
    TxCore core = statement.core(suite.network());
    TransferWitness witness =
        new TransferWitness(
            core,
            plan,
            alpha,
            shows,
            openings,
            messages,
            ForgeFixture.LIMITS,
            tree.root(),
            tree.path(apk),
            tree.path(plan.recipient()));
    return new Evidence(
        1,
        1,
        keys.circuitVersion(Family.TRANSFER),
        suite.randomisedKey(pkAuth, alpha),
        shows,
        proofs.proveTransfer(witness),
        suite.signCore(a, alpha, core));
  }

  /** The signature on the only output of a registration or a mint. */
  private Signature sign(Outputs outputs, Scalar b) {
    Map<Integer, G1Point> partials = new LinkedHashMap<>();
    for (Share share : shares.subList(0, 3)) {
      partials.put(share.index(), share.sign(suite, outputs, 0));
    }
    return suite.unblind(committee, outputs, 0, suite.combine(committee, partials), b);
  }

  static FieldElement field() {
    return FieldElement.of(
        new BigInteger(FieldElement.MODULUS.bitLength() + 64, RANDOM).mod(FieldElement.MODULUS));
  }

  private static Scalar scalar() {
    return new Scalar(below(0x0f));
  }

  private static KeyScalar keyScalar() {
    return new KeyScalar(below(0x07));
  }

  private static byte[] below(int firstByte) {
    byte[] bytes = new byte[Scalar.BYTES];
    RANDOM.nextBytes(bytes);
    bytes[0] &= (byte) firstByte;
    return bytes;
  }
}
