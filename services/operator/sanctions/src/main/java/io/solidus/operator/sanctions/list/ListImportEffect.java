package io.solidus.operator.sanctions.list;

import io.solidus.operator.sanctions.approval.Proposal;
import io.solidus.operator.sanctions.approval.ProposalEffect;
import io.solidus.operator.sanctions.approval.ProposalKind;
import io.solidus.operator.sanctions.approval.ProposalRefusedException;
import java.time.Clock;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Puts an imported file in force when a second person has accepted it. */
@Component
class ListImportEffect implements ProposalEffect {
  private static final Logger log = LoggerFactory.getLogger(ListImportEffect.class);

  /** How many versions keep their entries; of older ones only the version record stays. */
  private static final int KEPT_VERSIONS = 30;

  private final ListStore store;
  private final JsonMapper json;
  private final Clock clock;

  ListImportEffect(ListStore store, JsonMapper json, Clock clock) {
    this.store = store;
    this.json = json;
    this.clock = clock;
  }

  /**
   * The result of an approval.
   *
   * @param confirmation what the approver answered to the objections; null when there were none
   */
  record Outcome(String list, long version, @Nullable String confirmation) {}

  @Override
  public Set<ProposalKind> kinds() {
    return Set.of(ProposalKind.LIST_IMPORT);
  }

  @Override
  public Object apply(Proposal proposal, Approval approval) {
    ListImport.Payload payload = json.readValue(proposal.payload(), ListImport.Payload.class);
    ListId list = ListId.of(payload.list()).orElseThrow();
    if (store.lockHead(list) != payload.base()) {
      throw new ProposalRefusedException(
          409,
          "list-import-outdated",
          "another version has come into force since this file was imported; import it again");
    }
    if (!payload.objections().isEmpty() && approval.confirmation() == null) {
      throw new ProposalRefusedException(
          400,
          "confirmation-needed",
          "say in 'confirmation' why the file is right; objections: "
              + String.join(", ", payload.objections()));
    }
    ListVersion version =
        new ListVersion(
            payload.list(),
            payload.version(),
            payload.fileDigest(),
            payload.fileBytes(),
            payload.published(),
            payload.entries(),
            payload.names(),
            payload.malformed(),
            payload.malformedAt(),
            proposal.proposedBy(),
            clock.instant(),
            approval.operator(),
            payload.reader() == null ? 0 : payload.reader());
    store.publish(list, version, proposal.id(), KEPT_VERSIONS);
    log.info("list {} version {} in force", payload.list(), payload.version());
    return new Outcome(payload.list(), payload.version(), approval.confirmation());
  }
}
