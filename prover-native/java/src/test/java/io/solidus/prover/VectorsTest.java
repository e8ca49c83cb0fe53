package io.solidus.prover;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The known answers of prover-native/vectors, computed through the bridge. The vectors were made
 * without the library, so an agreement also verifies the encodings on both sides. Vectors without
 * an operation of the bridge (a tree's node, a lone exponent) are tested in Go.
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
                          .bytes(new byte[32])
                          .send()
                          .rest()),
          "scalar",
              Map.of(
                  "decode",
                  in ->
                      call(Operation.BLIND, network())
                          .bytes(new byte[32])
                          .u32(0)
                          .u8(1)
                          .field(FieldElement.ofLong(1))
                          .field(FieldElement.ZERO)
                          .bytes(hex(in, "bytes"))
                          .send()
                          .rest()),
          "g1", Map.of("decode", VectorsTest::g1),
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
                  "rhos", VectorsTest::rhos,
                  "coin", in -> coin(in, 1),
                  "coinUnregulated", in -> coin(in, 2),
                  "compliance", VectorsTest::compliance,
                  "entry", VectorsTest::entry),
          "blind",
              Map.of(
                  "base",
                  in ->
                      call(Operation.BLIND_BASE, net(in))
                          .bytes(hex(in, "d"))
                          .u32(u32(in, "period"))
                          .u8(in.get("cm").size())
                          .bytes(join(in.get("cm")))
                          .u8(u32(in, "index"))
                          .send()
                          .rest()),
          "jubjub", Map.of("point", VectorsTest::keyPoint, "scalar", VectorsTest::keyScalar),
          "keysig",
              Map.of(
                  "publicKey",
                  in -> call(Operation.PUBLIC_KEY).bytes(hex(in, "a")).send().rest(),
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

  private static Map<String, Function<JsonNode, byte[]>> operations(String file) {
    return Objects.requireNonNull(ANSWERS.get(file), file);
  }

  private static Stream<DynamicTest> file(String name) {
    JsonNode file = JsonMapper.shared().readTree(VECTORS.resolve(name + ".json").toFile());
    List<JsonNode> cases =
        StreamSupport.stream(file.get("cases").spliterator(), false)
            .filter(c -> operations(name).containsKey(c.get("op").asString()))
            .toList();
    assertThat(cases).as(name).isNotEmpty();
    return cases.stream()
        .map(c ->
            DynamicTest.dynamicTest(
                name + ": " + c.get("op").asString() + ", " + c.get("name").asString(),
                () -> check(name, c)));
  }

  private static void check(String file, JsonNode c) {
    String operation = c.get("op").asString();
    Function<JsonNode, byte[]> answer =
        Objects.requireNonNull(operations(file).get(operation), operation);
    if (c.has("error")) {
      checkRefusal(file, c, refusal(answer, c.get("in")));
      return;
    }
    byte[] got = answer.apply(c.get("in"));
    // scalars and field elements are decoded by another operation, which only has to succeed
    if (!List.of("field", "scalar", "g2").contains(file) && !operation.equals("scalar")) {
      assertThat(HEX.formatHex(got)).isEqualTo(c.get("out").asString());
    }
  }

  private static void checkRefusal(String file, JsonNode c, NativeErrorCode got) {
    String error = c.get("error").asString();
    if (error.equals("BAD_LENGTH")) {
      // the bridge's fields have fixed lengths, so a wrong length shifts the next field and is
      // refused with that field's code
      assertThat(got).isNotEqualTo(NativeErrorCode.OK);
    } else if (file.equals("keysig") && c.get("op").asString().equals("verify")) {
      // verification returns false for any fault
      assertThat(got).isEqualTo(NativeErrorCode.KEY_SIGNATURE_INVALID);
    } else {
      assertThat(got).isEqualTo(NativeErrorCode.valueOf(error));
    }
  }

  private static NativeErrorCode refusal(Function<JsonNode, byte[]> answer, JsonNode in) {
    try {
      byte[] unused = answer.apply(in);
      return NativeErrorCode.OK;
    } catch (NativeException e) {
      return e.code();
    }
  }

  private static NativeRequest call(Operation operation) {
    return NativeRequest.of(operation);
  }

  private static NativeRequest call(Operation operation, NetworkId network) {
    return NativeRequest.of(operation, network);
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

  private static byte[] rhos(JsonNode in) {
    return call(Operation.RHOS, net(in))
        .bytes(hex(in, "x"))
        .bytes(hex(in, "y"))
        .u8(2)
        .send()
        .rest();
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
        .u8(kind == 1 ? u32(in, "origin") : 0)
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
        .u8(u32(in, "origin1"))
        .u8(u32(in, "origin2"))
        .u8(u32(in, "escrow"))
        .u32(u32(in, "period"))
        .bytes(hex(in, "counterparty"))
        .bytes(hex(in, "r"))
        .send()
        .rest();
  }

  /**
   * Reads a committee key. The shown signature after it is missing, so a good point gives another
   * code.
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

  /** Randomises a signature by one, which leaves it as it is. */
  private static byte[] g1(JsonNode in) {
    byte[] point = hex(in, "bytes");
    byte[] one = new byte[32];
    one[31] = 1;
    byte[] signature = call(Operation.RANDOMISE).bytes(point).bytes(point).bytes(one).send().rest();
    return Arrays.copyOf(signature, 96);
  }

  /**
   * Returns the key of a valid signature, as the vectors do. The bridge gives no reason for an
   * invalid one.
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

  /** Randomises a key by zero, which leaves it as it is. */
  private static byte[] keyPoint(JsonNode in) {
    return call(Operation.RANDOMISED_KEY).bytes(hex(in, "bytes")).bytes(new byte[32]).send().rest();
  }

  /** Randomises a key by the scalar, which is the identity for one scalar that is in no vector. */
  private static byte[] keyScalar(JsonNode in) {
    byte[] seven = new byte[32];
    seven[31] = 7;
    byte[] key = call(Operation.PUBLIC_KEY).bytes(seven).send().rest();
    return call(Operation.RANDOMISED_KEY).bytes(key).bytes(hex(in, "bytes")).send().rest();
  }

  private static SanctionTree tree(JsonNode in) {
    return SanctionTree.build(net(in), join(in.get("keys")));
  }

  private static byte[] join(JsonNode parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    parts.forEach(part -> out.writeBytes(HEX.parseHex(part.asString())));
    return out.toByteArray();
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
