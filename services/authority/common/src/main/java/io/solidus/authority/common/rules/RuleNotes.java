package io.solidus.authority.common.rules;

import io.solidus.protocol.Heartbeat;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteKeys;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SignedNote;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Parses signed notes and requires the signatures of their issuers: of the present key, or of a
 * former one that counted when the note was accepted.
 *
 * @param policyKeys sign policies
 * @param sanctionKeys sign checkpoints and heartbeats
 */
public record RuleNotes(
    NetworkId network, NoteKeys policyKeys, NoteKeys sanctionKeys, InstantSource clock) {

  /**
   * Parses a policy that arrives now.
   *
   * @throws io.solidus.protocol.ProtocolException malformed-request, wrong-network or
   *     signature-invalid
   */
  public Policy policy(String note) {
    return policy(note, clock.instant());
  }

  /** Parses a policy that was accepted at a time. */
  Policy policy(String note, Instant at) {
    return Policy.parse(network, textBy(policyKeys, note, at));
  }

  public SanctionCheckpoint checkpoint(String note) {
    return checkpoint(note, clock.instant());
  }

  SanctionCheckpoint checkpoint(String note, Instant at) {
    return SanctionCheckpoint.parse(network, textBy(sanctionKeys, note, at));
  }

  public Heartbeat heartbeat(String note) {
    return Heartbeat.parse(network, textBy(sanctionKeys, note, clock.instant()));
  }

  /** Parses a heartbeat that was accepted at about the time that it states. */
  Heartbeat acceptedHeartbeat(String note) {
    long stated = Heartbeat.parse(network, SignedNote.parse(note).text()).atMillis();
    return Heartbeat.parse(network, textBy(sanctionKeys, note, Instant.ofEpochMilli(stated)));
  }

  private static String textBy(NoteKeys keys, String note, Instant at) {
    return keys.require(SignedNote.parse(note), at).text();
  }
}
