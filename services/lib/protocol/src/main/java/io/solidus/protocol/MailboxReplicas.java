package io.solidus.protocol;

import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The replicas of one mailbox: the database of one gateway, or of several that share it. Gateways
 * that exchange mail have a mailbox each, with tables of its own.
 *
 * @param gateways that have this mailbox, as the network's services name them; empty where all of
 *     the network's gateways have it
 * @param keys in the order of their authorities
 */
@Spec("F-64")
public record MailboxReplicas(List<URI> gateways, List<MailReplica> keys) {
  private static final int MIN_COMMITTEE = 4;

  /**
   * @throws ProtocolException malformed-request unless there is one replica for each of 3f+1
   *     authorities
   */
  public MailboxReplicas {
    gateways = List.copyOf(gateways);
    keys = List.copyOf(keys);
    if (keys.size() < MIN_COMMITTEE
        || keys.size() > Committee.MAX_MEMBERS
        || keys.size() % 3 != 1) {
      throw ProtocolException.malformed("the replicas are those of 3f+1 authorities");
    }
  }

  String text() {
    return Stream.concat(
            gateways.stream().map(URI::toString), keys.stream().map(one -> Bytes.hex(one.bytes())))
        .collect(Collectors.joining(" "));
  }
}
