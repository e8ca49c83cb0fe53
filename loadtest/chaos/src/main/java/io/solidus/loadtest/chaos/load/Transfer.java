package io.solidus.loadtest.chaos.load;

import io.solidus.protocol.Attachments;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
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
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A transfer that its wallet remembers before anything is sent: whatever happens, it is this core
 * that is sent again.
 */
public final class Transfer {

  private final Realm realm;
  private final Wallet payer;
  private final Wallet.Intent intent;
  private final Account account;
  private final TransferPlan plan;
  private final PreparedTransfer prepared;
  private final TransferStatement statement;
  private final Attachments attachments;
  private final TxCore core;
  private final InputDigest digest;
  private final long begunAt = System.nanoTime();
  private volatile Evidence evidence;

  Transfer(
      Realm realm,
      Wallet payer,
      Wallet.Intent intent,
      Account account,
      TransferPlan plan,
      PreparedTransfer prepared,
      TransferStatement statement,
      Attachments attachments) {
    this.realm = realm;
    this.payer = payer;
    this.intent = intent;
    this.account = account;
    this.plan = plan;
    this.prepared = prepared;
    this.statement = statement;
    this.attachments = attachments;
    this.core = statement.core(realm.keys().network());
    this.digest = statement.inputDigest(realm.keys().network());
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

  /**
   * @param certificate partial signatures that are there already
   */
  io.solidus.wire.v1.TransferRequest request(Collection<PartialSignature> certificate) {
    return Codecs.toWire(
        new TransferRequest(statement, evidence, attachments, List.copyOf(certificate)));
  }

  /** As a wallet sends it to a gateway. */
  public TransferRequest request() {
    return new TransferRequest(statement, evidence, attachments, List.of());
  }

  /** Whether newer rules are published than those the evidence was made under. */
  boolean outdated() {
    Rules newest = realm.rules();
    return evidence.checkpointVersion() < newest.checkpoint().version()
        || evidence.policyVersion() < newest.policy().version();
  }

  /** The same core under the newest rules. */
  void renew() {
    evidence = makeEvidence();
  }

  /** Whether a partial signature is its authority's own on every output. */
  public boolean verifies(int authority, PartialSignature partial) {
    if (partial.authority() != authority || partial.points().size() != statement.outputs().size()) {
      return false;
    }
    for (int i = 0; i < partial.points().size(); i++) {
      G1Point point = partial.points().get(i);
      if (!realm
          .suite()
          .checkPartial(
              realm.committee().member(authority), statement.outputs().get(i), digest, point)) {
        return false;
      }
    }
    return true;
  }

  /**
   * The signatures of both outputs, unblinded and verified.
   *
   * @param partials verified ones of at least 2f+1 authorities
   */
  public List<Signature> signatures(Map<Integer, PartialSignature> partials) {
    List<Signature> signatures = new ArrayList<>();
    List<FieldElement> messages = List.of(prepared.recipientMessage(), prepared.nextMessage());
    for (int i = 0; i < messages.size(); i++) {
      Map<Integer, G1Point> points = new TreeMap<>();
      for (Map.Entry<Integer, PartialSignature> each : partials.entrySet()) {
        if (points.size() < realm.committee().quorum()) {
          points.put(each.getKey(), each.getValue().points().get(i));
        }
      }
      Suite suite = realm.suite();
      G1Point combined = suite.combine(realm.committee(), points);
      Signature signature =
          suite.unblind(
              realm.committee(), statement.outputs().get(i), digest, combined, plan.b().get(i));
      if (!suite.verify(realm.committee(), messages.get(i), signature)) {
        throw new IllegalStateException("checked partial signatures do not combine to a signature");
      }
      signatures.add(signature);
    }
    return signatures;
  }

  private Evidence makeEvidence() {
    Suite suite = realm.suite();
    Rules rules = realm.rules();
    Draws draws = payer.draws();
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
      openings.add(draws.scalar());
      shows.add(
          suite.show(
              realm.committee(),
              signatures.get(i),
              messages.get(i),
              draws.scalar(),
              openings.get(i)));
    }
    Scalar alpha = draws.scalar();
    byte[] proof =
        realm
            .proofs()
            .proveTransfer(
                new TransferWitness(
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
        realm.keys().circuitVersion(Family.TRANSFER),
        suite.randomisedKey(payer.pkAuth(), alpha),
        shows,
        proof,
        suite.signCore(payer.spendKey(), alpha, core));
  }
}
