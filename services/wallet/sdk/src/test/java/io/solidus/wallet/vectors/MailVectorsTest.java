package io.solidus.wallet.vectors;

import static io.solidus.wallet.vectors.Reference.ascii;
import static io.solidus.wallet.vectors.Reference.join;
import static io.solidus.wallet.vectors.Reference.sha256;
import static io.solidus.wallet.vectors.Reference.u32;
import static io.solidus.wallet.vectors.Reference.u64;
import static io.solidus.wallet.vectors.Reference.xor;
import static io.solidus.wallet.vectors.VectorFile.in;
import static io.solidus.wallet.vectors.VectorInputs.bytes;
import static io.solidus.wallet.vectors.VectorInputs.hex;
import static io.solidus.wallet.vectors.VectorInputs.list;
import static io.solidus.wallet.vectors.VectorInputs.network;
import static io.solidus.wallet.vectors.VectorInputs.number;
import static io.solidus.wallet.vectors.VectorInputs.text;
import static io.solidus.wallet.vectors.WalletVectors.NETWORK;
import static io.solidus.wallet.vectors.WalletVectors.uniform;
import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailState;
import io.solidus.protocol.MailTable;
import io.solidus.protocol.MailTableList;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.Spec;
import io.solidus.retrieval.QueryShare;
import io.solidus.retrieval.RetrievalTable;
import io.solidus.retrieval.RetrievalWindow;
import io.solidus.retrieval.TableTree;
import io.solidus.wallet.mailbox.ParcelCipher;
import io.solidus.wallet.vectors.VectorInputs.Refused;
import io.solidus.wire.hpke.HpkeException;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.QueryEnvelope;
import io.solidus.wire.hpke.SealedMessage;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/**
 * Known answers for private queries. What is expected is computed here, and compared with what the
 * platform's classes compute. {@code -Dsolidus.vectors.update=true} rewrites the file.
 */
class MailVectorsTest {
  private static final int HEADER = 34;
  private static final VectorFile FILE =
      new VectorFile(
          "mail",
          "tables of the mailbox and private queries (docs/spec/08-formats.md, F-51 to F-55);"
              + " error is a code of the platform");

  @BeforeAll
  static void make() {
    tables();
    lists();
    headers();
    sums();
    queries();
    if (Boolean.getBoolean("solidus.vectors.update")) {
      FILE.replace();
    }
  }

  private static void tables() {
    List<byte[]> blobs =
        IntStream.rangeClosed(1, 3).mapToObj(i -> uniform("message " + i, 1200)).toList();
    byte[] none = new byte[32];
    byte[] first = state(none, 0, blobs.subList(0, 1), 300, 7);
    FILE.good("mailState", "first table", table(none, 0, blobs.subList(0, 1), 300, 7), hex(first));
    FILE.good(
        "mailState",
        "two more",
        table(first, 300, blobs, 600, 9),
        hex(state(first, 300, blobs, 600, 9)));
    FILE.bad("mailState", "not later", table(first, 300, blobs, 300, 9), "malformed-request");
    FILE.bad("mailState", "no number", table(first, 300, blobs, 600, 0), "malformed-request");
  }

  private static Map<String, Object> table(
      byte[] before, long beforeClosed, List<byte[]> blobs, long closed, long first) {
    Map<String, Object> in = in("bucket", 12, "before", hex(before), "beforeClosed", beforeClosed);
    in.putAll(in("closed", closed, "first", first));
    in.put("blobs", blobs.stream().map(VectorInputs::hex).toList());
    return in;
  }

  private static byte[] state(
      byte[] before, long beforeClosed, List<byte[]> blobs, long closed, long first) {
    byte[] headers =
        sha256(blobs.stream().map(blob -> Arrays.copyOf(blob, HEADER)).toArray(byte[][]::new));
    return sha256(
        ascii("solidus/mail-table/v1"),
        before,
        u64(beforeClosed),
        new byte[] {12},
        u64(closed),
        u64(first),
        u32(blobs.size()),
        headers,
        root(blobs));
  }

  /** RFC 6962, section 2.1, for up to four leaves. */
  private static byte[] root(List<byte[]> blobs) {
    List<byte[]> level = blobs.stream().map(blob -> sha256(new byte[] {0}, blob)).toList();
    while (level.size() > 1) {
      List<byte[]> next = new ArrayList<>();
      for (int i = 0; i < level.size(); i += 2) {
        next.add(
            i + 1 < level.size()
                ? sha256(new byte[] {1}, level.get(i), level.get(i + 1))
                : level.get(i));
      }
      level = next;
    }
    return level.getFirst();
  }

  private static void lists() {
    String one = hex(uniform("state", 32));
    String text =
        "solidus/mail-tables/v1\n"
            + NETWORK.value()
            + "\nclosed: 600\nbucket-1: 300 "
            + one
            + "\nbucket-12: 600 "
            + one
            + "\n";
    good("two buckets", text);
    good("no bucket", text.substring(0, text.indexOf("bucket-1:")));
    bad("another order", text.replace("bucket-1:", "bucket-13:"), "malformed-request");
    bad("a bucket twice", text.replace("bucket-12", "bucket-1"), "malformed-request");
    bad("bucket 128", text.replace("bucket-12", "bucket-128"), "malformed-request");
    bad("leading zero", text.replace("closed: 600", "closed: 0600"), "malformed-request");
    bad("state of later", text.replace("closed: 600", "closed: 599"), "malformed-request");
    bad("state of no time", text.replace("300 ", "0 "), "malformed-request");
    bad("capitals", text.replace(one, one.toUpperCase(Locale.ROOT)), "malformed-request");
    bad("no line feed", text.strip(), "malformed-request");
    bad("another network", text.replace(NETWORK.value(), "another"), "wrong-network");
    bad("another version", text.replace("v1", "v2"), "unknown-version");
  }

  private static void good(String name, String text) {
    FILE.good("mailList", name, in("network", NETWORK, "text", text), text);
  }

  private static void bad(String name, String text, String error) {
    FILE.bad("mailList", name, in("network", NETWORK, "text", text), error);
  }

  private static void headers() {
    byte[] secret = uniform("reader", 32);
    byte[] own =
        Reference.blob(
            uniform("header", 32), Reference.publicKey(secret), NETWORK, Reference.parcel(9));
    byte[] header = Arrays.copyOf(own, HEADER);
    header("own", secret, header, true);
    header("another tag", secret, xor(header, Arrays.copyOf(new byte[] {1}, HEADER)), false);
    header("another reader", uniform("another reader", 32), header, false);
    header("key of small order", secret, new byte[HEADER], false);
  }

  private static void header(String name, byte[] secret, byte[] header, boolean out) {
    Map<String, Object> in = in("network", NETWORK, "encryptionSecret", hex(secret));
    in.put("header", hex(header));
    FILE.good("detects", name, in, String.valueOf(out));
  }

  /** Records of 16 bytes in tables of 3, 9 and 1: bits of each table begin with a byte. */
  private static void sums() {
    int[] places = {0, 1, 2, 8, 9, 10, 11, 12, 13, 14, 15, 16, 24};
    List<byte[]> records =
        IntStream.range(0, places.length).mapToObj(i -> uniform("record " + i, 16)).toList();
    byte[] seed = uniform("seed", 32);
    byte[] all = {7, (byte) 255, 1, 1};
    sum("bits of all", records, places, join(new byte[] {1}, all), all);
    byte[] one = {0, 0, 1, 0};
    sum("bit of the twelfth", records, places, join(new byte[] {1}, one), one);
    sum("seed", records, places, join(new byte[] {0}, seed), expand(seed, 4));
    for (byte[] wrong : List.of(new byte[] {1, 1}, new byte[] {2, 1, 1, 1, 1}, new byte[34])) {
      FILE.bad(
          "mailSum",
          "share of " + wrong.length + " bytes",
          sumOf(records, wrong),
          "malformed-request");
    }
  }

  private static void sum(
      String name, List<byte[]> records, int[] places, byte[] share, byte[] bits) {
    byte[] sum = new byte[16];
    for (int i = 0; i < places.length; i++) {
      if ((bits[places[i] / 8] >> (places[i] % 8) & 1) == 1) {
        sum = xor(sum, records.get(i));
      }
    }
    FILE.good("mailSum", name, sumOf(records, share), hex(sum));
  }

  private static Map<String, Object> sumOf(List<byte[]> records, byte[] share) {
    Map<String, Object> in = in("share", hex(share));
    in.put("records", records.stream().map(VectorInputs::hex).toList());
    in.put("tables", List.of("3", "9", "1"));
    return in;
  }

  private static byte[] expand(byte[] seed, int length) {
    try {
      Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
      cipher.init(
          Cipher.ENCRYPT_MODE, new SecretKeySpec(seed, "AES"), new IvParameterSpec(new byte[16]));
      return cipher.doFinal(new byte[length]);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void queries() {
    byte[] secret = uniform("replica", 32);
    byte[] share = join(new byte[] {0}, uniform("share", 32));
    byte[] query = join(new byte[] {1, 12}, u64(86_400), u64(172_800), uniform("state", 32), share);
    Reference.SealedWitness sealed =
        Reference.SealedWitness.ofQuery(
            uniform("query", 32), Reference.publicKey(secret), NETWORK, 3, query);
    Map<String, Object> in = in("network", NETWORK, "authority", 3, "replicaSecret", hex(secret));
    in.putAll(in("encapsulatedKey", hex(sealed.encapsulatedKey())));
    in.putAll(in("sealedShare", hex(sealed.sealed())));
    Map<String, Object> opened = new TreeMap<>(in);
    opened.putAll(in("bucket", 12, "after", 86_400, "upto", 172_800));
    opened.putAll(in("state", hex(uniform("state", 32)), "share", hex(share)));
    FILE.good("mailQuery", "seed", opened, hex(query));
    opened = new TreeMap<>(opened);
    opened.put("authority", "2");
    FILE.bad("mailQuery", "another authority", opened, "malformed-request");
    byte[] nonce = uniform("answer nonce", 12);
    byte[] answer = uniform("answer", 1200);
    in.putAll(in("nonce", hex(nonce), "answer", hex(answer)));
    FILE.good("mailAnswer", "record", in, hex(sealed.answer(nonce, answer)));
  }

  @Test
  void theFileHoldsWhatIsComputedHere() {
    assertThat(FILE.committed()).as("%s", FILE.path()).isEqualTo(FILE.text());
  }

  @TestFactory
  @Spec("F-51")
  Stream<DynamicTest> states() {
    return cases(
        "mailState",
        in -> {
          List<byte[]> blobs = list(in, "blobs").stream().map(HexFormat.of()::parseHex).toList();
          byte[] headers =
              join(blobs.stream().map(blob -> Arrays.copyOf(blob, HEADER)).toArray(byte[][]::new));
          MailTable table =
              new MailTable(
                  new MailboxBucket((int) number(in, "bucket")),
                  number(in, "closed"),
                  number(in, "first"),
                  blobs.size(),
                  Digest32.sha256(headers),
                  TableTree.root(blobs));
          MailState before =
              new MailState(number(in, "beforeClosed"), Digest32.of(bytes(in, "before")));
          return table.after(before).digest().hex();
        });
  }

  @TestFactory
  @Spec("F-52")
  Stream<DynamicTest> texts() {
    return cases(
        "mailList",
        in -> MailTableList.parse(network(in), text(in, "text")).toNoteText(network(in)));
  }

  @TestFactory
  @Spec("W-36")
  Stream<DynamicTest> ownHeaders() {
    return cases(
        "detects",
        in -> {
          try (HpkePrivateKey key = HpkePrivateKey.of(bytes(in, "encryptionSecret"))) {
            return String.valueOf(new ParcelCipher(network(in)).detects(key, bytes(in, "header")));
          }
        });
  }

  @TestFactory
  @Spec("F-55")
  Stream<DynamicTest> answers() {
    return Stream.of(
            cases("mailSum", MailVectorsTest::sumOfShare),
            cases("mailQuery", in -> opened(in, share -> hex(share.query()))),
            cases(
                "mailAnswer",
                in ->
                    opened(
                        in,
                        share ->
                            hex(
                                share.sealAnswer(
                                    bytes(in, "answer"), new FixedRandom(bytes(in, "nonce")))))))
        .flatMap(tests -> tests);
  }

  private static String sumOfShare(JsonNode in) {
    List<byte[]> records = list(in, "records").stream().map(HexFormat.of()::parseHex).toList();
    List<RetrievalTable> tables = new ArrayList<>();
    int from = 0;
    for (String count : list(in, "tables")) {
      int end = from + Integer.parseInt(count);
      tables.add(new RetrievalTable(records.subList(from, end)));
      from = end;
    }
    return hex(new RetrievalWindow(tables).answer(QueryShare.decode(bytes(in, "share"))));
  }

  private static String opened(JsonNode in, Function<QueryEnvelope.Opened, String> answer) {
    SealedMessage sealed =
        new SealedMessage(bytes(in, "encapsulatedKey"), bytes(in, "sealedShare"));
    int authority = (int) number(in, "authority");
    try (HpkePrivateKey key = HpkePrivateKey.of(bytes(in, "replicaSecret"));
        QueryEnvelope.Opened share = QueryEnvelope.open(key, network(in), authority, sealed)) {
      return answer.apply(share);
    } catch (HpkeException e) {
      throw new Refused("malformed-request");
    }
  }

  /** Gives the bytes of a case where others draw. */
  private static final class FixedRandom extends SecureRandom {
    private static final long serialVersionUID = 1L;
    private final byte[] bytes;

    FixedRandom(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public void nextBytes(byte[] out) {
      assertThat(out).hasSameSizeAs(bytes);
      System.arraycopy(bytes, 0, out, 0, out.length);
    }
  }

  private static Stream<DynamicTest> cases(String op, Function<JsonNode, String> answer) {
    return VectorInputs.cases(FILE, op, answer);
  }
}
