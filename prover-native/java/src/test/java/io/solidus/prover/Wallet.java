package io.solidus.prover;

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
import io.solidus.protocol.Period;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.TransferPlan.Payment;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A minimal wallet that keeps its state in memory and calls shares directly. */
final class Wallet {
  static final Period PERIOD = new Period(202611);
  static final Limits LIMITS =
      new Limits(new Amount(100_000), new Amount(500_000), new Amount(1_000_000), Amount.ZERO, 50);
  private static final SecureRandom RANDOM = new SecureRandom();

  final Suite suite;
  final Committee committee;
  final List<Share> shares;
  final Prover prover;
  final FieldElement nk = field();
  final KeyScalar a = keyScalar();
  final KeyPoint pkAuth;
  final Apk apk;
  final FieldElement serialKey;

  /** A coin with its signature. */
  record Signed<T>(T coin, FieldElement message, Signature signature) {}

  /** A transfer and the values that unblind its outputs. */
  record Sent(
      TransferStatement statement,
      Evidence evidence,
      TransferPlan plan,
      PreparedTransfer prepared) {}

  Wallet(Suite suite, Committee committee, List<Share> shares, Prover prover) {
    this.suite = suite;
    this.committee = committee;
    this.shares = shares;
    this.prover = prover;
    pkAuth = suite.publicKey(a);
    apk = suite.apk(nk, pkAuth);
    serialKey = suite.serialKey(nk, pkAuth);
  }

  static FieldElement field() {
    BigInteger value;
    do {
      value = new BigInteger(FieldElement.MODULUS.bitLength(), RANDOM);
    } while (value.compareTo(FieldElement.MODULUS) >= 0);
    return FieldElement.of(value);
  }

  static Scalar scalar() {
    return new Scalar(below(0x0f));
  }

  static KeyScalar keyScalar() {
    return new KeyScalar(below(0x07));
  }

  private static byte[] below(int firstByte) {
    byte[] bytes = new byte[Scalar.BYTES];
    RANDOM.nextBytes(bytes);
    bytes[0] &= (byte) firstByte;
    return bytes;
  }

  /** A point of G1 that nobody has seen before. */
  static G1Point g1(Suite suite) {
    OutputToBlind output = new OutputToBlind(field(), field(), scalar());
    return suite
        .blind(new InputDigest(field()), Period.NONE, List.of(output))
        .coins()
        .getFirst()
        .k();
  }

  /** Signs one output of a statement. */
  Signature sign(Outputs outputs, int j, Scalar b, int... authorities) {
    Map<Integer, G1Point> partials = new LinkedHashMap<>();
    for (int index : authorities) {
      G1Point partial = shares.get(index - 1).sign(suite, outputs, j);
      if (!suite.checkPartial(committee.member(index), outputs, j, partial)) {
        throw new AssertionError("partial of " + index);
      }
      partials.put(index, partial);
    }
    G1Point combined = suite.combine(committee, partials);
    if (!suite.verifyBlinded(committee, outputs, j, combined)) {
      throw new AssertionError("combined signature");
    }
    return suite.unblind(committee, outputs, j, combined, b);
  }

  record Registration(RegisterRequest request, RegisterPlan plan, PreparedRegister prepared) {}

  Registration register(int version) {
    InputDigest d = InputDigest.register(suite.network(), apk);
    RegisterPlan plan = new RegisterPlan(nk, pkAuth, d, field(), field(), scalar());
    PreparedRegister prepared = suite.prepareRegister(plan);
    KeyScalar alpha = keyScalar();
    RegisterStatement statement = new RegisterStatement(apk, prepared.coin());
    TxCore core = statement.core(suite.network());
    byte[] proof =
        prover.proveRegister(
            RegisterWitness.fromBytes(new RegisterWitness(core, plan, alpha).toBytes()));
    byte[] signature = suite.signCore(a, alpha, core);
    KeyPoint rk = suite.randomisedKey(pkAuth, alpha);
    return new Registration(
        new RegisterRequest(statement, version, rk, proof, signature), plan, prepared);
  }

  Signed<ComplianceCoin> collect(Registration r, int... authorities) {
    Outputs outputs = Outputs.of(suite.network(), r.request().statement());
    Signature signature = sign(outputs, 0, r.plan().b(), authorities);
    return new Signed<>(r.prepared().cc(), r.prepared().message(), signature);
  }

  record Issue(MintRequest request, MintPlan plan, PreparedMint prepared) {}

  Issue mint(long value, int version) {
    MintId id = new MintId(Digest32.sha256(field().bytes()));
    Amount amount = new Amount(value);
    InputDigest d = InputDigest.mint(suite.network(), id, amount);
    MintPlan plan = new MintPlan(apk, amount, d, field(), field(), scalar());
    PreparedMint prepared = suite.prepareMint(plan);
    MintStatement statement = new MintStatement(id, amount, prepared.blinded());
    TxCore core = statement.core(suite.network());
    byte[] proof = prover.proveMint(MintWitness.fromBytes(new MintWitness(core, plan).toBytes()));
    return new Issue(new MintRequest(statement, version, proof, List.of()), plan, prepared);
  }

  Signed<Coin> collect(Issue issue, int... authorities) {
    Outputs outputs = Outputs.of(suite.network(), issue.request().statement());
    Signature signature = sign(outputs, 0, issue.plan().b(), authorities);
    return new Signed<>(issue.prepared().coin(), issue.prepared().message(), signature);
  }

  TransferPlan plan(
      ComplianceCoin cc,
      List<PlanInput> inputs,
      Apk recipient,
      long paid,
      long withdrawn,
      Digest32 context) {
    Family family = inputs.size() == 2 ? Family.TRANSFER : Family.CLAIM_16;
    return plan(
        family, cc, inputs, List.of(new Payment(recipient, new Amount(paid))), withdrawn, context);
  }

  private TransferPlan plan(
      Family family,
      ComplianceCoin cc,
      List<PlanInput> inputs,
      List<Payment> payments,
      long withdrawn,
      Digest32 context) {
    List<SerialNumber> serials = serials(cc, inputs);
    InputDigest d =
        InputDigest.transfer(suite.network(), family, serials, new Amount(withdrawn), context);
    return new TransferPlan(
        nk,
        pkAuth,
        cc,
        inputs,
        false,
        payments,
        new Amount(withdrawn),
        PERIOD,
        d,
        field(),
        Stream.generate(Wallet::field).limit(family.outputs()).toList(),
        Stream.generate(Wallet::scalar).limit(family.outputs()).toList(),
        field());
  }

  List<SerialNumber> serials(ComplianceCoin cc, List<PlanInput> inputs) {
    List<SerialNumber> serials = new ArrayList<>();
    serials.add(suite.serial(serialKey, cc.rho()));
    inputs.forEach(in -> serials.add(suite.serial(serialKey, in.rho())));
    return serials;
  }

  /** Spends a compliance coin and one received coin. */
  Sent transfer(
      Signed<ComplianceCoin> cc,
      Signed<Coin> claimed,
      Apk recipient,
      long paid,
      long withdrawn,
      SanctionTree tree,
      int version) {
    Digest32 context = Digest32.sha256(field().bytes());
    List<PlanInput> inputs =
        List.of(
            PlanInput.coin(claimed.coin().value(), claimed.coin().origin(), claimed.coin().rho()),
            PlanInput.dummy(field()));
    TransferPlan plan = plan(cc.coin(), inputs, recipient, paid, withdrawn, context);
    PreparedTransfer prepared = suite.prepareTransfer(plan);
    TransferStatement statement =
        new TransferStatement(
            Family.TRANSFER,
            serials(cc.coin(), inputs),
            prepared.outputs(),
            PERIOD,
            new Amount(withdrawn),
            context);
    return prove(statement, plan, prepared, cc, claimed, tree, version);
  }

  /** Spends a compliance coin and up to 16 received coins. */
  Sent claim(
      Signed<ComplianceCoin> cc,
      List<Signed<Coin>> claimed,
      Apk recipient,
      long paid,
      SanctionTree tree,
      int version) {
    Digest32 context = Digest32.sha256(field().bytes());
    List<PlanInput> inputs = new ArrayList<>();
    claimed.forEach(one ->
        inputs.add(PlanInput.coin(one.coin().value(), one.coin().origin(), one.coin().rho())));
    while (inputs.size() < TransferPlan.inputsOf(Family.CLAIM_16)) {
      inputs.add(PlanInput.dummy(field()));
    }
    TransferPlan plan = plan(cc.coin(), inputs, recipient, paid, 0, context);
    PreparedTransfer prepared = suite.prepareTransfer(plan);
    TransferStatement statement =
        new TransferStatement(
            Family.CLAIM_16,
            serials(cc.coin(), inputs),
            prepared.outputs(),
            PERIOD,
            new Amount(0),
            context);
    return prove(statement, plan, prepared, cc, claimed, tree, version);
  }

  /** Spends a compliance coin and a received coin, and pays up to eight payees. */
  Sent pay(
      Signed<ComplianceCoin> cc,
      Signed<Coin> claimed,
      List<Payment> payments,
      SanctionTree tree,
      int version) {
    Digest32 context = Digest32.sha256(field().bytes());
    List<PlanInput> inputs =
        List.of(
            PlanInput.coin(claimed.coin().value(), claimed.coin().origin(), claimed.coin().rho()),
            PlanInput.dummy(field()));
    List<Payment> all = new ArrayList<>(payments);
    while (all.size() < Family.PAY_8.payments()) {
      all.add(Payment.nothing(apk));
    }
    TransferPlan plan = plan(Family.PAY_8, cc.coin(), inputs, all, 0, context);
    PreparedTransfer prepared = suite.prepareTransfer(plan);
    TransferStatement statement =
        new TransferStatement(
            Family.PAY_8,
            serials(cc.coin(), inputs),
            prepared.outputs(),
            PERIOD,
            new Amount(0),
            context);
    return prove(statement, plan, prepared, cc, claimed, tree, version);
  }

  Sent prove(
      TransferStatement statement,
      TransferPlan plan,
      PreparedTransfer prepared,
      Signed<ComplianceCoin> cc,
      Signed<Coin> claimed,
      SanctionTree tree,
      int version) {
    return prove(statement, plan, prepared, cc, List.of(claimed), tree, version);
  }

  private Sent prove(
      TransferStatement statement,
      TransferPlan plan,
      PreparedTransfer prepared,
      Signed<ComplianceCoin> cc,
      List<Signed<Coin>> claimed,
      SanctionTree tree,
      int version) {
    List<FieldElement> messages = new ArrayList<>(List.of(cc.message()));
    List<Signature> signatures = new ArrayList<>(List.of(cc.signature()));
    for (int i = 0; i < plan.inputs().size(); i++) {
      boolean dummy = i >= claimed.size();
      messages.add(dummy ? cc.message() : claimed.get(i).message());
      signatures.add(dummy ? cc.signature() : claimed.get(i).signature());
    }
    List<ShownSignature> shows = new ArrayList<>();
    List<Scalar> openings = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      openings.add(scalar());
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
            LIMITS,
            tree.root(),
            tree.path(apk),
            plan.payments().stream().map(payment -> tree.path(payment.recipient())).toList());
    byte[] proof =
        prover.proveTransfer(TransferWitness.fromBytes(witness.toBytes(), statement.family()));
    Evidence evidence =
        new Evidence(
            1,
            1,
            version,
            suite.randomisedKey(pkAuth, alpha),
            shows,
            proof,
            suite.signCore(a, alpha, core));
    return new Sent(statement, evidence, plan, prepared);
  }

  Signed<ComplianceCoin> collectNext(Sent sent, int... authorities) {
    Outputs outputs = Outputs.of(suite.network(), sent.statement());
    Signature signature = sign(outputs, 1, sent.plan().b().get(1), authorities);
    return new Signed<>(sent.prepared().next(), sent.prepared().nextMessage(), signature);
  }

  Signed<Coin> collectPayment(Sent sent, int... authorities) {
    return collectPayment(0, sent, authorities);
  }

  /** The coin of one of several payments. */
  Signed<Coin> collectPayment(int payment, Sent sent, int... authorities) {
    Outputs outputs = Outputs.of(suite.network(), sent.statement());
    int output = Family.outputOf(payment);
    Signature signature = sign(outputs, output, sent.plan().b().get(output), authorities);
    PreparedTransfer prepared = sent.prepared();
    return new Signed<>(prepared.coins().get(payment), prepared.messages().get(output), signature);
  }
}
