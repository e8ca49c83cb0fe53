package io.solidus.loadtest.forge;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionList;
import io.solidus.protocol.SignedNote;
import io.solidus.prover.Limits;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.gateway.RestClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;

/**
 * The rules of a running platform, from its gateway. They are refused unless f+1 authorities of the
 * given keys countersigned them, so that no pool is forged for another committee.
 *
 * @param list 20-byte keys, ascending
 */
public record PublishedRules(
    NetworkId network, Policy policy, SanctionCheckpoint checkpoint, SanctionList list) {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /**
   * Fetches the rules.
   *
   * @throws ForgeException when they are not countersigned by this committee, or the list does not
   *     match its checkpoint
   */
  public static PublishedRules fetch(URI gateway, Committee committee) {
    try (HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      GatewayClient client =
          new GatewayClient(new RestClient(http, gateway, "the gateway", PATIENCE));
      NetworkId network = committee.network();
      Policy policy = Policy.parse(network, text(committee, client.policyNote(), "policy"));
      SanctionCheckpoint checkpoint =
          SanctionCheckpoint.parse(
              network, text(committee, client.checkpointNote(), "sanction checkpoint"));
      SanctionList list = SanctionList.fromBytes(client.sanctionList(checkpoint.version()));
      if (!list.digest(network).equals(checkpoint.listDigest())) {
        throw new ForgeException("the sanction list is not the one that its checkpoint names");
      }
      return new PublishedRules(network, policy, checkpoint, list);
    } catch (ProtocolException e) {
      throw new ForgeException("the rules of the gateway cannot be used: " + e.detail(), e);
    }
  }

  private static String text(Committee committee, String note, String what) {
    SignedNote signed = SignedNote.parse(note);
    long countersigned =
        committee.members().stream().filter(member -> signedBy(signed, member)).count();
    if (countersigned < committee.weakQuorum()) {
      throw new ForgeException(
          "the "
              + what
              + " carries "
              + countersigned
              + " countersignatures of these keys' committee; "
              + committee.weakQuorum()
              + " are needed: the platform uses other keys");
    }
    return signed.text();
  }

  private static boolean signedBy(SignedNote note, CommitteeMember member) {
    try {
      return !note.verifiedBy(List.of(member.countersigner())).isEmpty();
    } catch (ProtocolException e) {
      return false;
    }
  }

  /** The rules of a series without withdrawals. */
  public TransferRules rules() {
    return new TransferRules(
        policy.version(),
        checkpoint.version(),
        policy.period(),
        Limits.of(policy),
        checkpoint.root(),
        Amount.ZERO);
  }
}
