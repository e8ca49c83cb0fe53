package io.solidus.authority.shard;

import io.solidus.authority.common.rules.RulesCache;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.authority.spend.rules.RulesInForce;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.v1.GetStatusReply;
import java.time.Clock;
import java.time.Instant;

/**
 * Reports the state of this shard, with the policy and checkpoint in force countersigned by its
 * authority. A wallet accepts a policy or checkpoint only with the signatures of f+1 authorities,
 * so that no single authority can give it other limits or another list.
 */
class StatusService {

  private final ShardProperties properties;
  private final ShardStores stores;
  private final int shareEpoch;
  private final NoteSigner signer;
  private final RulesCache rules;
  private final AdmissionRule rule;
  private final Clock clock;

  StatusService(
      ShardProperties properties,
      ShardStores stores,
      int shareEpoch,
      NoteSigner signer,
      RulesCache rules,
      AdmissionRule rule,
      Clock clock) {
    this.properties = properties;
    this.stores = stores;
    this.shareEpoch = shareEpoch;
    this.signer = signer;
    this.rules = rules;
    this.rule = rule;
    this.clock = clock;
  }

  GetStatusReply report() {
    RulesInForce current = rules.current();
    Instant now = clock.instant();
    GetStatusReply.Builder reply =
        GetStatusReply.newBuilder()
            .setAuthority(properties.authority())
            .setShard(properties.shard())
            .setShareEpoch(shareEpoch)
            .setShardMapNote(stores.ownership().mapNote())
            .setAccepting(rule.accepting(current, now))
            .setSignedCount(stores.cores().signedCount());
    current
        .policyInForce(now)
        .ifPresent(known ->
            reply.setPolicyVersion(known.version()).setPolicyNote(countersigned(known.note())));
    current
        .newestCheckpoint()
        .ifPresent(known ->
            reply
                .setCheckpointVersion(known.version())
                .setCheckpointNote(countersigned(known.note())));
    return reply.build();
  }

  private String countersigned(SignedNote note) {
    return note.with(signer.sign(note.text())).encode();
  }
}
