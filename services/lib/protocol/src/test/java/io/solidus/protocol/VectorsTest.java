package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Known answers shared with the Go module, where this module computes them too. */
class VectorsTest {
  private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

  @TestFactory
  @Spec("E-01")
  Stream<DynamicTest> fieldElements() {
    return decoding("field", "decode", bytes -> FieldElement.of(bytes).bytes());
  }

  @TestFactory
  @Spec("E-02")
  Stream<DynamicTest> scalars() {
    return decoding("scalar", "decode", bytes -> Scalar.of(bytes).bytes());
  }

  /** Without the cases of curve and subgroup membership, which the native library checks. */
  @TestFactory
  @Spec("E-03")
  Stream<DynamicTest> pointsOfG1() {
    return decoding("g1", "decode", bytes -> G1Point.of(bytes).bytes());
  }

  @TestFactory
  @Spec("E-04")
  Stream<DynamicTest> pointsOfG2() {
    return decoding("g2", "decode", bytes -> G2Point.of(bytes).bytes());
  }

  @TestFactory
  @Spec("E-16")
  Stream<DynamicTest> keyPoints() {
    return decoding("jubjub", "point", bytes -> KeyPoint.of(bytes).bytes());
  }

  @TestFactory
  @Spec("E-17")
  Stream<DynamicTest> keyScalars() {
    return decoding("jubjub", "scalar", bytes -> KeyScalar.of(bytes).bytes());
  }

  @TestFactory
  @Spec("E-07")
  Stream<DynamicTest> networks() {
    return cases("network")
        .map(c ->
            test(c, () -> check(c, () -> new NetworkId(in(c, "id").asString("")).digest().hex())));
  }

  @TestFactory
  @Spec({"E-06", "E-11", "E-12", "E-13", "E-14"})
  Stream<DynamicTest> statements() {
    return cases("statement").map(c -> test(c, () -> statement(c)));
  }

  /** D and core of other shapes; the rest of the file is computed in the native library. */
  @TestFactory
  @Spec({"E-11", "E-12"})
  Stream<DynamicTest> shapes() {
    return cases("shapes")
        .filter(c -> List.of("claim-16", "pay-8").contains(in(c, "family").asString("")))
        .map(c -> test(c, () -> statement(c)));
  }

  @TestFactory
  Stream<DynamicTest> sanctionLists() {
    return cases("sanction").map(c -> test(c, () -> sanctions(c)));
  }

  private static void statement(JsonNode c) {
    if (isBeyondSigned64(c)) {
      // amounts have 63 bits here and periods 31, so such a statement cannot be made
      Rejected.malformed(() -> compute(c));
    } else {
      check(c, () -> compute(c));
    }
  }

  private static String compute(JsonNode c) {
    NetworkId network = new NetworkId(in(c, "network").asString(""));
    return switch (c.path("op").asString("")) {
      case "context" -> new Attachments(hex(c, "payout"), hex(c, "memo")).context(network).hex();
      case "mintSerial" ->
          new MintStatement(
                  MintId.of(hex(c, "mintId")),
                  Amount.ZERO,
                  new BlindedCoin(FieldElement.ZERO, new Samples(1).g1()))
              .serial(network)
              .hex();
      case "core" -> family(c, network, true);
      case "inputDigest" -> family(c, network, false);
      default -> throw new IllegalStateException("unknown operation " + c.path("op"));
    };
  }

  private static String family(JsonNode c, NetworkId network, boolean core) {
    return switch (in(c, "family").asString("")) {
      case "register" -> {
        RegisterStatement statement = new RegisterStatement(Apk.of(hex(c, "apk")), coin(c));
        yield core ? statement.core(network).hex() : statement.inputDigest(network).value().hex();
      }
      case "mint" -> {
        MintStatement statement =
            new MintStatement(MintId.of(hex(c, "mintId")), Amount.of(number(c, "value")), coin(c));
        yield core ? statement.core(network).hex() : statement.inputDigest(network).value().hex();
      }
      case "transfer" -> transfer(c, Family.TRANSFER, network, core);
      case "transfer-unregulated" -> transfer(c, Family.TRANSFER_UNREGULATED, network, core);
      case "claim-16" -> transfer(c, Family.CLAIM_16, network, core);
      case "pay-8" -> transfer(c, Family.PAY_8, network, core);
      default -> throw new IllegalStateException("unknown family");
    };
  }

  private static String transfer(JsonNode c, Family family, NetworkId network, boolean core) {
    List<byte[]> cms = list(c, "cm");
    List<byte[]> ks = list(c, "k");
    List<BlindedCoin> outputs = new ArrayList<>();
    for (int i = 0; i < cms.size(); i++) {
      outputs.add(new BlindedCoin(FieldElement.of(cms.get(i)), G1Point.of(ks.get(i))));
    }
    TransferStatement statement =
        new TransferStatement(
            family,
            list(c, "serials").stream().map(SerialNumber::of).toList(),
            outputs,
            new Period((int) number(c, "period")),
            Amount.of(number(c, "withdrawn")),
            Digest32.of(hex(c, "context")));
    return core ? statement.core(network).hex() : statement.inputDigest(network).value().hex();
  }

  /** Go computes roots. This tests the list's rules and the place of an address in it. */
  private static void sanctions(JsonNode c) {
    if (c.path("op").asString("").equals("root")) {
      boolean good = c.has("out");
      Runnable build =
          () -> new SanctionList(list(c, "keys").stream().map(SanctionKey::of).toList());
      if (good) {
        build.run();
      } else {
        Rejected.malformed(build::run);
      }
      return;
    }
    if (FieldElement.of(hex(c, "apk")).isZero()) {
      Rejected.malformed(() -> Apk.of(hex(c, "apk")));
      return;
    }
    List<SanctionKey> keys =
        new ArrayList<>(list(c, "keys").stream().map(SanctionKey::of).toList());
    keys.addFirst(SanctionKey.FIRST);
    keys.addLast(SanctionKey.LAST);
    SanctionKey key = SanctionKey.of(Apk.of(hex(c, "apk")));
    if (c.has("out")) {
      assertThat(keys).doesNotContain(key);
      SanctionKey low = keys.stream().filter(k -> k.compareTo(key) < 0).toList().getLast();
      SanctionKey high = keys.stream().filter(k -> k.compareTo(key) > 0).toList().getFirst();
      assertThat(low.hex() + high.hex()).isEqualTo(c.path("out").asString(""));
    } else {
      assertThat(keys).contains(key);
    }
  }

  private static boolean isBeyondSigned64(JsonNode c) {
    return Stream.of("value", "withdrawn", "period")
        .map(field -> in(c, field))
        .filter(JsonNode::isString)
        .anyMatch(v -> new BigInteger(v.asString("")).compareTo(LARGEST) > 0);
  }

  private static Stream<DynamicTest> decoding(
      String file, String operation, Function<byte[], byte[]> decode) {
    return cases(file)
        .filter(c -> c.path("op").asString("").equals(operation))
        .filter(
            c -> !c.path("error").asString("").matches("POINT_NOT_ON_CURVE|POINT_NOT_IN_SUBGROUP"))
        .map(c ->
            test(c, () -> check(c, () -> HexFormat.of().formatHex(decode.apply(hex(c, "bytes"))))));
  }

  private interface Answer {
    String get();
  }

  private static void check(JsonNode c, Answer answer) {
    if (c.has("out")) {
      assertThat(answer.get()).isEqualTo(c.path("out").asString(""));
    } else if (c.path("error").asString("").equals("IDENTITY_POINT")) {
      Rejected.with(RejectionCode.IDENTITY_POINT, answer::get);
    } else {
      Rejected.malformed(answer::get);
    }
  }

  private static DynamicTest test(JsonNode c, org.junit.jupiter.api.function.Executable body) {
    return DynamicTest.dynamicTest(
        c.path("op").asString("") + ": " + c.path("name").asString(""), body);
  }

  private static Stream<JsonNode> cases(String file) {
    try {
      JsonNode cases =
          JsonMapper.shared()
              .readTree(Files.readAllBytes(directory().resolve(file + ".json")))
              .path("cases");
      assertThat(cases.size()).isPositive();
      return StreamSupport.stream(cases.spliterator(), false);
    } catch (IOException e) {
      throw new IllegalStateException("the shared vectors cannot be read", e);
    }
  }

  private static Path directory() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isDirectory(at.resolve("prover-native/vectors"))) {
        return at.resolve("prover-native/vectors");
      }
    }
    throw new IllegalStateException("the test does not run inside the source tree");
  }

  private static BlindedCoin coin(JsonNode c) {
    return new BlindedCoin(FieldElement.of(hex(c, "cm")), G1Point.of(hex(c, "k")));
  }

  private static JsonNode in(JsonNode c, String field) {
    return c.path("in").path(field);
  }

  private static byte[] hex(JsonNode c, String field) {
    return HexFormat.of().parseHex(in(c, field).asString(""));
  }

  /** Wraps as a signed integer does, so that too large a number is refused as negative. */
  private static long number(JsonNode c, String field) {
    return new BigInteger(in(c, field).asString("")).longValue();
  }

  private static List<byte[]> list(JsonNode c, String field) {
    return StreamSupport.stream(in(c, field).spliterator(), false)
        .map(entry -> HexFormat.of().parseHex(entry.asString("")))
        .toList();
  }
}
