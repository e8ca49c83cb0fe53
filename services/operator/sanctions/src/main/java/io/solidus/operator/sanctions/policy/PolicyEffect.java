package io.solidus.operator.sanctions.policy;

import io.solidus.operator.sanctions.approval.Proposal;
import io.solidus.operator.sanctions.approval.ProposalEffect;
import io.solidus.operator.sanctions.approval.ProposalKind;
import io.solidus.platform.outbox.Events;
import io.solidus.platform.outbox.Outbox;
import io.solidus.platform.outbox.Topics;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.v1.PolicyPublished;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Signs and publishes a policy when a second operator has approved it. */
@Component
class PolicyEffect implements ProposalEffect {
  private static final Logger log = LoggerFactory.getLogger(PolicyEffect.class);
  private static final byte[] KEY = "policy".getBytes(StandardCharsets.US_ASCII);

  private final PolicyStore store;
  private final Outbox outbox;
  private final NetworkId network;
  private final NoteSigner signer;
  private final JsonMapper json;
  private final Clock clock;

  PolicyEffect(
      PolicyStore store,
      Outbox outbox,
      NetworkId network,
      @Qualifier("policySigner") NoteSigner signer,
      JsonMapper json,
      Clock clock) {
    this.store = store;
    this.outbox = outbox;
    this.network = network;
    this.signer = signer;
    this.json = json;
    this.clock = clock;
  }

  /**
   * The result of an approval.
   *
   * @param version the published version
   */
  record Outcome(long version, long effectiveAtMillis) {}

  @Override
  public Set<ProposalKind> kinds() {
    return Set.of(ProposalKind.POLICY);
  }

  @Override
  public Object apply(Proposal proposal) {
    PolicyLimits limits = json.readValue(proposal.payload(), PolicyLimits.class);
    store.lock();
    Instant now = clock.instant();
    Policy policy = next(limits, now);
    String note = SignedNote.sign(policy.toNoteText(network), signer).encode();
    store.insert(new PublishedPolicy(policy, note), proposal.id(), now);
    outbox.append(
        Topics.POLICY,
        KEY,
        Events.envelope("policy-published", clock)
            .setPolicyPublished(PolicyPublished.newBuilder().setPolicyNote(note))
            .build());
    log.info("policy {} published", policy.version());
    return new Outcome(policy.version(), policy.effectiveAtMillis());
  }

  /**
   * The next version of the policy.
   *
   * @throws ProtocolException malformed-request when its period or effective time is before that of
   *     the newest version
   */
  Policy next(PolicyLimits limits, Instant approvedAt) {
    PublishedPolicy newest = store.newest().orElse(null);
    Policy next =
        limits.toPolicy(
            newest == null ? 1 : newest.policy().version() + 1, approvedAt.toEpochMilli());
    if (newest != null && next.period().compareTo(newest.policy().period()) < 0) {
      throw ProtocolException.malformed("the period is before that of the newest policy");
    }
    if (newest != null && next.effectiveAtMillis() < newest.policy().effectiveAtMillis()) {
      throw ProtocolException.malformed("the policy would take effect before the previous version");
    }
    return next;
  }
}
