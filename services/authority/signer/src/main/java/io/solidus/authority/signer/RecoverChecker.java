package io.solidus.authority.signer;

import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.authority.spend.rules.ProofTerms;
import io.solidus.authority.spend.rules.RulesInForce;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RequestBelow;
import io.solidus.protocol.RequestBelow.TransferBelow;
import io.solidus.protocol.ResolvedRecover;
import io.solidus.protocol.TransferFamilies;
import io.solidus.prover.RecoverTerms;
import io.solidus.prover.Verifier;
import io.solidus.wire.Codecs;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Checks a recover and every request below it, with the rows and the bits that this process puts
 * together itself. Transfers below may be of any policy and checkpoint that was ever in force; no
 * window and no heartbeat counts. The verdict on the same request is remembered.
 *
 * <p>Recovers have a pool of their own, because one takes as long as 17 transfers.
 */
final class RecoverChecker {

  private final NetworkId network;
  private final TransferFamilies families;
  private final Supplier<RulesInForce> rules;
  private final AdmissionRule rule;
  private final Verifier verifier;
  private final EvidenceVerdicts verdicts;
  private final Clock clock;

  RecoverChecker(
      SignerNetwork network,
      Supplier<RulesInForce> rules,
      AdmissionRule rule,
      Verifier verifier,
      EvidenceVerdicts verdicts,
      Clock clock) {
    this.network = network.id();
    this.families = network.families();
    this.rules = rules;
    this.rule = rule;
    this.verifier = verifier;
    this.verdicts = verdicts;
    this.clock = clock;
  }

  /**
   * Returns what to sign.
   *
   * @throws io.solidus.protocol.ProtocolException naming the rule that the recover or a request
   *     below it breaks; overloaded or unavailable
   */
  SigningRequest require(RecoverRequest request) {
    AdmissionRule.requireRecovers(families, request.below());
    request.requireContext(network);
    ResolvedRecover resolved = request.resolve(network);
    List<RecoverTerms> terms = terms(request.below());
    EvidenceKey key = new EvidenceKey(resolved.core(), Digest32.sha256(Codecs.toBytes(request)));
    verdicts.require(key, () -> verifier.verifyRecover(request, resolved.core(), terms));
    return new SigningRequest(
        Family.RECOVER, resolved.core(), resolved.serials(), resolved.below(), resolved.signed());
  }

  private List<RecoverTerms> terms(List<RequestBelow> below) {
    RulesInForce current = rules.get();
    Instant now = clock.instant();
    List<RecoverTerms> terms = new ArrayList<>();
    for (RequestBelow request : below) {
      if (request instanceof TransferBelow transfer) {
        ProofTerms under = rule.admitBelow(current, transfer, now);
        terms.add(new RecoverTerms(under.limits(), under.root()));
      }
    }
    return terms;
  }
}
