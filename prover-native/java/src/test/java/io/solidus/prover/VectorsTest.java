package io.solidus.prover;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.NetworkId;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The known answers of prover-native/vectors, asked through the bridge. They were computed without
 * the library, so an agreement says something about encodings on both sides. What the bridge has no
 * operation for (a tree's node, a lone exponent) is tested in Go.
 */
class VectorsTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final Path VECTORS = Path.of("..", "vectors");

  /** Each operation of a file gives bytes or throws. */
  private static final Map<String, Map<String, Function<JsonNode, byte[]>>> ANSWERS =
      Map.of(
          "field",
              Map.of(
                  "decode",
                  in ->
                      call(Operation.SERIAL, network())
                          .bytes(hex(in, "bytes"))
                          .bytes(new byte[48])
                          .send()
                          .rest()),
          "scalar",
              Map.of(
                  "decode",
                  in ->
                      call(Operation.RANDOMISED_KEY)
                          .bytes(point())
                          .bytes(hex(in, "bytes"))
                          .send()
                          .rest()),
          "g1",
              Map.of(
                  "decode",
                  in ->
                      call(Operation.RANDOMISED_KEY)
                          .bytes(hex(in, "bytes"))
                          .bytes(new byte[32])
                          .send()
                          .rest()),
          "g2", Map.of("decode", VectorsTest::g2),
          "hash",
              Map.of(
                  "apk",
                      in ->
                          call(Operation.APK, net(in))
                              .bytes(hex(in, "nk"))
                              .bytes(hex(in, "pkAuth"))
                              .send()
                              .rest(),
                  "serialKey",
                      in ->
                          call(Operation.SERIAL_KEY, net(in))
                              .bytes(hex(in, "nk"))
                              .bytes(hex(in, "pkAuth"))
                              .send()
                              .rest(),
                  "serial", in -> two(Operation.SERIAL, in),
                  "serialOfKeys", VectorsTest::serialOfKeys,
                  "rhos", in -> two(Operation.RHOS, in),
                  "coin", in -> coin(in, 1),
                  "coinUnregulated", in -> coin(in, 2),
                  "compliance", VectorsTest::compliance,
                  "entry", VectorsTest::entry),
          "blind",
              Map.of(
                  "base",
                  in ->
                      call(Operation.BLIND_BASE, net(in))
                          .bytes(hex(in, "cm"))
                          .bytes(hex(in, "d"))
                          .send()
                          .rest()),
          "keysig",
              Map.of(
                  "randomisedKey",
                  in ->
                      call(Operation.RANDOMISED_KEY)
                          .bytes(hex(in, "pkAuth"))
                          .bytes(hex(in, "alpha"))
                          .send()
                          .rest(),
                  "verify",
                  VectorsTest::verifyCore),
          "sanction", Map.of("root", VectorsTest::root, "neighbours", VectorsTest::neighbours));

  @TestFactory
  Stream<DynamicTest> knownAnswers() {
    return ANSWERS.keySet().stream().sorted().flatMap(VectorsTest::file);
  }

  private static Stream<DynamicTest> file(String name) {
    JsonNode file = JsonMapper.shared().readTree(VECTORS.resolve(name + ".json").toFile());
    List<JsonNode> cases =
        StreamSupport.stream(file.get("cases").spliterator(), false)
            .filter(c -> ANSWERS.get(name).containsKey(c.get("op").asString()))
            .toList();
    assertThat(cases).as(name).isNotEmpty();
    return cases.stream()
        .map(c ->
            DynamicTest.dynamicTest(
                name + ": " + c.get("op").asString() + ", " + c.get("name").asString(),
                () -> check(name, c)));
  }

  private static void check(String file, JsonNode c) {
    Function<JsonNode, byte[]> answer = ANSWERS.get(file).get(c.get("op").asString());
    if (c.has("error")) {
      checkRefusal(file, c, refusal(answer, c.get("in")));
      return;
    }
    byte[] got = answer.apply(c.get("in"));
    // scalars and field elements are decoded for another operation's sake; that it succeeds is the
    // answer
    if (!List.of("field", "scalar", "g2").contains(file)) {
      assertThat(HEX.formatHex(got)).isEqualTo(c.get("out").asString());
    }
  }

  private static void checkRefusal(String file, JsonNode c, NativeErrorCode got) {
    String error = c.get("error").asString();
    if (error.equals("BAD_LENGTH")) {
      // the bridge's fields have fixed lengths, so another one shifts what follows and is refused
      // for that
      assertThat(got).isNotEqualTo(NativeErrorCode.OK);
    } else if (file.equals("keysig") && c.get("op").asString().equals("verify")) {
      // a question gets no for an answer, whatever the reason
      assertThat(got).isEqualTo(NativeErrorCode.KEY_SIGNATURE_INVALID);
    } else {
      assertThat(got).isEqualTo(NativeErrorCode.valueOf(error));
    }
  }

  private static NativeErrorCode refusal(Function<JsonNode, byte[]> answer, JsonNode in) {
    try {
      answer.apply(in);
      return NativeErrorCode.OK;
    } catch (NativeException e) {
      return e.code();
    }
  }

  private static Call call(Operation operation) {
    return Call.of(operation);
  }

  private static Call call(Operation operation, NetworkId network) {
    return Call.of(operation, network);
  }

  private static NetworkId network() {
    return TestKeys.NETWORK;
  }

  private static NetworkId net(JsonNode in) {
    return new NetworkId(in.get("network").asString());
  }

  private static byte[] hex(JsonNode in, String name) {
    return HEX.parseHex(in.get(name).asString());
  }

  private static long u64(JsonNode in, String name) {
    return Long.parseUnsignedLong(in.get(name).asString());
  }

  private static int u32(JsonNode in, String name) {
    return Integer.parseUnsignedInt(in.get(name).asString());
  }

  private static byte[] two(Operation operation, JsonNode in) {
    return call(operation, net(in)).bytes(hex(in, "x")).bytes(hex(in, "y")).send().rest();
  }

  private static byte[] serialOfKeys(JsonNode in) {
    byte[] serialKey =
        call(Operation.SERIAL_KEY, net(in))
            .bytes(hex(in, "nk"))
            .bytes(hex(in, "pkAuth"))
            .send()
            .rest();
    return call(Operation.SERIAL, net(in)).bytes(serialKey).bytes(hex(in, "rho")).send().rest();
  }

  private static byte[] coin(JsonNode in, int kind) {
    return call(Operation.COIN_MESSAGE, net(in))
        .u8(kind)
        .u64(u64(in, "value"))
        .bytes(hex(in, "apk"))
        .bytes(hex(in, "rho"))
        .send()
        .rest();
  }

  private static byte[] compliance(JsonNode in) {
    return call(Operation.COMPLIANCE_MESSAGE, net(in))
        .bytes(hex(in, "apk"))
        .bytes(hex(in, "rho"))
        .u32(u32(in, "period"))
        .u64(u64(in, "sent"))
        .u32(u32(in, "count"))
        .u64(u64(in, "held"))
        .bytes(hex(in, "com"))
        .send()
        .rest();
  }

  private static byte[] entry(JsonNode in) {
    return call(Operation.HISTORY, net(in))
        .bytes(hex(in, "com"))
        .u64(u64(in, "paid"))
        .u64(u64(in, "in1"))
        .u64(u64(in, "in2"))
        .u64(u64(in, "withdrawn"))
        .u32(u32(in, "period"))
        .bytes(hex(in, "counterparty"))
        .bytes(hex(in, "r"))
        .send()
        .rest();
  }

  /**
   * A committee key is read before the shown signature, which is missing here: a good point gets to
   * that.
   */
  private static byte[] g2(JsonNode in) {
    byte[] point = hex(in, "bytes");
    return call(Operation.VERIFY_SHOWN)
        .bytes(point)
        .bytes(point)
        .bytes(new byte[3 * 96])
        .send()
        .rest();
  }

  /** A point of the group that no scalar among the vectors maps to the identity. */
  private static byte[] point() {
    byte[] seven = new byte[32];
    seven[31] = 7;
    return call(Operation.PUBLIC_KEY).bytes(seven).send().rest();
  }

  /**
   * An accepted signature answers with its key, as the vectors do; a refused one with no more than
   * no.
   */
  private static byte[] verifyCore(JsonNode in) {
    byte[] rk = hex(in, "rk");
    byte[] reply =
        call(Operation.VERIFY_CORE)
            .bytes(rk)
            .bytes(hex(in, "core"))
            .sized(hex(in, "signature"))
            .send()
            .rest();
    if (reply[0] == 1) {
      return rk;
    }
    throw new NativeException(NativeErrorCode.KEY_SIGNATURE_INVALID, "");
  }

  private static SanctionTree tree(JsonNode in) {
    ByteArrayOutputStream keys = new ByteArrayOutputStream();
    in.get("keys").forEach(key -> keys.writeBytes(HEX.parseHex(key.asString())));
    return SanctionTree.build(net(in), keys.toByteArray());
  }

  private static byte[] root(JsonNode in) {
    try (SanctionTree tree = tree(in)) {
      return tree.root().bytes();
    }
  }

  private static byte[] neighbours(JsonNode in) {
    try (SanctionTree tree = tree(in)) {
      MembershipPath path = tree.path(io.solidus.protocol.Apk.of(hex(in, "apk")));
      byte[] both = Arrays.copyOf(path.low().bytes(), 40);
      System.arraycopy(path.high().bytes(), 0, both, 20, 20);
      return both;
    }
  }
}
