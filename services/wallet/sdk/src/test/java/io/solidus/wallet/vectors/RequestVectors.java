package io.solidus.wallet.vectors;

import static io.solidus.wallet.vectors.Reference.ascii;
import static io.solidus.wallet.vectors.Reference.hex;
import static io.solidus.wallet.vectors.Reference.join;
import static io.solidus.wallet.vectors.Reference.u64;
import static io.solidus.wallet.vectors.Reference.utf8;
import static io.solidus.wallet.vectors.VectorFile.in;

import io.solidus.protocol.Bech32m;
import io.solidus.protocol.NetworkId;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Makes the vectors of payment requests. */
final class RequestVectors {
  private static final NetworkId NETWORK = WalletVectors.NETWORK;
  private static final byte[] SECRET = Reference.sha256(ascii("a merchant's key"));
  private static final String ID = "000102030405060708090a0b0c0d0e0f";
  private static final String TAG = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";
  private static final long EXPIRES = 1_795_000_000_000L;

  private final VectorFile file;
  private final byte[] apk;
  private final byte[] key;
  private final String payee;
  private final byte[] otherApk;
  private final byte[] otherKey;

  RequestVectors(VectorFile file, byte[] apk, byte[] key, byte[] otherApk, byte[] otherKey) {
    this.file = file;
    this.apk = apk;
    this.key = key;
    this.payee = address("");
    this.otherApk = otherApk;
    this.otherKey = otherKey;
  }

  /** The fields of a request by type. */
  private static final class Fields {
    private final Map<Integer, byte[]> values = new TreeMap<>();

    Fields with(int type, byte[] value) {
      Fields copy = new Fields();
      copy.values.putAll(values);
      copy.values.put(type, value);
      return copy;
    }

    Fields without(int type) {
      Fields copy = new Fields();
      copy.values.putAll(values);
      copy.values.remove(type);
      return copy;
    }

    byte[] bytes() {
      byte[] out = join(new byte[] {1}, tag(NETWORK));
      for (Map.Entry<Integer, byte[]> field : values.entrySet()) {
        out = join(out, field(field.getKey(), field.getValue()));
      }
      return out;
    }

    String text() {
      return uri(bytes());
    }
  }

  void make() {
    String refund = Reference.address(Reference.addressBody(NETWORK, otherApk, otherKey, ""));
    Fields all =
        new Fields()
            .with(1, join(apk, key))
            .with(2, u64(1_250))
            .with(3, ascii("EUR"))
            .with(4, u64(EXPIRES))
            .with(5, HexFormat.of().parseHex(ID))
            .with(6, HexFormat.of().parseHex(TAG))
            .with(7, utf8("Bücher, 2 Stück"))
            .with(8, join(otherApk, otherKey));
    Map<String, Object> inputs = new LinkedHashMap<>();
    inputs.put("network", NETWORK);
    inputs.put("payee", payee);
    written("payee alone", new Fields().with(1, join(apk, key)), inputs);
    inputs.put("amount", 1_250);
    inputs.put("currency", "EUR");
    written(
        "amount",
        new Fields().with(1, all.values.get(1)).with(2, u64(1_250)).with(3, ascii("EUR")),
        inputs);
    inputs.put("expires", EXPIRES);
    inputs.put("id", ID);
    inputs.put("tag", TAG);
    inputs.put("label", "Bücher, 2 Stück");
    inputs.put("refund", refund);
    written("every field", all, inputs);
    inputs.put("secret", hex(SECRET));
    written("every field, signed", signed(all), inputs);

    String shown =
        String.join(
            "\n",
            "payee " + payee,
            "amount 1250",
            "currency EUR",
            "expires " + EXPIRES,
            "id " + ID,
            "tag " + TAG,
            "label Bücher, 2 Stück",
            "refund " + refund);
    String text = all.text();
    read("every field", text, shown);
    read("capitals", text.toUpperCase(Locale.ROOT), shown);
    read("without the scheme", text.substring(4), shown);
    read("scheme in capitals", "SLD:" + text.substring(4), shown);
    read("white space at the ends", " \t" + text + "\r\n", shown);
    String signer = "\nsigner " + hex(Reference.ed25519Key(SECRET));
    read("signed", signed(all).text(), shown + signer);
    read("a field to pass over", signed(all.with(128, new byte[3])).text(), shown + signer);
    read("an address", "sld:" + payee, "payee " + payee);
    String elsewhere = address("post.example.org");
    read(
        "another mailbox",
        new Fields().with(1, join(apk, key, ascii("post.example.org"))).text(),
        "payee " + elsewhere);
    read(
        "label of 100 bytes",
        all.with(7, ascii("x".repeat(100))).text(),
        shown.replace("Bücher, 2 Stück", "x".repeat(100)));

    refused("prefix", "sld:" + Bech32m.encode("sldq", all.bytes()));
    refused("another scheme", "http:" + text.substring(4));
    refused("two slashes", "sld://" + text.substring(4));
    refused("no content", "sld:" + Bech32m.encode("sldr", new byte[0]));
    refused("mixed case", text.substring(0, 60) + text.substring(60).toUpperCase(Locale.ROOT));
    refused(
        "a character changed", text.substring(0, 90) + other(text.charAt(90)) + text.substring(91));
    refused("no payee", all.without(1).text());
    refused("no currency", all.without(3).text());
    refused("no amount", all.without(2).text());
    refused("amount of zero", all.with(2, u64(0)).text());
    refused("amount of 2^63", all.with(2, u64(Long.MIN_VALUE)).text());
    refused("amount of seven bytes", all.with(2, new byte[] {1, 0, 0, 0, 0, 0, 0}).text());
    refused("currency in small letters", all.with(3, ascii("eur")).text());
    refused("currency of four letters", all.with(3, ascii("EURO")).text());
    refused("time of 2^63", all.with(4, u64(Long.MIN_VALUE)).text());
    refused("id of 15 bytes", all.with(5, new byte[15]).text());
    refused("tag of 17 bytes", all.with(6, new byte[17]).text());
    refused("empty label", all.with(7, new byte[0]).text());
    refused("label of 101 bytes", all.with(7, ascii("x".repeat(101))).text());
    refused("label that is not UTF-8", all.with(7, new byte[] {(byte) 0xc3}).text());
    refused("label with a space at its end", all.with(7, ascii("tea ")).text());
    refused("label with a line feed", all.with(7, ascii("tea\n4")).text());
    refused("label that is written backwards", all.with(7, utf8("tea\u202e00.1")).text());
    refused("refund address without a key", all.with(8, apk).text());
    refused("apk of zero", all.with(1, join(new byte[32], key)).text());
    refused("encryption key of small order", all.with(1, join(apk, new byte[32])).text());
    refused("mailbox in capitals", all.with(1, join(apk, key, ascii("POST"))).text());
    refused("type 0", uri(join(all.bytes(), field(0, new byte[1]))));
    refused("a type twice", uri(join(all.bytes(), field(8, join(otherApk, otherKey)))));
    refused("types that do not ascend", uri(join(all.bytes(), field(7, ascii("tea")))));
    refused("cut short in a field", uri(Arrays.copyOf(all.bytes(), all.bytes().length - 1)));
    refused("cut short behind a type", uri(join(all.bytes(), new byte[] {(byte) 200})));
    refused("signature of 63 bytes", all.with(255, new byte[95]).text());
    refused(
        "a field behind the signature", uri(join(signed(all).bytes(), field(200, new byte[1]))));

    bad("version 2", uri(changed(all.bytes(), 0, 2)), "unknown-version");
    bad("a field to understand", signed(all.with(9, new byte[1])).text(), "unknown-version");
    byte[] elsewhereBytes = all.bytes();
    System.arraycopy(tag(new NetworkId("solidus-else")), 0, elsewhereBytes, 1, 16);
    bad("another network", uri(elsewhereBytes), "wrong-network");
    bad("signature of another amount", other(all, 2, u64(1_251)), "signature-invalid");
    bad("signature of another payee", other(all, 1, join(otherApk, key)), "signature-invalid");
    bad("signature without the time", withoutTime(all), "signature-invalid");
    bad(
        "signature for another network",
        all.with(255, signature(new NetworkId("solidus-else"), all.bytes())).text(),
        "signature-invalid");
  }

  private static Fields signed(Fields fields) {
    return fields.with(255, signature(NETWORK, fields.bytes()));
  }

  private static byte[] signature(NetworkId network, byte[] content) {
    byte[] message =
        join(ascii("solidus/payment-request/v1\n"), Reference.networkDigest(network), content);
    return join(Reference.ed25519Key(SECRET), Reference.ed25519(SECRET, message));
  }

  /** A request whose signature is that of the same request with another field. */
  private static String other(Fields fields, int type, byte[] value) {
    return fields.with(type, value).with(255, signature(NETWORK, fields.bytes())).text();
  }

  private static String withoutTime(Fields fields) {
    return fields.without(4).with(255, signature(NETWORK, fields.bytes())).text();
  }

  private static char other(char c) {
    return c == 'q' ? 'p' : 'q';
  }

  private String address(String mailbox) {
    return Reference.address(Reference.addressBody(NETWORK, apk, key, mailbox));
  }

  private static byte[] changed(byte[] bytes, int at, int value) {
    byte[] out = bytes.clone();
    out[at] = (byte) value;
    return out;
  }

  private static byte[] tag(NetworkId network) {
    return Arrays.copyOf(Reference.networkDigest(network), 16);
  }

  private static byte[] field(int type, byte[] value) {
    return join(new byte[] {(byte) type, (byte) value.length}, value);
  }

  private static String uri(byte[] content) {
    return "sld:" + Bech32m.encode("sldr", content);
  }

  private void written(String name, Fields fields, Map<String, Object> inputs) {
    Map<String, Object> in = new TreeMap<>();
    inputs.forEach((key, value) -> in.put(key, value.toString()));
    in.put("content", hex(fields.bytes()));
    file.good("request", name, in, fields.text());
  }

  private void read(String name, String text, String out) {
    file.good("readRequest", name, in("network", NETWORK, "text", text), out);
  }

  private void refused(String name, String text) {
    bad(name, text, "malformed-request");
  }

  private void bad(String name, String text, String error) {
    file.bad("readRequest", name, in("network", NETWORK, "text", text), error);
  }
}
