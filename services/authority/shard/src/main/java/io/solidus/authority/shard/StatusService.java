package io.solidus.authority.shard;

import io.solidus.authority.common.rules.RulesCache;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.authority.spend.rules.RulesInForce;
import io.solidus.platform.limits.LruMap;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.v1.GetStatusReply;
import java.time.Clock;
import java.time.Instant;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Reports the state of this shard, with the policy and checkpoint in force countersigned by its
 * authority. A wallet accepts a policy or checkpoint only with the signatures of f+1 authorities,
 * so that no single authority can give it other limits or another list.
 */
class StatusService {

  /** The policy and the checkpoint in force, and those before them. */
  private static final int NOTES = 4;

  private final ShardProperties properties;
  private final Supplier<String> mapNote;
  private final LongSupplier signedCount;
  private final int shareEpoch;
  private final NoteSigner signer;
  private final RulesCache rules;
  private final AdmissionRule rule;
  private final Clock clock;
  private final LruMap<SignedNote, String> countersigned = new LruMap<>(NOTES);

  /**
   * Makes the service.
   *
   * @param mapNote the newest shard map, signed
   * @param signedCount that events have told: anybody may ask at any time, and an exact count would
   *     tell when each core is signed
   */
  StatusService(
      ShardProperties properties,
      Supplier<String> mapNote,
      LongSupplier signedCount,
      int shareEpoch,
      NoteSigner signer,
      RulesCache rules,
      AdmissionRule rule,
      Clock clock) {
    this.properties = properties;
    this.mapNote = mapNote;
    this.signedCount = signedCount;
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
            .setShardMapNote(mapNote.get())
            .setAccepting(rule.accepting(current, now))
            .setSignedCount(signedCount.getAsLong());
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

  /** Anybody may ask as often as he likes, so each note is signed once. */
  private String countersigned(SignedNote note) {
    return countersigned
        .find(note)
        .orElseGet(() -> {
          String signed = note.with(signer.sign(note.text())).encode();
          countersigned.remember(note, signed);
          return signed;
        });
  }
}
