package io.solidus.loadtest.chaos.load;

import io.solidus.protocol.Attachments;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.PreparedTransfer;
import io.solidus.prover.Suite;
import io.solidus.prover.TransferPlan;
import io.solidus.prover.TransferWitness;
import io.solidus.wire.Codecs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A transfer that its wallet remembers before it is sent, so that every repetition sends the same
 * core.
 */
public final class Transfer {

  private final TestNetwork network;
  private final Wallet payer;
  private final Wallet.Intent intent;
  private final SignedComplianceCoin account;
  private final TransferPlan plan;
  private final PreparedTransfer prepared;
  private final TransferStatement statement;
  private final Attachments attachments;
  private final TxCore core;
  private final Outputs outputs;
  private final long begunAt = System.nanoTime();
  private volatile Evidence evidence;

  Transfer(
      TestNetwork network,
      Wallet payer,
      Wallet.Intent intent,
      SignedComplianceCoin account,
      TransferPlan plan,
      PreparedTransfer prepared,
      TransferStatement statement,
      Attachments attachments) {
    this.network = network;
    this.payer = payer;
    this.intent = intent;
    this.account = account;
    this.plan = plan;
    this.prepared = prepared;
    this.statement = statement;
    this.attachments = attachments;
    this.core = statement.core(network.keys().network());
    this.outputs = Outputs.of(network.keys().network(), statement);
    this.evidence = makeEvidence();
  }

  public Wallet payer() {
    return payer;
  }

  Wallet recipient() {
    return intent.recipient();
  }

  Wallet.Intent intent() {
    return intent;
  }

  PreparedTransfer prepared() {
    return prepared;
  }

  public TransferStatement statement() {
    return statement;
  }

  public TxCore core() {
    return core;
  }

  /** By {@link System#nanoTime}. */
  public long begunAt() {
    return begunAt;
  }

  long paid() {
    return intent.paid();
  }

  long withdrawn() {
    return intent.withdrawn();
  }

  /** The request with the partial signatures known so far. */
  io.solidus.wire.v1.TransferRequest request(Collection<PartialSignature> certificate) {
    return Codecs.toWire(
        new TransferRequest(statement, evidence, attachments, List.copyOf(certificate)));
  }

  /** The request as a wallet sends it to a gateway. */
  public TransferRequest request() {
    return new TransferRequest(statement, evidence, attachments, List.of());
  }

  /** Whether newer rules than those of the evidence are published. */
  boolean outdated() {
    WalletRules newest = network.rules();
    return evidence.checkpointVersion() < newest.checkpoint().version()
        || evidence.policyVersion() < newest.policy().version();
  }

  /** Makes new evidence for the same core under the newest rules. */
  void renew() {
    evidence = makeEvidence();
  }

  /** Whether an answer is this authority's and complete. */
  public boolean verifies(int authority, PartialSignature partial) {
    return partial.authority() == authority
        && network.suite().checkPartial(network.committee(), core, outputs, partial, Instant.now());
  }

  /**
   * The signatures of both outputs, unblinded and verified.
   *
   * @param partials verified partial signatures of at least 2f+1 authorities
   */
  public List<Signature> signatures(Map<Integer, PartialSignature> partials) {
    List<Signature> signatures = new ArrayList<>();
    List<FieldElement> messages = List.of(prepared.recipientMessage(), prepared.nextMessage());
    for (int i = 0; i < messages.size(); i++) {
      Map<Integer, G1Point> points = new TreeMap<>();
      for (Map.Entry<Integer, PartialSignature> each : partials.entrySet()) {
        if (points.size() < network.committee().quorum()) {
          points.put(each.getKey(), each.getValue().points().get(i));
        }
      }
      Suite suite = network.suite();
      G1Point combined = suite.combine(network.committee(), points);
      Signature signature =
          suite.unblind(network.committee(), outputs, i, combined, plan.b().get(i));
      if (!suite.verify(network.committee(), messages.get(i), signature)) {
        throw new IllegalStateException("checked partial signatures do not combine to a signature");
      }
      signatures.add(signature);
    }
    return signatures;
  }

  private Evidence makeEvidence() {
    Suite suite = network.suite();
    WalletRules rules = network.rules();
    SeededRandom random = payer.random();
    List<FieldElement> messages = new ArrayList<>(List.of(account.message()));
    List<Signature> signatures = new ArrayList<>(List.of(account.signature()));
    for (int i = 0; i < plan.inputs().size(); i++) {
      boolean claimed = i < intent.claims().size();
      messages.add(claimed ? intent.claims().get(i).message() : account.message());
      signatures.add(claimed ? intent.claims().get(i).signature() : account.signature());
    }
    List<ShownSignature> shows = new ArrayList<>();
    List<Scalar> openings = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      openings.add(random.scalar());
      shows.add(
          suite.show(
              network.committee(),
              signatures.get(i),
              messages.get(i),
              random.scalar(),
              openings.get(i)));
    }
    KeyScalar alpha = random.keyScalar();
    byte[] proof =
        network
            .proofs()
            .proveTransfer(
                new TransferWitness(
                    core,
                    plan,
                    alpha,
                    shows,
                    openings,
                    messages,
                    rules.limits(),
                    rules.checkpoint().root(),
                    rules.tree().path(payer.apk()),
                    rules.tree().path(intent.recipient().apk())));
    return new Evidence(
        rules.policy().version(),
        rules.checkpoint().version(),
        network.keys().circuitVersion(Family.TRANSFER),
        suite.randomisedKey(payer.pkAuth(), alpha),
        shows,
        proof,
        suite.signCore(payer.spendKey(), alpha, core));
  }
}
