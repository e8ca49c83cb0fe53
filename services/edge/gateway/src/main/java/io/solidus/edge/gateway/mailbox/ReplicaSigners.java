package io.solidus.edge.gateway.mailbox;

import io.solidus.networkkeys.NetworkProperties;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkServices;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SignedNote;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * The keys with which the authorities' replicas sign lists of mail tables: those of the network's
 * signed services in the folder of keys, which wallets use too, or those of the settings in a
 * network whose services name none. Gateways that exchange mail have a mailbox each, and so other
 * replicas: with those of another mailbox, wallets would have no list.
 */
@Component
class ReplicaSigners {
  private static final String FILE = "services.note";
  private static final int MAX_BYTES = 64 * 1024;

  /** In the order of the authorities; empty in a network without replicas. */
  private final List<NoteKey> keys;

  ReplicaSigners(
      NetworkProperties network,
      NetworkId id,
      MailTableProperties properties,
      ExchangeProperties exchange) {
    int replicas = properties.replicas().size();
    List<Ed25519PublicKey> named =
        replicas == 0 ? List.of() : named(network, id, properties, !exchange.peers().isEmpty());
    if (named.size() != replicas || named.stream().distinct().count() < replicas) {
      throw new IllegalStateException(
          "solidus.gateway.mail-tables.replicas: the network's services.note, or"
              + " solidus.gateway.mail-tables.replica-keys, has another key for each of them");
    }
    List<NoteKey> signers = new ArrayList<>();
    for (int i = 0; i < replicas; i++) {
      signers.add(new NoteKey(CommitteeMember.replicaName(i + 1), named.get(i)));
    }
    this.keys = List.copyOf(signers);
  }

  /**
   * The key of an authority's replica.
   *
   * @param authority 1 to N
   */
  NoteKey of(int authority) {
    return keys.get(authority - 1);
  }

  /** Whether this authority's replica has a key here. */
  boolean knows(int authority) {
    return authority >= 1 && authority <= keys.size();
  }

  private static List<Ed25519PublicKey> named(
      NetworkProperties network, NetworkId id, MailTableProperties properties, boolean exchanges) {
    Path file = network.keysDir().resolve(FILE);
    if (Files.exists(file)) {
      NetworkServices services = services(file, id, network.manifestKey());
      if (!services.replicas().isEmpty()) {
        requireOwnMailbox(services, properties.gateway(), exchanges);
        return services.replicasOf(URI.create(properties.gateway())).stream()
            .map(replica -> replica.lists())
            .toList();
      }
    }
    return properties.replicaKeys().stream().map(Ed25519PublicKey::fromBase64).toList();
  }

  private static void requireOwnMailbox(
      NetworkServices services, String gateway, boolean exchanges) {
    boolean several = services.replicas().size() > 1;
    if (exchanges && !several) {
      throw new IllegalStateException(
          "solidus.gateway.exchange.peers: the network's services.note names the replicas of one"
              + " mailbox, and gateways that exchange mail have one each");
    }
    if (several
        && services.gateways().stream().noneMatch(each -> each.toString().equals(gateway))) {
      throw new IllegalStateException(
          "solidus.gateway.mail-tables.gateway: the network's services.note names the replicas of"
              + " several mailboxes, so this is one of its gateways: "
              + services.gateways());
    }
  }

  private static NetworkServices services(Path file, NetworkId id, String manifestKey) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] note = in.readNBytes(MAX_BYTES + 1);
      if (note.length > MAX_BYTES) {
        throw ProtocolException.malformed("the note is too long");
      }
      NoteKey signer =
          new NoteKey(
              NetworkServices.SIGNER,
              new Ed25519PublicKey(Base64.getDecoder().decode(manifestKey)));
      return NetworkServices.parse(
          id,
          SignedNote.parse(new String(note, StandardCharsets.UTF_8))
              .requireSignedBy(signer)
              .text());
    } catch (IOException | ProtocolException e) {
      throw new IllegalStateException("the signed services in " + file + " cannot be used", e);
    }
  }
}
