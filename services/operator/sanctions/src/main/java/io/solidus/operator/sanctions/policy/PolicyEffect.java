package io.solidus.operator.sanctions.policy;

import io.solidus.operator.sanctions.approval.Proposal;
import io.solidus.operator.sanctions.approval.ProposalEffect;
import io.solidus.operator.sanctions.approval.ProposalKind;
import io.solidus.operator.sanctions.approval.ProposalRefusedException;
import io.solidus.platform.outbox.Events;
import io.solidus.platform.outbox.Outbox;
import io.solidus.platform.outbox.Topics;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.v1.PolicyPublished;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Signs and publishes a policy, a halt or its lifting when a second operator has approved it. */
@Component
class PolicyEffect implements ProposalEffect {
  private static final Logger log = LoggerFactory.getLogger(PolicyEffect.class);
  private static final byte[] KEY = "policy".getBytes(StandardCharsets.US_ASCII);

  private final PolicyStore store;
  private final NextPolicy next;
  private final Outbox outbox;
  private final NetworkId network;
  private final NoteSigner signer;
  private final JsonMapper json;
  private final Clock clock;

  PolicyEffect(
      PolicyStore store,
      NextPolicy next,
      Outbox outbox,
      NetworkId network,
      @Qualifier("policySigner") NoteSigner signer,
      JsonMapper json,
      Clock clock) {
    this.store = store;
    this.next = next;
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
   * @param confirmation of a halt or of limits that fall far; null when there was none
   */
  record Outcome(long version, long effectiveAtMillis, @Nullable String confirmation) {}

  @Override
  public Set<ProposalKind> kinds() {
    return Set.of(ProposalKind.POLICY, ProposalKind.POLICY_HALT, ProposalKind.POLICY_HALT_LIFTING);
  }

  @Override
  public Object apply(Proposal proposal, Approval approval) {
    if (proposal.kind() == ProposalKind.POLICY_HALT && approval.confirmation() == null) {
      throw new ProposalRefusedException(
          400, "confirmation-needed", "say in 'confirmation' why the whole network has to stop");
    }
    store.lock();
    Instant now = clock.instant();
    Policy policy = policy(proposal, now);
    List<String> falls =
        proposal.kind() == ProposalKind.POLICY ? next.falls(policy, now) : List.of();
    if (!falls.isEmpty() && approval.confirmation() == null) {
      throw new ProposalRefusedException(
          400,
          "confirmation-needed",
          "say in 'confirmation' why limits may fall so far: " + String.join(", ", falls));
    }
    String note = SignedNote.sign(policy.toNoteText(network), signer).encode();
    store.insert(new PublishedPolicy(policy, note), proposal.id(), now);
    outbox.append(
        Topics.POLICY,
        KEY,
        Events.envelope("policy-published", clock)
            .setPolicyPublished(PolicyPublished.newBuilder().setPolicyNote(note))
            .build());
    log.info(
        "policy {} published by a proposal of kind {}", policy.version(), proposal.kind().id());
    return new Outcome(policy.version(), policy.effectiveAtMillis(), approval.confirmation());
  }

  private Policy policy(Proposal proposal, Instant now) {
    return switch (proposal.kind()) {
      case POLICY_HALT -> next.halt(json.readValue(proposal.payload(), Halt.class), now);
      case POLICY_HALT_LIFTING -> next.lifting(now);
      default -> next.of(json.readValue(proposal.payload(), PolicyLimits.class), now);
    };
  }
}
