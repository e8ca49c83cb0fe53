package io.solidus.authority.shard;

import io.solidus.authority.common.facts.FactBook;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.authority.spend.rules.Facts;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.v1.GetStatusReply;
import java.time.Clock;
import java.time.Instant;

/**
 * What this shard goes by, signed by its authority. Wallets take a policy or checkpoint only when
 * f+1 authorities countersigned it, so that nobody is served limits or a list of her own.
 */
class StatusReport {

  private final ShardProperties properties;
  private final Ownership ownership;
  private final int shareEpoch;
  private final NoteSigner signer;
  private final FactBook book;
  private final AdmissionRule rule;
  private final CoreStore cores;
  private final Clock clock;

  StatusReport(
      ShardProperties properties,
      Ownership ownership,
      int shareEpoch,
      NoteSigner signer,
      FactBook book,
      AdmissionRule rule,
      CoreStore cores,
      Clock clock) {
    this.properties = properties;
    this.ownership = ownership;
    this.shareEpoch = shareEpoch;
    this.signer = signer;
    this.book = book;
    this.rule = rule;
    this.cores = cores;
    this.clock = clock;
  }

  GetStatusReply report() {
    Facts facts = book.facts();
    Instant now = clock.instant();
    GetStatusReply.Builder reply =
        GetStatusReply.newBuilder()
            .setAuthority(properties.authority())
            .setShard(properties.shard())
            .setShareEpoch(shareEpoch)
            .setShardMapNote(ownership.mapNote())
            .setAccepting(rule.accepting(facts, now))
            .setSignedCount(cores.signedCount());
    facts
        .policyInForce(now)
        .ifPresent(known ->
            reply.setPolicyVersion(known.version()).setPolicyNote(countersigned(known.note())));
    facts
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
