package io.solidus.wallet.transfer;

import io.solidus.protocol.Apk;
import io.solidus.protocol.Coin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.MembershipPath;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import io.solidus.prover.PlanInput;
import io.solidus.prover.SanctionTree;
import io.solidus.prover.Suite;
import io.solidus.prover.TransferWitness;
import io.solidus.prover.UnregulatedWitness;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.keys.RandomScalars;
import io.solidus.wallet.keys.WalletKeys;
import io.solidus.wallet.proving.ProofCheck;
import io.solidus.wallet.proving.ProofSource;
import io.solidus.wallet.trust.Rules;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Makes the evidence of a draft: randomised signatures, the proof, and the authorisation. Evidence
 * for one core may be made repeatedly, each time under the rules in force.
 */
public final class EvidenceMaker {
  private final NetworkId network;
  private final Committee committee;
  private final ToIntFunction<Family> circuitVersions;
  private final Suite suite;
  private final ProofCheck verifier;
  private final WalletKeys keys;
  private final ProofSource proofs;
  private final RandomScalars random;

  public EvidenceMaker(
      Committee committee,
      ToIntFunction<Family> circuitVersions,
      Suite suite,
      ProofCheck verifier,
      WalletKeys keys,
      ProofSource proofs,
      RandomScalars random) {
    this.network = committee.network();
    this.committee = committee;
    this.circuitVersions = circuitVersions;
    this.suite = suite;
    this.verifier = verifier;
    this.keys = keys;
    this.proofs = proofs;
    this.random = random;
  }

  /**
   * The complete request.
   *
   * @param complianceSignature on the draft's compliance coin
   * @param inputSignatures on the claimed coins, in the order of the draft's inputs
   * @param certificate partial signatures to send along; may be empty
   * @throws ProtocolException sanctioned
   * @throws WalletException {@code proof-unverified}
   */
  public TransferRequest request(
      TransferDraft draft,
      Signature complianceSignature,
      List<Signature> inputSignatures,
      Rules rules,
      List<PartialSignature> certificate) {
    KeyScalar alpha = random.nextKey();
    TxCore core = draft.statement().core(network);
    Shows shows = show(draft, complianceSignature, inputSignatures);
    try (alpha;
        shows) {
      TransferWitness witness =
          new TransferWitness(
              core,
              draft.plan(),
              alpha,
              shows.shown,
              shows.openings,
              shows.messages,
              rules.limits(),
              rules.tree().root(),
              path(rules.tree(), draft.plan().cc().owner()),
              draft.plan().payments().stream()
                  .map(payment -> path(rules.tree(), payment.recipient()))
                  .toList());
      byte[] proof = proofs.proveTransfer(witness);
      Evidence evidence =
          evidence(
              draft.statement(),
              core,
              draft.plan().pkAuth(),
              alpha,
              shows,
              proof,
              rules.policy().version(),
              rules.checkpoint().version());
      requireVerifies(draft, evidence, rules);
      return new TransferRequest(draft.statement(), evidence, draft.attachments(), certificate);
    }
  }

  /**
   * The complete request of a transfer of an unregulated network, whose evidence names no rules.
   *
   * @param inputSignatures on the spent coins, in the order of the draft's inputs
   * @throws WalletException {@code proof-unverified}
   */
  public TransferRequest request(UnregulatedDraft draft, List<Signature> inputSignatures) {
    KeyScalar alpha = random.nextKey();
    TxCore core = draft.statement().core(network);
    Shows shows = show(draft, inputSignatures);
    try (alpha;
        shows) {
      byte[] proof =
          proofs.proveUnregulated(
              new UnregulatedWitness(
                  core, draft.plan(), alpha, shows.shown, shows.openings, shows.messages));
      Evidence evidence =
          evidence(draft.statement(), core, draft.plan().pkAuth(), alpha, shows, proof, 0, 0);
      ProofCheck.requireOk(verifier.verifyUnregulated(draft.statement(), evidence));
      return new TransferRequest(draft.statement(), evidence, draft.attachments(), List.of());
    }
  }

  /** Whether an address is on the sanction list. */
  public static boolean isListed(SanctionTree tree, Apk apk) {
    try {
      path(tree, apk);
      return false;
    } catch (ProtocolException e) {
      if (e.code() != RejectionCode.SANCTIONED) {
        throw e;
      }
      return true;
    }
  }

  private Evidence evidence(
      TransferStatement statement,
      TxCore core,
      KeyPoint pkAuth,
      KeyScalar alpha,
      Shows shows,
      byte[] proof,
      long policyVersion,
      long checkpointVersion) {
    return new Evidence(
        policyVersion,
        checkpointVersion,
        circuitVersions.applyAsInt(statement.family()),
        suite.randomisedKey(pkAuth, alpha),
        shows.shown,
        proof,
        suite.signCore(keys.spendKey(), alpha, core));
  }

  /**
   * A sent request is final, so the wallet verifies it as a validator would, also with a proof of
   * its own.
   */
  private void requireVerifies(TransferDraft draft, Evidence evidence, Rules rules) {
    ProofCheck.requireOk(
        verifier.verifyTransfer(draft.statement(), evidence, rules.limits(), rules.tree().root()));
  }

  /**
   * The proof that an address is not on the sanction list.
   *
   * @throws ProtocolException sanctioned when the address is on the list
   */
  public static MembershipPath path(SanctionTree tree, Apk apk) {
    try {
      return tree.path(apk);
    } catch (NativeException e) {
      if (e.code() == NativeErrorCode.LISTED) {
        throw new ProtocolException(
            RejectionCode.SANCTIONED, "an address of this transfer is on the sanction list", e);
      }
      throw e;
    }
  }

  /** A dummy input shows the compliance coin's signature again, with a randomisation of its own. */
  private Shows show(
      TransferDraft draft, Signature complianceSignature, List<Signature> inputSignatures) {
    FieldElement complianceMessage = suite.complianceMessage(draft.plan().cc());
    Shows shows = new Shows();
    shows.add(complianceSignature, complianceMessage);
    for (int i = 0; i < draft.plan().inputs().size(); i++) {
      PlanInput input = draft.plan().inputs().get(i);
      if (input.dummy()) {
        shows.add(complianceSignature, complianceMessage);
      } else {
        Coin coin = new Coin(input.origin(), input.value(), draft.plan().cc().owner(), input.rho());
        shows.add(inputSignatures.get(i), suite.coinMessage(coin));
      }
    }
    return shows;
  }

  /** A dummy shows the first input's signature again, with a randomisation of its own. */
  private Shows show(UnregulatedDraft draft, List<Signature> inputSignatures) {
    Shows shows = new Shows();
    for (int i = 0; i < draft.plan().inputs().size(); i++) {
      int shown = draft.plan().inputs().get(i).dummy() ? 0 : i;
      PlanInput input = draft.plan().inputs().get(shown);
      Coin coin = new Coin(input.origin(), input.value(), draft.change().owner(), input.rho());
      shows.add(inputSignatures.get(shown), suite.coinMessage(coin));
    }
    return shows;
  }

  private final class Shows implements AutoCloseable {
    final List<ShownSignature> shown = new ArrayList<>();
    final List<Scalar> openings = new ArrayList<>();
    final List<FieldElement> messages = new ArrayList<>();

    void add(Signature signature, FieldElement message) {
      Scalar o = random.next();
      openings.add(o);
      messages.add(message);
      try (Scalar t = random.next()) {
        shown.add(suite.show(committee, signature, message, t, o));
      }
    }

    @Override
    public void close() {
      openings.forEach(Scalar::close);
    }
  }
}
