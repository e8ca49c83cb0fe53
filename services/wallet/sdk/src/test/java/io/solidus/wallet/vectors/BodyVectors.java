package io.solidus.wallet.vectors;

import static io.solidus.wallet.vectors.Reference.base64Url;
import static io.solidus.wallet.vectors.Reference.hex;
import static io.solidus.wallet.vectors.Reference.utf8;
import static io.solidus.wallet.vectors.VectorFile.in;
import static io.solidus.wallet.vectors.WalletVectors.NETWORK;
import static io.solidus.wallet.vectors.WalletVectors.element;
import static io.solidus.wallet.vectors.WalletVectors.uniform;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the vectors of bodies, receipts and the key manifest. */
final class BodyVectors {
  private final VectorFile file;
  private final SignedTransfer transfer;
  private final String committee = Json.text(ReferenceCommittee.json());

  BodyVectors(VectorFile file, SignedTransfer transfer) {
    this.file = file;
    this.transfer = transfer;
  }

  void make() {
    statements();
    requests();
    receipts();
    manifest();
  }

  // F-15, F-16

  private void statements() {
    String good = transfer.statement();
    read("as written", good);
    String rest = good.substring("{\"family\":3,".length(), good.length() - 1);
    read("white space and another order", " {\n" + rest + "\t,\r\"family\" : 3 } ");
    for (String[] change :
        new String[][] {
          {"unknown member", "{", "{\"other\":1,"},
          {"repeated member", "{", "{\"family\":3,"},
          {"missing member", ",\"withdrawnMinor\":1500", ""},
          {"null member", "1500", "null"},
          {"capital in a name", "\"family\"", "\"Family\""},
          {"number as a text", "1500", "\"1500\""},
          {"text as a number", "\"context\":\"", "\"context\":1,\"x\":\""},
          {"fraction", "1500", "1500.0"},
          {"exponent", "1500", "15e2"},
          {"sign", "1500", "-1500"},
          {"leading zero", "1500", "01500"},
          {"2^63", "1500", "9223372036854775808"},
          {"period of 2^31", "202611", "2147483648"},
          {"family 1", ":3,", ":1,"},
          {"family of other serial numbers", ":3,", ":4,"},
          {"family 5", ":3,", ":5,"},
          {"comma behind the last member", "\"}", "\",}"},
        }) {
      int at = good.indexOf(change[1]);
      String behind = good.substring(at + change[1].length());
      notRead(change[0], good.substring(0, at) + change[2] + behind);
    }
    notRead("text behind", good + "x");
    notRead("a second object", good + "{}");
    notRead("a list", "[" + good + "]");
    notRead("nothing", "");
    String context = base64Url(element("no context"));
    String member = "\"context\":\"";
    String start = good.substring(0, good.indexOf(member) + member.length());
    notRead("padding", start + context + "=\"}");
    notRead("alphabet of section 4", start + "+" + context.substring(1) + "\"}");
    // the last of the 43 characters has two unused bits, and the next letter sets one of them
    notRead("unused bits", start + "A".repeat(42) + "B\"}");
    notRead("31 bytes", start + context.substring(0, 42) + "\"}");
    String serials = good.substring(good.indexOf('[') + 1, good.indexOf(']'));
    String[] each = serials.split(",", -1);
    notRead("serial number of r or more", good.replace(each[0], '"' + "_".repeat(42) + "8\""));
    notRead("two serial numbers", good.replace(serials, each[0] + "," + each[1]));
    notRead("serial number null", good.replace(each[0], "null"));
    file.bad(
        "readStatement",
        "serial number twice",
        in("network", NETWORK, "text", good.replace(each[1], each[0])),
        "serials-not-distinct");
    String k = base64Url(transfer.outputs().getFirst().k().bytes());
    file.bad(
        "readStatement",
        "identity as k",
        in("network", NETWORK, "text", good.replace(k, "A".repeat(128))),
        "identity-point");
    notRead("coordinate of q or more", good.replace(k, "_" + k.substring(1)));
  }

  private void read(String name, String text) {
    Map<String, Object> in = in("network", NETWORK, "text", text);
    file.good("readStatement", name, in, hex(transfer.core()));
  }

  private void notRead(String name, String text) {
    file.bad("readStatement", name, in("network", NETWORK, "text", text), "malformed-request");
  }

  // F-17, F-18

  private Map<String, @Nullable Object> evidenceJson() {
    List<Map<String, @Nullable Object>> shows = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      String name = "show " + i;
      shows.add(
          Json.object("h", point(name + " h"), "m", point(name + " m"), "s", point(name + " s")));
    }
    return Json.object(
        "policyVersion",
        3,
        "checkpointVersion",
        9,
        "circuitVersion",
        1,
        "rk",
        base64Url(WalletVectors.keyPoint("rk")),
        "shows",
        shows,
        "proof",
        base64Url(uniform("proof", 704)),
        "rkSignature",
        base64Url(uniform("rk signature", 96)));
  }

  private static String point(String name) {
    return base64Url(ReferenceCurve.G1.power(new BigInteger(1, element(name))).bytes());
  }

  private Map<String, @Nullable Object> request() {
    return Json.object(
        "statement",
        Json.read(transfer.statement()),
        "evidence",
        evidenceJson(),
        "attachments",
        Json.object(
            "payoutBlock",
            base64Url(transfer.payoutBlock()),
            "memoBlock",
            base64Url(transfer.memoBlock())));
  }

  private void requests() {
    String core = hex(transfer.core());
    file.good("transferRequest", "no certificate", body(request()), core);
    file.good("transferRequest", "empty certificate", body(certified(List.of())), core);
    List<Map<String, @Nullable Object>> two = List.of(transfer.partial(2), transfer.partial(4));
    file.good("transferRequest", "certificate", body(certified(two)), core);
    notRequest("certificate null", Json.with(request(), "certificate", null));
    notRequest("one authority twice", certified(List.of(transfer.partial(2), transfer.partial(2))));
    for (int authority : new int[] {0, 101}) {
      notRequest(
          "authority " + authority,
          certified(List.of(Json.with(transfer.partial(2), "authority", authority))));
    }
    Map<String, @Nullable Object> shorter =
        Json.with(transfer.partial(2), "vote", base64Url(uniform("vote", 63)));
    notRequest("vote of 63 bytes", certified(List.of(shorter)));
    Map<String, @Nullable Object> onePoint =
        Json.with(transfer.partial(2), "points", List.of(point("one")));
    notRequest("one point for two outputs", certified(List.of(onePoint)));
    Map<String, @Nullable Object> proof =
        Json.with(evidenceJson(), "proof", base64Url(uniform("proof", 672)));
    notRequest("proof of another family", Json.with(request(), "evidence", proof));
    List<?> shows = (List<?>) evidenceJson().get("shows");
    Map<String, @Nullable Object> fewer = Json.with(evidenceJson(), "shows", shows.subList(1, 3));
    notRequest("two shows", Json.with(request(), "evidence", fewer));
  }

  private Map<String, @Nullable Object> certified(List<Map<String, @Nullable Object>> partials) {
    return Json.with(request(), "certificate", partials);
  }

  private static Map<String, Object> body(Map<String, @Nullable Object> request) {
    return in("network", NETWORK, "body", Json.text(request));
  }

  private void notRequest(String name, Map<String, @Nullable Object> request) {
    file.bad("transferRequest", name, body(request), "malformed-request");
  }

  // F-23

  private void receipts() {
    List<Map<String, @Nullable Object>> votes =
        List.of(transfer.partial(1), transfer.partial(3), transfer.partial(4));
    Map<String, @Nullable Object> good =
        Json.object(
            "format",
            "solidus/receipt/v1",
            "networkId",
            NETWORK.value(),
            "statement",
            Json.read(transfer.statement()),
            "votes",
            votes,
            "coin",
            transfer.coin());
    file.good("receipt", "payment", receiptInputs(good), hex(transfer.core()));
    notReceipt("format", Json.with(good, "format", "solidus/receipt/v2"));
    notReceipt("unknown member", Json.with(good, "core", hex(transfer.core())));
    notReceipt("network", Json.with(good, "networkId", "solidus-else"));
    Map<String, @Nullable Object> spoiled =
        Json.with(transfer.partial(4), "vote", base64Url(uniform("vote", 64)));
    notReceipt(
        "two votes",
        Json.with(
            good,
            "votes",
            List.of(transfer.partial(1), transfer.partial(1), transfer.partial(3), spoiled)));
    notReceipt(
        "a vote of an epoch that the manifest does not know",
        Json.with(
            good,
            "votes",
            List.of(
                transfer.partial(1),
                transfer.partial(3),
                transfer.partial(4, transfer.core(), ReferenceCommittee.EPOCH - 1))));
    notCoin("another amount", good, "valueMinor", 2_501);
    notCoin("another origin", good, "origin", 2);
    notCoin("another payee", good, "apk", base64Url(element("another payee")));
    notCoin("another secret", good, "s", base64Url(element("another secret")));
  }

  private Map<String, Object> receiptInputs(Map<String, @Nullable Object> receipt) {
    return in("network", NETWORK, "committee", committee, "receipt", Json.text(receipt));
  }

  private void notReceipt(String name, Map<String, @Nullable Object> receipt) {
    file.bad("receipt", name, receiptInputs(receipt), "receipt-invalid");
  }

  private void notCoin(
      String name, Map<String, @Nullable Object> receipt, String member, Object value) {
    notReceipt(name, Json.with(receipt, "coin", Json.with(transfer.coin(), member, value)));
  }

  // F-29

  private void manifest() {
    byte[] pinned = uniform("manifest key", 32);
    String good = manifest(ReferenceCommittee.json());
    String digest = hex(Reference.sha256(utf8(good)));
    file.good("manifest", "development", manifestInputs(good, pinned), digest);
    notManifest("another key", manifestInputs(good, uniform("another key", 32)));
    Map<String, Object> changed = manifestInputs(good, pinned);
    changed.put("manifest", good.replace("vectors of", "Vectors of"));
    notManifest("changed", changed);
    Map<String, @Nullable Object> committee = ReferenceCommittee.json();
    List<?> members = (List<?>) committee.get("members");
    notManifest(
        "members in another order",
        manifestInputs(manifest(Json.with(committee, "members", members.reversed())), pinned));
    String wrong = hex(ReferenceCommittee.publicX(1).bytes());
    notManifest(
        "a key that is not the members'",
        manifestInputs(manifest(Json.with(committee, "x", wrong)), pinned));
  }

  private static String manifest(Map<String, @Nullable Object> committee) {
    List<Map<String, @Nullable Object>> circuits =
        List.of("transfer", "register", "mint", "recover").stream()
            .map(BodyVectors::circuit)
            .toList();
    return Json.text(
        Json.object(
            "format",
            "solidus/keys/v1",
            "networkId",
            NETWORK.value(),
            "kind",
            "regulated",
            "class",
            "development",
            "provenance",
            "vectors of docs/spec/08-formats.md",
            "createdAt",
            "2026-11-01T00:00:00Z",
            "circuits",
            circuits,
            "committee",
            committee));
  }

  private static Map<String, @Nullable Object> circuit(String name) {
    return Json.object(
        "name",
        name,
        "version",
        1,
        "r1csSha256",
        hex(uniform(name, 32)),
        "constraints",
        1000,
        "publicInputs",
        10,
        "provingKey",
        keyFile(name + ".pk"),
        "verifyingKey",
        keyFile(name + ".vk"));
  }

  private static Map<String, @Nullable Object> keyFile(String name) {
    return Json.object("file", name, "size", 8_000_000, "sha256", hex(uniform(name, 32)));
  }

  private static Map<String, Object> manifestInputs(String manifest, byte[] signer) {
    Map<String, Object> in = in("network", NETWORK, "kind", "regulated", "manifest", manifest);
    in.put("classes", List.of("development"));
    in.put("manifestKey", hex(Reference.ed25519Key(uniform("manifest key", 32))));
    in.put("signature", hex(Reference.ed25519(signer, utf8(manifest))) + "\n");
    return in;
  }

  private void notManifest(String name, Map<String, Object> in) {
    file.bad("manifest", name, in, "manifest-untrusted");
  }
}
