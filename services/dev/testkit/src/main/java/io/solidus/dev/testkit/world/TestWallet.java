package io.solidus.dev.testkit.world;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Coin;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Period;
import io.solidus.protocol.RecoverEvidence;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RecoverStatement;
import io.solidus.protocol.RequestBelow;
import io.solidus.protocol.ResolvedRecover;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.CoreOpening;
import io.solidus.prover.PlanInput;
import io.solidus.prover.PreparedRecover;
import io.solidus.prover.PreparedTransfer;
import io.solidus.prover.RecoverPlan;
import io.solidus.prover.RecoverWitness;
import io.solidus.prover.Suite;
import io.solidus.prover.TransferPlan;
import io.solidus.prover.TransferPlan.Payment;
import io.solidus.prover.TransferWitness;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A wallet with a compliance coin of the test committee, which makes and proves real transfers. */
public final class TestWallet {

  private final TestCommittee keys;
  private final Suite suite;
  private final FieldElement nk;
  private final KeyScalar spendKey;
  private final KeyPoint pkAuth;
  private final Apk apk;
  private final FieldElement serialKey;
  private final ComplianceCoin cc;
  private final FieldElement message;
  private final Signature signature;

  private TestWallet(
      TestCommittee keys,
      FieldElement nk,
      KeyScalar spendKey,
      Amount held,
      Predicate<SerialNumber> leadSerial) {
    this.keys = keys;
    this.nk = nk;
    this.spendKey = spendKey;
    this.suite = keys.suite();
    this.pkAuth = suite.publicKey(spendKey);
    this.apk = suite.apk(nk, pkAuth);
    this.serialKey = suite.serialKey(nk, pkAuth);
    FieldElement rho = dummyRho(leadSerial);
    this.cc = new ComplianceCoin(apk, rho, Period.NONE, Amount.ZERO, 0, held, FieldElement.ZERO);
    this.message = suite.complianceMessage(cc);
    this.signature = keys.sign(message);
  }

  /**
   * A wallet that holds an amount.
   *
   * @param leadSerial condition on the compliance coin's serial number, to choose the coordinating
   *     shard
   */
  public static TestWallet holding(
      TestCommittee keys, long minor, Predicate<SerialNumber> leadSerial) {
    return new TestWallet(
        keys, TestRandom.field(), TestRandom.keyScalar(), Amount.of(minor), leadSerial);
  }

  /** The same wallet with a second compliance coin, which a correct registration never gives. */
  public TestWallet withAnotherComplianceCoin(Predicate<SerialNumber> leadSerial) {
    return new TestWallet(keys, nk, spendKey, cc.held(), leadSerial);
  }

  public Apk apk() {
    return apk;
  }

  public SerialNumber leadSerial() {
    return suite.serial(serialKey, cc.rho());
  }

  public FieldElement nullifierKey() {
    return nk;
  }

  /** A rho whose serial number in this wallet satisfies the condition. */
  public FieldElement dummyRho(Predicate<SerialNumber> serial) {
    while (true) {
      FieldElement rho = TestRandom.field();
      if (serial.test(suite.serial(serialKey, rho))) {
        return rho;
      }
    }
  }

  /**
   * A transfer without evidence. It can be proved several times, under different rules, with the
   * same core.
   */
  public final class Draft {
    private final TransferPlan plan;
    private final TransferStatement statement;
    private final Attachments attachments;

    /** What each input shows: its own signature, a dummy that of the compliance coin. */
    private final List<Shown> shown = new ArrayList<>();

    private record Shown(FieldElement message, Signature signature) {}

    private Draft(
        Family family,
        List<Payment> payments,
        Period period,
        List<Received> coins,
        List<FieldElement> dummies,
        byte[] memo) {
      attachments = Attachments.withoutPayout(memo, new SecureRandom());
      var context = attachments.context(keys.network());
      List<PlanInput> inputs = new ArrayList<>();
      shown.add(new Shown(message, signature));
      for (Received coin : coins) {
        inputs.add(PlanInput.coin(coin.coin().value(), coin.coin().origin(), coin.coin().rho()));
        shown.add(new Shown(suite.coinMessage(coin.coin()), coin.signature()));
      }
      for (FieldElement rho : dummies) {
        inputs.add(PlanInput.dummy(rho));
        shown.add(new Shown(message, signature));
      }
      List<SerialNumber> serials = new ArrayList<>(List.of(leadSerial()));
      inputs.forEach(input -> serials.add(suite.serial(serialKey, input.rho())));
      InputDigest d = InputDigest.transfer(keys.network(), family, serials, Amount.ZERO, context);
      plan =
          new TransferPlan(
              nk,
              pkAuth,
              cc,
              inputs,
              false,
              payments,
              Amount.ZERO,
              period,
              d,
              TestRandom.field(),
              Stream.generate(TestRandom::field).limit(family.outputs()).toList(),
              Stream.generate(TestRandom::scalar).limit(family.outputs()).toList(),
              TestRandom.field());
      PreparedTransfer prepared = suite.prepareTransfer(plan);
      statement =
          new TransferStatement(family, serials, prepared.outputs(), period, Amount.ZERO, context);
    }

    public FieldElement firstDummy() {
      return plan.inputs().getFirst().rho();
    }

    public TransferStatement statement() {
      return statement;
    }

    /** What the wallet knows about this transfer once it is proved. */
    public KnownCore known(TransferRequest proved) {
      PreparedTransfer prepared = suite.prepareTransfer(plan);
      ComplianceCoin next = prepared.next();
      CoreOpening opening =
          new CoreOpening(
              false,
              List.of(false, false),
              plan.d(),
              plan.seed(),
              plan.s().get(1),
              next.period(),
              next.sent(),
              next.count(),
              next.held(),
              plan.cc().com(),
              prepared.entry().counterparty(),
              List.of(plan.paid(), prepared.entry().first(), prepared.entry().second()),
              plan.withdrawn(),
              prepared.entry().origins(),
              plan.escrow(),
              plan.historyRandomness());
      return KnownCore.of(statement.core(keys.network()), proved, opening, next.com());
    }

    /** Takes seconds. */
    public TransferRequest prove(Rules rules) {
      List<ShownSignature> shows = new ArrayList<>();
      List<Scalar> openings = new ArrayList<>();
      for (Shown one : shown) {
        Scalar o = TestRandom.scalar();
        shows.add(
            suite.show(keys.committee(), one.signature(), one.message(), TestRandom.scalar(), o));
        openings.add(o);
      }
      KeyScalar alpha = TestRandom.keyScalar();
      TxCore core = statement.core(keys.network());
      byte[] proof =
          keys.prover()
              .proveTransfer(
                  new TransferWitness(
                      core,
                      plan,
                      alpha,
                      shows,
                      openings,
                      shown.stream().map(Shown::message).toList(),
                      rules.limits(),
                      rules.root(),
                      rules.path(apk),
                      plan.payments().stream()
                          .map(payment -> rules.path(payment.recipient()))
                          .toList()));
      Evidence evidence =
          new Evidence(
              rules.policyVersion(),
              rules.checkpointVersion(),
              keys.keys().circuitVersion(statement.family()),
              suite.randomisedKey(pkAuth, alpha),
              shows,
              proof,
              suite.signCore(spendKey, alpha, core));
      return new TransferRequest(statement, evidence, attachments, List.of());
    }
  }

  public Draft draft(
      Apk recipient, long paid, Period period, FieldElement dummy1, FieldElement dummy2) {
    return draft(recipient, paid, period, dummy1, dummy2, TestRandom.bytes(Attachments.MEMO_BYTES));
  }

  public Draft draft(
      Apk recipient,
      long paid,
      Period period,
      FieldElement dummy1,
      FieldElement dummy2,
      byte[] memo) {
    return new Draft(
        Family.TRANSFER,
        List.of(new Payment(recipient, Amount.of(paid))),
        period,
        List.of(),
        List.of(dummy1, dummy2),
        memo);
  }

  /** A received coin with its signature. */
  public record Received(Coin coin, Signature signature) {}

  /** A coin that the committee signed for this wallet. */
  public Received receive(long minor) {
    Coin coin = new Coin(Origin.PAYMENT, Amount.of(minor), apk, TestRandom.field());
    return new Received(coin, keys.sign(suite.coinMessage(coin)));
  }

  /** The serial number of a coin of this wallet. */
  public SerialNumber serial(Received received) {
    return suite.serial(serialKey, received.coin().rho());
  }

  /** A claim of 16, with dummies in the places behind the coins. */
  public Draft claim(Apk recipient, long paid, Period period, List<Received> coins) {
    return draft(Family.CLAIM_16, List.of(new Payment(recipient, Amount.of(paid))), period, coins);
  }

  /**
   * A transfer to several payees, with payments of nothing in the places behind them.
   *
   * @param payments at most eight
   * @param coins at most two
   */
  public Draft pay(List<Payment> payments, Period period, List<Received> coins) {
    List<Payment> all = new ArrayList<>(payments);
    while (all.size() < Family.PAY_8.payments()) {
      all.add(Payment.nothing(apk));
    }
    return draft(Family.PAY_8, all, period, coins);
  }

  private Draft draft(Family family, List<Payment> payments, Period period, List<Received> coins) {
    List<FieldElement> dummies = new ArrayList<>();
    while (coins.size() + dummies.size() < TransferPlan.inputsOf(family)) {
      dummies.add(TestRandom.field());
    }
    return new Draft(
        family, payments, period, coins, dummies, TestRandom.bytes(family.memoBytes()));
  }

  /** A transfer that claims a coin. */
  public Draft transfer(Apk recipient, long paid, Period period, Received coin) {
    return draft(
        Family.TRANSFER, List.of(new Payment(recipient, Amount.of(paid))), period, List.of(coin));
  }

  /**
   * A recover with a proof.
   *
   * @param resolved what follows from it
   * @param known for a recover over this one
   */
  public record Recovered(RecoverRequest request, ResolvedRecover resolved, KnownCore known) {}

  /**
   * Proves a recover over two cores of this wallet. Takes seconds.
   *
   * @param x2 the same as {@code x1} for a recover about one core
   * @param credits bit 2j + i for input i of x1 (j = 0) or x2 (j = 1)
   */
  public Recovered recover(KnownCore x1, KnownCore x2, int credits) {
    List<RequestBelow> below = new ArrayList<>();
    List<TxCore> cores = new ArrayList<>();
    int first = x1.position(below, cores);
    int second = x2.position(below, cores);
    List<CoreOpening> openings =
        List.of(credited(x1.opening(), credits & 3), credited(x2.opening(), credits >> 2));
    List<SerialNumber> next = new ArrayList<>();
    List<FieldElement> returned = new ArrayList<>();
    for (CoreOpening opening : openings) {
      List<FieldElement> rhos = suite.rhos(opening.seed(), opening.d());
      next.add(suite.serial(serialKey, rhos.get(1)));
      returned.add(
          opening.recover() ? suite.serial(serialKey, rhos.get(0)).value() : FieldElement.ZERO);
    }
    Attachments attachments = TestRandom.attachments();
    var context = attachments.context(keys.network());
    // D does not bind the outputs, which are made from it
    List<BlindedCoin> anyOutputs = List.of(TestRandom.blindedCoin(), TestRandom.blindedCoin());
    RecoverStatement draft =
        new RecoverStatement(first, second, next, returned, credits, anyOutputs, context);
    ResolvedRecover resolved = ResolvedRecover.of(keys.network(), below, draft);
    RecoverPlan plan =
        new RecoverPlan(
            nk,
            pkAuth,
            resolved.d(),
            openings,
            resolved.chain(),
            resolved.covered(),
            Amount.ZERO,
            TestRandom.field(),
            TestRandom.field(),
            List.of(TestRandom.field(), TestRandom.field()),
            List.of(TestRandom.scalar(), TestRandom.scalar()));
    PreparedRecover prepared = suite.prepareRecover(plan);
    RecoverStatement statement =
        new RecoverStatement(first, second, next, returned, credits, prepared.outputs(), context);
    ResolvedRecover made = ResolvedRecover.of(keys.network(), below, statement);
    KeyScalar alpha = TestRandom.keyScalar();
    RecoverEvidence evidence =
        new RecoverEvidence(
            keys.keys().circuitVersion(Family.RECOVER),
            suite.randomisedKey(pkAuth, alpha),
            keys.prover().proveRecover(new RecoverWitness(made.core(), plan, alpha)),
            suite.signCore(spendKey, alpha, made.core()));
    RecoverRequest request = new RecoverRequest(below, statement, evidence, attachments);
    KnownCore known =
        KnownCore.of(
            made.core(),
            request,
            List.of(x1, x2),
            opening(plan, prepared, x1, x2),
            history(prepared));
    return new Recovered(request, made, known);
  }

  private static FieldElement history(PreparedRecover prepared) {
    return prepared.next().com();
  }

  private static CoreOpening opening(
      RecoverPlan plan, PreparedRecover prepared, KnownCore x1, KnownCore x2) {
    ComplianceCoin cc = prepared.next();
    return new CoreOpening(
        true,
        List.of(false, false),
        plan.d(),
        plan.seed(),
        plan.s().get(1),
        cc.period(),
        cc.sent(),
        cc.count(),
        cc.held(),
        x1.history(),
        x2.history(),
        List.of(prepared.returned().value(), prepared.outflow(), prepared.budget()),
        Amount.ZERO,
        List.of(Origin.PAYMENT, Origin.PAYMENT),
        false,
        plan.historyRandomness());
  }

  private static CoreOpening credited(CoreOpening x, int bits) {
    return new CoreOpening(
        x.recover(),
        List.of((bits & 1) != 0, (bits & 2) != 0),
        x.d(),
        x.seed(),
        x.s(),
        x.period(),
        x.sent(),
        x.count(),
        x.held(),
        x.com(),
        x.counterparty(),
        x.values(),
        x.withdrawn(),
        x.origins(),
        x.escrow(),
        x.r());
  }
}
