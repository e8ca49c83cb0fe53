package io.solidus.operator.sanctions.address;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.solidus.operator.sanctions.approval.Proposal;
import io.solidus.operator.sanctions.approval.ProposalEffect;
import io.solidus.operator.sanctions.approval.ProposalKind;
import io.solidus.operator.sanctions.approval.ProposalRefusedException;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.SanctionList;
import java.time.Clock;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Lists or delists an address when a second operator has approved. Idempotent. */
@Component
class AddressEffect implements ProposalEffect {
  /** The cause of a listing that never ends: the owner of the address has another one. */
  static final String REPLACED = "replaced";

  private final AddressStore store;
  private final JsonMapper json;
  private final Clock clock;

  AddressEffect(AddressStore store, JsonMapper json, Clock clock) {
    this.store = store;
    this.json = json;
    this.clock = clock;
  }

  /**
   * The proposal. Proposals of 0.1.0 have the key and the reason only.
   *
   * @param key the comparison key of the address
   * @param address as it was typed: Bech32m, apk or, in a delisting, the key
   * @param subject whose address it is, and how that is known; null when it was not said
   * @param cause {@link #REPLACED}, or null
   */
  record Payload(
      String key,
      @Nullable String address,
      @Nullable String subject,
      String reason,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String cause) {}

  /**
   * The result of an approval.
   *
   * @param changed false when the address already had this state
   */
  record Outcome(String key, boolean listed, boolean changed) {}

  @Override
  public Set<ProposalKind> kinds() {
    return Set.of(ProposalKind.ADDRESS_LISTING, ProposalKind.ADDRESS_DELISTING);
  }

  @Override
  public Object apply(Proposal proposal, Approval approval) {
    Payload payload = json.readValue(proposal.payload(), Payload.class);
    SanctionKey key = SanctionKey.fromHex(payload.key());
    if (proposal.kind() == ProposalKind.ADDRESS_DELISTING) {
      requireNotReplaced(store, key); // it may be since the proposal
      return new Outcome(payload.key(), false, store.delete(key));
    }
    if (store.count() >= SanctionList.MAX_KEYS) {
      throw ProtocolException.malformed("the list is full");
    }
    Instant now = clock.instant();
    boolean changed = store.insert(key, payload.reason(), proposal.id(), now);
    if (REPLACED.equals(payload.cause())) {
      changed |= store.replace(key, proposal.id(), now);
    }
    return new Outcome(payload.key(), true, changed);
  }

  /**
   * @throws ProposalRefusedException replaced-address
   */
  static void requireNotReplaced(AddressStore store, SanctionKey key) {
    if (store.replacedAt(key).isPresent()) {
      throw new ProposalRefusedException(
          409, "replaced-address", "this address is replaced and stays on the list for ever");
    }
  }
}
