package io.solidus.wallet.vectors;

import static io.solidus.wallet.vectors.Reference.hex;
import static io.solidus.wallet.vectors.VectorFile.in;
import static io.solidus.wallet.vectors.WalletVectors.NETWORK;
import static io.solidus.wallet.vectors.WalletVectors.PERIOD;
import static io.solidus.wallet.vectors.WalletVectors.element;
import static io.solidus.wallet.vectors.WalletVectors.uniform;

import io.solidus.protocol.Apk;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Makes the vectors of notes and of their texts. */
final class NoteVectors {
  private final VectorFile file;
  private final Apk apk;

  /**
   * @param apk of an attestation
   */
  NoteVectors(VectorFile file, Apk apk) {
    this.file = file;
    this.apk = apk;
  }

  void make() {
    notes();
    notesOfACommittee();
    texts();
  }

  private void notes() {
    byte[] root = element("root");
    List<byte[]> keys =
        List.of(Arrays.copyOf(element("listed, too"), 20), Arrays.copyOf(element("listed"), 20));
    byte[] list = Reference.listDigest(NETWORK, keys);
    Map<String, Object> in = in("network", NETWORK);
    in.put("keys", keys.stream().map(Reference::hex).toList());
    file.good("listDigest", "two keys", in, hex(list));
    String policy =
        text(
            "policy",
            "version: 3",
            "period: " + PERIOD,
            "max-per-transfer-minor: 100000",
            "max-per-period-minor: 500000",
            "max-held-minor: 1000000",
            "max-escrow-minor: 0",
            "max-transfers-per-period: 50",
            "mint-cap-per-day-minor: 100000000",
            "effective-at-millis: 1795000000000");
    in = in("network", NETWORK, "version", 3, "period", PERIOD);
    in.putAll(in("maxPerTransfer", 100_000, "maxPerPeriod", 500_000, "maxHeld", 1_000_000));
    in.putAll(in("maxEscrow", 0, "maxTransfersPerPeriod", 50, "mintCapPerDay", 100_000_000));
    in.put("effectiveAtMillis", "1795000000000");
    file.good("policyText", "policy", in, policy);
    String checkpoint =
        text(
            "sanction-checkpoint",
            "version: 9",
            "root: " + hex(root),
            "size: 2",
            "list-digest: " + hex(list),
            "published-at-millis: 1795000000000");
    in = in("network", NETWORK, "version", 9, "root", hex(root), "size", 2);
    in.putAll(in("listDigest", hex(list), "publishedAtMillis", 1_795_000_000_000L));
    file.good("checkpointText", "checkpoint", in, checkpoint);
    for (int authority : new int[] {1, 10}) {
      String name = "solidus-authority-" + authority;
      byte[] seed = uniform(name, 32);
      in = in("text", policy, "name", name, "seed", hex(seed), "authority", authority);
      file.good("note", name, in, Reference.note(policy, name, seed));
    }
  }

  /** A heartbeat's note, and the lines of the committee of {@link ReferenceCommittee} under it. */
  private void notesOfACommittee() {
    String text = text("heartbeat", "checkpoint-version: 9", "at-millis: 1795000000000");
    String head = text + "\n";
    String[] right = new String[ReferenceCommittee.N + 1];
    for (int i = 1; i <= ReferenceCommittee.N; i++) {
      right[i] = line(text, i);
    }
    String wrong = line(text.replace("9", "8"), 1);
    String stranger = Reference.noteLine(text, "somebody", uniform("somebody", 32));
    String noSignature = "\u2014 somebody AAAA\n";
    countersigned("two authorities", head + right[2] + right[4], text);
    countersigned("and a stranger", head + stranger + right[1] + right[3], text);
    countersigned("and a wrong line of a third", head + wrong + right[2] + right[3], text);
    untrusted("one authority", head + right[2]);
    untrusted("one authority twice", head + right[2] + right[2]);
    untrusted("an authority with a right and a wrong line", head + right[1] + wrong + right[2]);
    untrusted("one authority and a stranger", head + right[2] + stranger);
    untrusted("a line that is none", head + right[1] + right[2] + noSignature);
    untrusted("another text", head.replace("9", "8") + right[1] + right[2]);

    file.good(
        "readNote", "empty line in the text", in("note", "a\n\nb\n\n" + right[1]), "a\n\nb\n");
    String longest = "\u2014 a\ufeff " + base64(1028) + "\n";
    file.good("readNote", "signature of 1024 bytes", in("note", head + longest), text);
    file.good("readNote", "200 lines", in("note", lines(200)), "a\n");
    notNote("201 lines", lines(201));
    notNote("a line twice", head + right[1] + right[2] + right[1]);
    notNote("signature of 1025 bytes", head + "\u2014 a " + base64(1029) + "\n");
    notNote("no signature behind the hash", head + "\u2014 a " + base64(4) + "\n");
    notNote("no line", head);
    notNote("no empty line", text + right[1]);
    notNote("no line feed at the end", head + right[1].strip());
    notNote("carriage return", head.replace("\n", "\r\n") + right[1]);
    notNote("control character", head.replace("heartbeat", "heart\u0085beat") + right[1]);
    notNote("hyphen", head + right[1].replace('\u2014', '-'));
    notNote("two spaces", head + right[1].replace("\u2014 ", "\u2014  "));
    notNote("space at the end", head + right[1].replace("\n", " \n"));
    notNote("plus sign in a name", head + right[1].replace("authority", "+"));
    notNote("no-break space in a name", head + right[1].replace("authority", "\u00a0"));
    notNote("control character in a name", head + right[1].replace("authority", "\u0085"));
    notNote("no padding", head + right[1].replace("=", ""));
    notNote("unused bits", head + "\u2014 a " + "A".repeat(6) + "B=\n");
    notNote("base64 of section 5", head + "\u2014 a " + "_".repeat(8) + "\n");
  }

  /** A text with so many lines of different names. */
  private static String lines(int count) {
    return "a\n\n"
        + IntStream.range(0, count)
            .mapToObj(i -> "\u2014 a" + i + " " + base64(5) + "\n")
            .collect(Collectors.joining());
  }

  private static String base64(int length) {
    return Base64.getEncoder().encodeToString(uniform("signature", length));
  }

  private static String line(String text, int authority) {
    return Reference.noteLine(
        text, "solidus-authority-" + authority, ReferenceCommittee.noteSeed(authority));
  }

  private static Map<String, Object> countersigners(String note) {
    Map<String, Object> in = in("note", note);
    in.put(
        "keys",
        IntStream.rangeClosed(1, ReferenceCommittee.N)
            .mapToObj(i -> hex(ReferenceCommittee.noteKey(i)))
            .toList());
    return in;
  }

  private void countersigned(String name, String note, String text) {
    file.good("countersigned", name, countersigners(note), text);
  }

  private void untrusted(String name, String note) {
    file.bad("countersigned", name, countersigners(note), "rules-untrusted");
  }

  private void notNote(String name, String note) {
    file.bad("readNote", name, in("note", note), "malformed-request");
  }

  private void texts() {
    String heartbeat = text("heartbeat", "checkpoint-version: 9", "at-millis: 5");
    String tag = hex(uniform("person tag", 32));
    String key = apk.hex();
    String attestation =
        text(
            "attestation",
            "person-tag: " + tag,
            "register-core: " + hex(uniform("core", 32)),
            "apk: " + key,
            "issued-at-millis: 9223372036854775807");
    readText("heartbeat", "heartbeat", heartbeat);
    readText("attestation", "attestation", attestation);
    notText("another kind", "policy", heartbeat, "unknown-version");
    notText("another version", "heartbeat", heartbeat.replace("/v1", "/v2"), "unknown-version");
    String elsewhere = heartbeat.replace(NETWORK.value(), "solidus-else");
    notText("another network", "heartbeat", elsewhere, "wrong-network");
    malformed("a line more", heartbeat + "x: 1\n");
    malformed("a line less", heartbeat.replace("at-millis: 5\n", ""));
    malformed("another order", text("heartbeat", "at-millis: 5", "checkpoint-version: 9"));
    malformed("no line feed at the end", heartbeat.strip());
    malformed("empty line", heartbeat + "\n");
    malformed("leading zero", heartbeat.replace(": 5", ": 05"));
    malformed("sign", heartbeat.replace(": 5", ": +5"));
    malformed("negative", heartbeat.replace(": 5", ": -5"));
    malformed("2^63", heartbeat.replace(": 5", ": 9223372036854775808"));
    malformed("version 0", heartbeat.replace(": 9", ": 0"));
    malformed("no space", heartbeat.replace(": 5", ":5"));
    malformed("two spaces", heartbeat.replace(": 5", ":  5"));
    malformed("other digits", heartbeat.replace(": 5", ": \u0665"));
    String zero = attestation.replace(key, "00".repeat(32));
    notText("apk of zero", "attestation", zero, "malformed-request");
    String beyond = attestation.replace(key, "ff".repeat(32));
    notText("apk of r or more", "attestation", beyond, "malformed-request");
    String capitals = attestation.replace(tag, tag.toUpperCase(Locale.ROOT));
    notText("capitals", "attestation", capitals, "malformed-request");
    String shorter = attestation.replace(tag, tag.substring(2));
    notText("31 bytes", "attestation", shorter, "malformed-request");
    services();
  }

  private void services() {
    String key = hex(uniform("tls key", 32));
    String services =
        text(
            "services",
            "version: 3",
            "currency: KWD",
            "gateways: https://pay.example https://pay-2.example:8443/solidus",
            "registration: https://registration.example",
            "sanctions: https://sanctions.example/",
            "issuance: https://desk.example",
            "redemption-key: " + hex(uniform("redemption key", 32)),
            "tls-keys: " + key + " " + hex(uniform("next tls key", 32)));
    readText("services", "services", services);
    notServices("services, plain http", services.replace("https://pay-2", "http://pay-2"));
    notServices("services, user", services.replace("https://desk", "https://bank@desk"));
    notServices("services, query", services.replace("desk.example", "desk.example?a=b"));
    notServices("services, fragment", services.replace("desk.example", "desk.example#a"));
    notServices("services, capitals in a host", services.replace("desk.example", "Desk.example"));
    notServices("services, empty label", services.replace("desk.example", "desk..example"));
    notServices("services, number as last label", services.replace("desk.example", "10.0.0.1"));
    notServices("services, no host", services.replace("desk.example", "/example"));
    notServices("services, port 0", services.replace(":8443", ":0"));
    notServices("services, port 65536", services.replace(":8443", ":65536"));
    notServices("services, escape in a path", services.replace("/solidus", "/%41"));
    notServices("services, two spaces", services.replace(" https://pay-2", "  https://pay-2"));
    notServices("services, no gateway", services.replaceFirst("gateways: .*\n", "gateways: \n"));
    notServices("services, no key", services.replaceFirst("tls-keys: .*\n", "tls-keys: \n"));
    notServices("services, 101 keys", services.replace(key, (key + " ").repeat(99) + key));
    notServices("services, capitals in a key", services.replace(key, key.toUpperCase(Locale.ROOT)));
    notServices("services, version 0", services.replace("version: 3", "version: 0"));
    notServices("services, currency", services.replace("KWD", "kwd"));
    String relay =
        "relay: https://relay.example/v1/ohttp\nrelay-key: 010020"
            + encryptionKey("relay")
            + "000400010001\n";
    String[] replicas =
        IntStream.rangeClosed(1, ReferenceCommittee.N)
            .mapToObj(i -> encryptionKey("replica " + i) + hex(uniform("lists " + i, 32)))
            .toArray(String[]::new);
    String keys = "replica-keys: " + String.join(" ", replicas) + "\n";
    readText("services, bits", "services", services + "mailbox-bits: 6\n");
    readText("services, relay", "services", services + relay);
    readText("services, replicas", "services", services + keys);
    readText("services, all lines", "services", services + "mailbox-bits: 1\n" + relay + keys);
    notServices("services, bits 7", services + "mailbox-bits: 7\n");
    notServices("services, bits 0", services + "mailbox-bits: 0\n");
    notServices(
        "services, relay without a key", services + relay.replaceFirst("relay-key.*\n", ""));
    notServices("services, relay, other algorithms", services + relay.replace("0001\n", "0002\n"));
    notServices("services, another order", services + keys + relay);
    notServices("services, replicas twice", services + keys + keys);
    notServices("services, three replicas", services + keys.replace(" " + replicas[3], ""));
    notServices("services, five replicas", services + keys.replace("\n", " " + replica5() + "\n"));
    notServices(
        "services, one key for shares of two replicas",
        services + keys.replace(replicas[1].substring(0, 64), replicas[0].substring(0, 64)));
    notServices(
        "services, one key for lists of two replicas",
        services + keys.replace(replicas[1].substring(64), replicas[0].substring(64)));
    notServices(
        "services, replica with a key of small order",
        services + keys.replace(replicas[1].substring(0, 64), "00".repeat(32)));
    notServices("services, replica with half a key", services + keys.replace(replicas[1], key));
    String first = services.replaceFirst("(?s).*\ngateways: (\\S+).*", "$1");
    String second = services.replaceFirst("(?s).*\ngateways: \\S+ (\\S+).*", "$1");
    String[] others =
        IntStream.rangeClosed(1, ReferenceCommittee.N)
            .mapToObj(i -> encryptionKey("other " + i) + hex(uniform("other lists " + i, 32)))
            .toArray(String[]::new);
    String two = "replica-keys: " + group(first, replicas) + " " + group(second, others) + "\n";
    readText("services, two mailboxes", "services", services + two);
    notServices("services, mailbox of one gateway", services + two.replace(" " + second, ""));
    notServices(
        "services, gateway without replicas",
        services + "replica-keys: " + group(first, replicas) + "\n");
    notServices("services, gateway twice", services + two.replace(second, first));
    notServices(
        "services, gateway twice in the note",
        services.replaceFirst("gateways: (\\S+) ", "gateways: $1 $1 ")
            + two.replace(" " + second, " " + first + " " + second));
    notServices("services, another gateway", services + two.replace(second, second + "a"));
    notServices(
        "services, mailboxes of different committees", services + two.replace(" " + others[3], ""));
    notServices(
        "services, one replica of two mailboxes", services + two.replace(others[3], replicas[3]));
    notServices(
        "services, gateway behind the keys", services + two.replace("\n", " " + first + "\n"));
  }

  private static String group(String gateway, String... replicas) {
    return gateway + " " + String.join(" ", replicas);
  }

  private static String replica5() {
    return encryptionKey("replica 5") + hex(uniform("lists 5", 32));
  }

  /** A number below 2^255 - 19, little endian. */
  private static String encryptionKey(String name) {
    byte[] key = uniform(name, 32);
    key[31] &= 0x3f;
    return hex(key);
  }

  private void notServices(String name, String services) {
    notText(name, "services", services, "malformed-request");
  }

  private void readText(String name, String kind, String text) {
    file.good("readText", name, in("network", NETWORK, "kind", kind, "text", text), text);
  }

  private void malformed(String name, String heartbeat) {
    notText(name, "heartbeat", heartbeat, "malformed-request");
  }

  private void notText(String name, String kind, String text, String code) {
    file.bad("readText", name, in("network", NETWORK, "kind", kind, "text", text), code);
  }

  private static String text(String kind, String... lines) {
    return "solidus/" + kind + "/v1\n" + NETWORK + "\n" + String.join("\n", lines) + "\n";
  }
}
