package io.solidus.protocol;

import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The public services of a network, in a note that the key of the network's manifest signs.
 *
 * @param version 1, 2, ...: never reused
 * @param gateways base URLs, at least one; the first is a wallet's choice unless its owner has
 *     another
 * @param redemptionKey X25519 key that payout instructions are sealed to
 * @param tlsKeys SHA-256 of the public keys (SubjectPublicKeyInfo) of the services' certificates,
 *     also of the next ones; at least one
 * @param mailboxBits of an address that a {@link MailboxBucket} tells, 0 to 6; a note without this
 *     line has 0
 * @param relay through which wallets reach the gateways; empty where the network has none
 * @param replicas of each mailbox; empty where the network has none
 */
@Spec("F-30")
public record NetworkServices(
    long version,
    CurrencyCode currency,
    List<URI> gateways,
    URI registration,
    URI sanctions,
    URI issuance,
    EncryptionKey redemptionKey,
    List<Digest32> tlsKeys,
    int mailboxBits,
    Optional<Relay> relay,
    List<MailboxReplicas> replicas) {
  /** The name of the manifest's key as a signer of this note. */
  public static final String SIGNER = "solidus-services";

  private static final String KIND = "services";
  private static final String MAILBOX_BITS = "mailbox-bits";
  private static final String RELAY = "relay";
  private static final String RELAY_KEY = "relay-key";
  private static final String REPLICA_KEYS = "replica-keys";
  private static final int MAX_ENTRIES = 100;
  private static final String SCHEME = "https://";
  private static final int MAX_PORT = 65_535;
  private static final Pattern ADDRESS =
      Pattern.compile(
          "https://([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)*[a-z]([a-z0-9-]*[a-z0-9])?"
              + "(:[1-9][0-9]{0,4})?(/[A-Za-z0-9._~/-]*)?");

  public NetworkServices {
    gateways = List.copyOf(gateways);
    tlsKeys = List.copyOf(tlsKeys);
    replicas = List.copyOf(replicas);
    if (version < 1
        || gateways.isEmpty()
        || gateways.size() > MAX_ENTRIES
        || tlsKeys.isEmpty()
        || tlsKeys.size() > MAX_ENTRIES
        || mailboxBits < 0
        || mailboxBits > MailboxBucket.MAX_BITS) {
      throw ProtocolException.malformed("the services of a network are out of range");
    }
    gateways.forEach(NetworkServices::requireAddress);
    requireAddress(registration);
    requireAddress(sanctions);
    requireAddress(issuance);
    relay.ifPresent(one -> requireAddress(one.address()));
    requireReplicas(gateways, replicas);
  }

  /** A key that is there twice would let one replica count for two, or sign for two mailboxes. */
  private static void requireReplicas(List<URI> gateways, List<MailboxReplicas> replicas) {
    List<MailReplica> all = replicas.stream().flatMap(each -> each.keys().stream()).toList();
    List<URI> named = replicas.stream().flatMap(each -> each.gateways().stream()).toList();
    boolean everyGateway =
        replicas.size() <= 1
            ? named.isEmpty()
            : replicas.stream().noneMatch(each -> each.gateways().isEmpty())
                && named.size() == gateways.size()
                && named.stream().distinct().count() == named.size()
                && Set.copyOf(named).equals(Set.copyOf(gateways));
    if (!everyGateway
        || replicas.stream().map(each -> each.keys().size()).distinct().count() > 1
        || all.stream().map(MailReplica::lists).distinct().count() < all.size()
        || all.stream().map(MailReplica::shares).distinct().count() < all.size()) {
      throw ProtocolException.malformed(
          "each gateway has the replicas of one mailbox, and no two replicas have a key together");
    }
  }

  /**
   * The replicas of a gateway's mailbox, in the order of their authorities; empty in a network
   * without replicas.
   *
   * @throws ProtocolException malformed-request for a gateway that none of several mailboxes names:
   *     a wallet that took it for one without replicas would read without them and not notice
   */
  public List<MailReplica> replicasOf(URI gateway) {
    if (replicas.isEmpty()) {
      return List.of();
    }
    return replicas.stream()
        .filter(each -> each.gateways().isEmpty() || each.gateways().contains(gateway))
        .findFirst()
        .orElseThrow(() -> ProtocolException.malformed(gateway + " is in no group of the replicas"))
        .keys();
  }

  public String toNoteText(NetworkId network) {
    NoteText.Writer note =
        NoteText.write(KIND, network)
            .line("version", version)
            .line("currency", currency.value())
            .line("gateways", joined(gateways, URI::toString))
            .line("registration", registration.toString())
            .line("sanctions", sanctions.toString())
            .line("issuance", issuance.toString())
            .line("redemption-key", Bytes.hex(redemptionKey.bytes()))
            .line("tls-keys", joined(tlsKeys, Digest32::hex));
    if (mailboxBits > 0) {
      note.line(MAILBOX_BITS, mailboxBits);
    }
    relay.ifPresent(one ->
        note.line(RELAY, one.address().toString()).line(RELAY_KEY, Bytes.hex(one.key().bytes())));
    if (!replicas.isEmpty()) {
      note.line(REPLICA_KEYS, joined(replicas, MailboxReplicas::text));
    }
    return note.text();
  }

  public static NetworkServices parse(NetworkId network, String text) {
    NoteText.Reader in = NoteText.read(KIND, network, text);
    NetworkServices services =
        new NetworkServices(
            in.number("version"),
            new CurrencyCode(in.string("currency")),
            split(in.string("gateways")).map(NetworkServices::uri).toList(),
            uri(in.string("registration")),
            uri(in.string("sanctions")),
            uri(in.string("issuance")),
            new EncryptionKey(in.hex("redemption-key")),
            split(in.string("tls-keys"))
                .map(hex -> Digest32.of(Bytes.fromHex(hex, "a key's digest")))
                .toList(),
            in.has(MAILBOX_BITS) ? in.smallNumber(MAILBOX_BITS) : 0,
            in.has(RELAY)
                ? Optional.of(new Relay(uri(in.string(RELAY)), ObliviousKey.of(in.hex(RELAY_KEY))))
                : Optional.empty(),
            in.has(REPLICA_KEYS) ? replicas(in.string(REPLICA_KEYS)) : List.of());
    in.end();
    if (!services.toNoteText(network).equals(text)) {
      throw ProtocolException.malformed("the services of a network are not in their one form");
    }
    return services;
  }

  /** Groups of a mailbox's gateways, which may be left out in the only one, and its replicas. */
  private static List<MailboxReplicas> replicas(String values) {
    List<MailboxReplicas> groups = new ArrayList<>();
    List<URI> gateways = new ArrayList<>();
    List<MailReplica> keys = new ArrayList<>();
    for (String value : split(values).toList()) {
      if (!value.startsWith(SCHEME)) {
        keys.add(MailReplica.of(Bytes.fromHex(value, "a replica's keys")));
      } else {
        if (!keys.isEmpty()) {
          groups.add(new MailboxReplicas(gateways, keys));
          gateways.clear();
          keys.clear();
        }
        gateways.add(uri(value));
      }
    }
    groups.add(new MailboxReplicas(gateways, keys));
    return groups;
  }

  private static <T> String joined(List<T> values, Function<T, String> text) {
    return values.stream().map(text).collect(Collectors.joining(" "));
  }

  private static Stream<String> split(String values) {
    return Arrays.stream(values.split(" ", -1));
  }

  private static URI uri(String text) {
    if (!ADDRESS.matcher(text).matches()) {
      throw notAnAddress();
    }
    return URI.create(text);
  }

  private static void requireAddress(URI address) {
    if (!ADDRESS.matcher(address.toString()).matches() || address.getPort() > MAX_PORT) {
      throw notAnAddress();
    }
  }

  private static ProtocolException notAnAddress() {
    return ProtocolException.malformed("a service has an address of the form https://HOST");
  }
}
