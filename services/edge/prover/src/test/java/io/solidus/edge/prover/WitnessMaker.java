package io.solidus.edge.prover;

import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.BlindedCoin;
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
import io.solidus.protocol.Origin;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.Period;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.KeySet;
import io.solidus.prover.Limits;
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
import io.solidus.prover.TransferPlan;
import io.solidus.prover.TransferWitness;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Makes witnesses of one wallet and, with the proof, their requests. */
final class WitnessMaker {
  static final Limits LIMITS =
      new Limits(new Amount(100_000), new Amount(500_000), new Amount(1_000_000), Amount.ZERO, 50);
  private static final Period PERIOD = new Period(202611);

  private final Generators random = new Generators(new SecureRandom().nextLong());
  private final Suite suite = new Suite(TestCommittee.NETWORK);
  private final KeySet keys;
  private final FieldElement nk = random.fieldElement();
  private final KeyScalar a = random.keyScalar();
  private final KeyPoint pkAuth = suite.publicKey(a);
  private final Apk apk = suite.apk(nk, pkAuth);
  private final FieldElement serialKey = suite.serialKey(nk, pkAuth);

  WitnessMaker(KeySet keys) {
    this.keys = keys;
  }

  /** A witness and the function that makes the request from its proof. */
  record Task<R>(byte[] witness, Function<byte[], R> request) {}

  /** A transfer with its evidence. */
  record Transfer(TransferStatement statement, Evidence evidence) {}

  /** The nullifier key, which must not leave the prover. */
  FieldElement secret() {
    return nk;
  }

  Task<RegisterRequest> register() {
    Planned<RegisterPlan, PreparedRegister> planned = planRegister();
    KeyScalar alpha = random.keyScalar();
    RegisterStatement statement = new RegisterStatement(apk, planned.prepared().coin());
    TxCore core = statement.core(TestCommittee.NETWORK);
    byte[] signature = suite.signCore(a, alpha, core);
    KeyPoint rk = suite.randomisedKey(pkAuth, alpha);
    int version = keys.circuitVersion(Family.REGISTER);
    return new Task<>(
        new RegisterWitness(core, planned.plan(), alpha).toBytes(),
        proof -> new RegisterRequest(statement, version, rk, proof, signature));
  }

  Task<MintRequest> mint(long value) {
    MintId id = new MintId(random.digest());
    Planned<MintPlan, PreparedMint> planned = planMint(id, value);
    MintStatement statement =
        new MintStatement(id, new Amount(value), planned.prepared().blinded());
    int version = keys.circuitVersion(Family.MINT);
    return new Task<>(
        new MintWitness(statement.core(TestCommittee.NETWORK), planned.plan()).toBytes(),
        proof -> new MintRequest(statement, version, proof, List.of()));
  }

  /** A transfer of a freshly minted coin. */
  Task<Transfer> transfer(long minted, long paid, SanctionTree tree) {
    Planned<RegisterPlan, PreparedRegister> registration = planRegister();
    Signature ccSignature =
        sign(registration.prepared().coin(), registration.plan().d(), registration.plan().b());
    MintId id = new MintId(random.digest());
    Planned<MintPlan, PreparedMint> mint = planMint(id, minted);
    Signature coinSignature = sign(mint.prepared().blinded(), mint.plan().d(), mint.plan().b());
    List<PlanInput> inputs =
        List.of(
            PlanInput.coin(new Amount(minted), Origin.MINT, mint.prepared().coin().rho()),
            PlanInput.dummy(random.fieldElement()));
    List<SerialNumber> serials =
        new ArrayList<>(List.of(suite.serial(serialKey, registration.prepared().cc().rho())));
    inputs.forEach(input -> serials.add(suite.serial(serialKey, input.rho())));
    Digest32 context = random.digest();
    InputDigest d =
        InputDigest.transfer(TestCommittee.NETWORK, Family.TRANSFER, serials, Amount.ZERO, context);
    TransferPlan plan =
        new TransferPlan(
            nk,
            pkAuth,
            registration.prepared().cc(),
            inputs,
            false,
            apk,
            new Amount(paid),
            Amount.ZERO,
            PERIOD,
            d,
            random.fieldElement(),
            List.of(random.fieldElement(), random.fieldElement()),
            List.of(random.scalar(), random.scalar()),
            random.fieldElement());
    TransferStatement statement =
        new TransferStatement(
            Family.TRANSFER,
            serials,
            suite.prepareTransfer(plan).outputs(),
            PERIOD,
            Amount.ZERO,
            context);
    FieldElement cc = registration.prepared().message();
    return show(
        statement,
        plan,
        List.of(cc, mint.prepared().message(), cc),
        List.of(ccSignature, coinSignature, ccSignature),
        tree);
  }

  private Task<Transfer> show(
      TransferStatement statement,
      TransferPlan plan,
      List<FieldElement> messages,
      List<Signature> signatures,
      SanctionTree tree) {
    List<ShownSignature> shows = new ArrayList<>();
    List<Scalar> openings = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      openings.add(random.scalar());
      shows.add(
          suite.show(
              keys.committee(),
              signatures.get(i),
              messages.get(i),
              random.scalar(),
              openings.get(i)));
    }
    KeyScalar alpha = random.keyScalar();
    TxCore core = statement.core(TestCommittee.NETWORK);
    TransferWitness witness =
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
            tree.path(plan.recipient()));
    byte[] signature = suite.signCore(a, alpha, core);
    KeyPoint rk = suite.randomisedKey(pkAuth, alpha);
    int version = keys.circuitVersion(Family.TRANSFER);
    return new Task<>(
        witness.toBytes(),
        proof -> new Transfer(statement, new Evidence(1, 1, version, rk, shows, proof, signature)));
  }

  private Planned<RegisterPlan, PreparedRegister> planRegister() {
    InputDigest d = InputDigest.register(TestCommittee.NETWORK, apk);
    RegisterPlan plan =
        new RegisterPlan(
            nk, pkAuth, d, random.fieldElement(), random.fieldElement(), random.scalar());
    return new Planned<>(plan, suite.prepareRegister(plan));
  }

  private Planned<MintPlan, PreparedMint> planMint(MintId id, long value) {
    Amount amount = new Amount(value);
    InputDigest d = InputDigest.mint(TestCommittee.NETWORK, id, amount);
    MintPlan plan =
        new MintPlan(apk, amount, d, random.fieldElement(), random.fieldElement(), random.scalar());
    return new Planned<>(plan, suite.prepareMint(plan));
  }

  /** The signature on the only output of a registration or a mint. */
  private Signature sign(BlindedCoin coin, InputDigest d, Scalar b) {
    Outputs outputs = new Outputs(d, Period.NONE, List.of(coin));
    Map<Integer, G1Point> partials = new LinkedHashMap<>();
    for (int index = 1; index <= keys.committee().quorum(); index++) {
      try (Share share = TestCommittee.regulated().openShare(index)) {
        partials.put(index, share.sign(suite, outputs, 0));
      }
    }
    return suite.unblind(
        keys.committee(), outputs, 0, suite.combine(keys.committee(), partials), b);
  }

  private record Planned<P, Q>(P plan, Q prepared) {}
}
