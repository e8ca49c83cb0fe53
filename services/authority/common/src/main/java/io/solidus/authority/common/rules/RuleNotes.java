package io.solidus.authority.common.rules;

import io.solidus.protocol.Heartbeat;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SignedNote;

/**
 * Parses signed notes and requires the signatures of their issuers.
 *
 * @param policyKey signs policies
 * @param sanctionKey signs checkpoints and heartbeats
 */
public record RuleNotes(NetworkId network, NoteKey policyKey, NoteKey sanctionKey) {

  /**
   * Parses a policy.
   *
   * @throws io.solidus.protocol.ProtocolException malformed-request, wrong-network or
   *     signature-invalid
   */
  public Policy policy(String note) {
    return Policy.parse(network, textBy(policyKey, note));
  }

  public SanctionCheckpoint checkpoint(String note) {
    return SanctionCheckpoint.parse(network, textBy(sanctionKey, note));
  }

  public Heartbeat heartbeat(String note) {
    return Heartbeat.parse(network, textBy(sanctionKey, note));
  }

  private static String textBy(NoteKey key, String note) {
    return SignedNote.parse(note).requireSignedBy(key).text();
  }
}
