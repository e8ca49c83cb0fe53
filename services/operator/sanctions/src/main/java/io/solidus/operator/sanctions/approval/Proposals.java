package io.solidus.operator.sanctions.approval;

import io.solidus.operator.sanctions.SanctionsProperties;
import io.solidus.operator.sanctions.approval.Proposal.State;
import io.solidus.platform.audit.AuditLog;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/**
 * Records and decides proposals under four eyes. A proposal has no effect until an operator other
 * than its author approves it. It is decided once. No configuration switches this off.
 */
@Service
public class Proposals {
  /** Begins the subject of a part of this service that proposes. Such a subject cannot approve. */
  public static final String SYSTEM = Operator.SYSTEM;

  private static final Logger log = LoggerFactory.getLogger(Proposals.class);
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{8,128}");

  private final ProposalStore store;
  private final List<ProposalEffect> effects;
  private final SanctionsProperties properties;
  private final AuditLog audit;
  private final JsonMapper json;
  private final Clock clock;

  Proposals(
      ProposalStore store,
      List<ProposalEffect> effects,
      SanctionsProperties properties,
      AuditLog audit,
      JsonMapper json,
      Clock clock) {
    this.store = store;
    this.effects = effects;
    this.properties = properties;
    this.audit = audit;
    this.json = json;
    this.clock = clock;
  }

  /**
   * Records a proposal.
   *
   * @param payload stored as JSON
   * @param key the caller's Idempotency-Key; the same key with the same payload returns the earlier
   *     proposal
   */
  @Transactional
  public Proposal propose(
      ProposalKind kind, Object payload, String operator, @Nullable String key) {
    if (key != null && !KEY.matcher(key).matches()) {
      throw ProtocolException.malformed(
          "an Idempotency-Key must have 8 to 128 characters of A-Z a-z 0-9 _ -");
    }
    String text = json.writeValueAsString(payload);
    UUID id = UUID.randomUUID();
    Instant now = clock.instant();
    if (!store.insert(
        id, kind, text, operator, now, now.plus(properties.proposalValidity()), key)) {
      Proposal earlier = store.findByKey(operator, key == null ? "" : key).orElseThrow();
      if (earlier.kind() != kind || !earlier.payload().equals(text)) {
        throw new ProtocolException(
            RejectionCode.IDEMPOTENCY_MISMATCH, "this Idempotency-Key was used with another body");
      }
      return earlier;
    }
    audit.add(operator, kind.id() + " proposed", id.toString());
    log.info("proposal {} of kind {} recorded", id, kind.id());
    return store.find(id).orElseThrow();
  }

  /**
   * Approves and applies a proposal. The same approval again has the same answer.
   *
   * @param holdsRole whether the operator holds a role
   */
  @Transactional
  public Proposal approve(UUID id, ProposalEffect.Approval approval, Predicate<String> holdsRole) {
    String operator = approval.operator();
    Proposal proposal = pending(id, operator, State.APPROVED, holdsRole);
    if (proposal.state() == State.APPROVED) {
      return proposal;
    }
    if (Operator.samePerson(proposal.proposedBy(), operator)) {
      throw new ProtocolException(
          RejectionCode.FORBIDDEN, "the author of a proposal cannot approve it");
    }
    if (Operator.folded(operator).startsWith(SYSTEM)) {
      throw new ProtocolException(RejectionCode.FORBIDDEN, "only a person approves");
    }
    Instant now = clock.instant();
    if (!now.isBefore(proposal.expiresAt())) {
      throw ProposalRefusedException.alreadyDecided("the proposal has expired");
    }
    Object outcome = effect(proposal.kind()).apply(proposal, approval);
    store.decide(id, State.APPROVED, operator, now, json.writeValueAsString(outcome));
    audit.add(operator, proposal.kind().id() + " approved", id.toString());
    log.info("proposal {} of kind {} approved", id, proposal.kind().id());
    return store.find(id).orElseThrow();
  }

  /** Refuses a proposal. Its author withdraws it in this way. */
  @Transactional
  public Proposal refuse(UUID id, String operator, String reason, Predicate<String> holdsRole) {
    Proposal proposal = pending(id, operator, State.REFUSED, holdsRole);
    if (proposal.state() == State.REFUSED) {
      return proposal;
    }
    store.decide(
        id,
        State.REFUSED,
        operator,
        clock.instant(),
        json.writeValueAsString(Map.of("reason", reason)));
    audit.add(operator, proposal.kind().id() + " refused", id.toString());
    log.info("proposal {} of kind {} refused", id, proposal.kind().id());
    return store.find(id).orElseThrow();
  }

  /**
   * Whether a proposal waits, or was decided in one way or the other.
   *
   * @param keyPrefix of its Idempotency-Key
   */
  @Transactional
  public boolean waitsOrIsDecided(String operator, String keyPrefix) {
    return store.waitsOrIsDecided(operator, keyPrefix, clock.instant());
  }

  /**
   * Withdraws an operator's waiting proposals.
   *
   * @param keptPrefix of the Idempotency-Key of those that stay; null when none stays
   */
  @Transactional
  public void withdraw(String operator, @Nullable String keptPrefix, String reason) {
    for (UUID id : store.waiting(operator, keptPrefix)) {
      refuse(id, operator, reason, role -> true);
    }
  }

  /** Locks a proposal that is pending or that this operator already decided in the same way. */
  private Proposal pending(UUID id, String operator, State decision, Predicate<String> holdsRole) {
    Proposal proposal =
        store
            .lock(id)
            .orElseThrow(() -> new ProtocolException(RejectionCode.NOT_FOUND, "no such proposal"));
    if (!holdsRole.test(proposal.kind().role())) {
      throw new ProtocolException(
          RejectionCode.FORBIDDEN, "another role decides on this kind of proposal");
    }
    boolean repeated = proposal.state() == decision && operator.equals(proposal.decidedBy());
    if (proposal.state() != State.PENDING && !repeated) {
      throw ProposalRefusedException.alreadyDecided("the proposal is already decided");
    }
    return proposal;
  }

  private ProposalEffect effect(ProposalKind kind) {
    return effects.stream()
        .filter(effect -> effect.kinds().contains(kind))
        .findFirst()
        .orElseThrow();
  }
}
