package io.solidus.protocol;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
 * @param replicas of the mailbox, in the order of their authorities; empty where the network has
 *     none
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
    List<MailReplica> replicas) {
  /** The name of the manifest's key as a signer of this note. */
  public static final String SIGNER = "solidus-services";

  private static final String KIND = "services";
  private static final String MAILBOX_BITS = "mailbox-bits";
  private static final String RELAY = "relay";
  private static final String RELAY_KEY = "relay-key";
  private static final String REPLICA_KEYS = "replica-keys";
  private static final int MAX_ENTRIES = 100;
  private static final int MIN_COMMITTEE = 4;
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
    requireReplicas(replicas);
  }

  /** One for each of 3f+1 authorities. With one key twice, one replica would count for two. */
  private static void requireReplicas(List<MailReplica> replicas) {
    int n = replicas.size();
    if (n == 0) {
      return;
    }
    if (n < MIN_COMMITTEE
        || n > Committee.MAX_MEMBERS
        || n % 3 != 1
        || replicas.stream().map(MailReplica::lists).distinct().count() < n
        || replicas.stream().map(MailReplica::shares).distinct().count() < n) {
      throw ProtocolException.malformed("the replicas are those of 3f+1 authorities");
    }
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
      note.line(REPLICA_KEYS, joined(replicas, one -> Bytes.hex(one.bytes())));
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
            in.has(REPLICA_KEYS)
                ? split(in.string(REPLICA_KEYS))
                    .map(hex -> MailReplica.of(Bytes.fromHex(hex, "a replica's keys")))
                    .toList()
                : List.of());
    in.end();
    if (!services.toNoteText(network).equals(text)) {
      throw ProtocolException.malformed("the services of a network are not in their one form");
    }
    return services;
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
