package io.solidus.wallet.vectors;

import static io.solidus.wallet.vectors.VectorInputs.bytes;
import static io.solidus.wallet.vectors.VectorInputs.digest;
import static io.solidus.wallet.vectors.VectorInputs.field;
import static io.solidus.wallet.vectors.VectorInputs.hex;
import static io.solidus.wallet.vectors.VectorInputs.list;
import static io.solidus.wallet.vectors.VectorInputs.network;
import static io.solidus.wallet.vectors.VectorInputs.number;
import static io.solidus.wallet.vectors.VectorInputs.period;
import static io.solidus.wallet.vectors.VectorInputs.suite;
import static io.solidus.wallet.vectors.VectorInputs.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.G2Point;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.protocol.Vote;
import io.solidus.prover.NativeException;
import io.solidus.prover.Share;
import io.solidus.prover.Suite;
import io.solidus.wallet.gateway.SignedReply;
import io.solidus.wallet.receipt.PaymentReceipt;
import io.solidus.wallet.transfer.BlindedOutputs;
import io.solidus.wallet.transfer.SignatureCollector;
import io.solidus.wallet.vectors.VectorInputs.Refused;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.PartialSignatureJson;
import io.solidus.wire.json.TransferRequestJson;
import io.solidus.wire.json.TransferStatementJson;
import io.solidus.wire.json.WireJson;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The known answers of {@link SignatureVectors} and {@link BodyVectors}. */
class CommitteeVectorsTest {
  private static final VectorFile FILE = WalletVectors.file();
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final G1Point ANY_G1 = G1Point.of(ReferenceCurve.G1.bytes());
  private static final G2Point ANY_G2 = new G2Point(ReferenceCurve.G2.bytes());

  @TestFactory
  @Spec({"S-03", "S-04", "S-05", "S-06"})
  Stream<DynamicTest> partialSignatures() {
    return Stream.of(
            cases("partialSignature", CommitteeVectorsTest::sign),
            cases(
                "checkPartial",
                in ->
                    accepted(
                        text(in, "point"),
                        "signature-invalid",
                        suite(in).checkPartial(member(in), outputs(in), j(in), g1(in, "point")))),
            cases("combine", CommitteeVectorsTest::combine),
            cases(
                "unblind",
                in ->
                    hexOf(
                        suite(in)
                            .unblind(
                                committee(ANY_G2, ANY_G2, g1(in, "y1")),
                                outputs(in),
                                j(in),
                                g1(in, "combined"),
                                scalar(in, "b")))))
        .flatMap(tests -> tests);
  }

  @TestFactory
  @Spec({"S-07", "S-08", "S-09", "S-10"})
  Stream<DynamicTest> signatures() {
    Suite suite = new Suite(WalletVectors.NETWORK);
    return Stream.of(
            cases(
                "verify",
                in ->
                    accepted(
                        text(in, "signature"),
                        "signature-invalid",
                        suite.verify(key(in), field(in, "message"), signature(in)))),
            cases("randomise", in -> hexOf(suite.randomise(signature(in), scalar(in, "t")))),
            cases(
                "show",
                in ->
                    hexOf(
                        suite.show(
                            committee(ANY_G2, ANY_G2, g1(in, "y1")),
                            signature(in),
                            field(in, "message"),
                            scalar(in, "t"),
                            scalar(in, "o")))),
            cases(
                "verifyShown",
                in ->
                    accepted(
                        text(in, "shown"),
                        "shown-signature-invalid",
                        suite.verifyShown(key(in), shown(in)))))
        .flatMap(tests -> tests);
  }

  @TestFactory
  @Spec({"V-19", "F-21"})
  Stream<DynamicTest> votes() {
    return Stream.of(
            cases("vote", CommitteeVectorsTest::vote),
            cases(
                "checkVote",
                in ->
                    accepted(
                        text(in, "vote"),
                        "signature-invalid",
                        new Vote(bytes(in, "vote"))
                            .isBy(
                                new Ed25519PublicKey(bytes(in, "key")),
                                TxCore.of(bytes(in, "core")),
                                (int) number(in, "epoch"),
                                points(in)))))
        .flatMap(tests -> tests);
  }

  @TestFactory
  @Spec({"F-21", "F-22"})
  Stream<DynamicTest> answers() {
    return cases("signed", CommitteeVectorsTest::signed);
  }

  @TestFactory
  @Spec({"F-15", "F-16", "F-17", "F-18", "F-21"})
  Stream<DynamicTest> bodies() {
    return Stream.of(
            cases("readStatement", in -> statement(in, "text").core(network(in)).hex()),
            cases(
                "transferRequest",
                in -> request(text(in, "body")).statement().core(network(in)).hex()))
        .flatMap(tests -> tests);
  }

  @TestFactory
  @Spec({"F-23", "V-19"})
  Stream<DynamicTest> receipts() {
    return cases(
        "receipt",
        in -> {
          PaymentReceipt receipt = PaymentReceipt.parse(text(in, "receipt"));
          receipt.verify(committee(JSON.readTree(text(in, "committee"))), suite(in), Instant.EPOCH);
          assertThat(PaymentReceipt.parse(receipt.toJson())).isEqualTo(receipt);
          return receipt.core().hex();
        });
  }

  /** The native library reads manifests; its own tests read these cases as well. */
  @TestFactory
  @Spec({"F-29", "S-11"})
  Stream<DynamicTest> manifests() {
    return cases(
        "manifest",
        in -> {
          byte[] manifest = text(in, "manifest").getBytes(StandardCharsets.UTF_8);
          byte[] signature = HexFormat.of().parseHex(text(in, "signature").strip());
          try {
            Ed25519PublicKey pinned = new Ed25519PublicKey(bytes(in, "manifestKey"));
            require(pinned.verify(manifest, signature), "manifest-untrusted");
            suite(in).checkCommittee(committee(JSON.readTree(manifest).path("committee")));
          } catch (ProtocolException | NativeException e) {
            throw new Refused("manifest-untrusted");
          }
          return Digest32.sha256(manifest).hex();
        });
  }

  private static Stream<DynamicTest> cases(String op, Function<JsonNode, String> answer) {
    return VectorInputs.cases(FILE, op, answer);
  }

  private static String accepted(String out, String error, boolean valid) {
    require(valid, error);
    return out;
  }

  private static void require(boolean valid, String error) {
    if (!valid) {
      throw new Refused(error);
    }
  }

  private static String sign(JsonNode in) {
    try (Share share = Share.open(bytes(in, "x"), bytes(in, "y"), 1)) {
      return share.sign(network(in), outputs(in), j(in)).hex();
    }
  }

  private static String combine(JsonNode in) {
    Map<Integer, G1Point> parts = new TreeMap<>();
    for (int i = 0; i < list(in, "points").size(); i++) {
      parts.put(Integer.parseInt(list(in, "authorities").get(i)), points(in).get(i));
    }
    assertThat(number(in, "f")).isEqualTo(1);
    return new Suite(WalletVectors.NETWORK).combine(committee(ANY_G2, ANY_G2, ANY_G1), parts).hex();
  }

  private static String vote(JsonNode in) {
    TxCore core = TxCore.of(bytes(in, "core"));
    int epoch = (int) number(in, "epoch");
    assertThat(hex(Vote.message(core, epoch, points(in)))).isEqualTo(text(in, "message"));
    try (Ed25519PrivateKey key = Ed25519PrivateKey.fromSeed(bytes(in, "seed"))) {
      return Vote.sign(key, core, epoch, points(in)).hex();
    }
  }

  private static String signed(JsonNode in) {
    TransferStatement statement = statement(in, "statement");
    List<BlindedOutputs.Opening> openings = new ArrayList<>();
    for (int j = 0; j < list(in, "messages").size(); j++) {
      openings.add(
          new BlindedOutputs.Opening(
              FieldElement.fromHex(list(in, "messages").get(j)),
              Scalar.of(HexFormat.of().parseHex(list(in, "b").get(j)))));
    }
    JsonNode answer = JSON.readTree(text(in, "answer"));
    List<G1Point> combined = new ArrayList<>();
    answer
        .path("combined")
        .forEach(point -> combined.add(G1Point.of(Base64Url.decode(point.asString(), "point"))));
    Committee committee = committee(JSON.readTree(text(in, "committee")));
    List<Signature> signatures =
        new SignatureCollector(committee, suite(in), Clock.systemUTC())
            .collect(
                statement.core(network(in)),
                new BlindedOutputs(Outputs.of(network(in), statement), openings),
                new SignedReply(partials(answer), combined));
    return String.join("", signatures.stream().map(CommitteeVectorsTest::hexOf).toList());
  }

  private static List<PartialSignature> partials(JsonNode json) {
    return StreamSupport.stream(json.path("partials").spliterator(), false)
        .map(p -> WireJson.read(p.toString(), PartialSignatureJson.class).toDomain())
        .toList();
  }

  private static TransferStatement statement(JsonNode in, String name) {
    return WireJson.read(text(in, name), TransferStatementJson.class).toDomain();
  }

  private static TransferRequest request(String json) {
    return WireJson.read(json, TransferRequestJson.class).toDomain();
  }

  private static int j(JsonNode in) {
    return (int) number(in, "j");
  }

  static Outputs outputs(JsonNode in) {
    List<BlindedCoin> coins = new ArrayList<>();
    for (int j = 0; j < list(in, "cm").size(); j++) {
      coins.add(
          new BlindedCoin(
              FieldElement.fromHex(list(in, "cm").get(j)), G1Point.fromHex(list(in, "k").get(j))));
    }
    return new Outputs(digest(in), period(in), coins);
  }

  private static G1Point g1(JsonNode in, String name) {
    return G1Point.fromHex(text(in, name));
  }

  private static G2Point g2(String hex) {
    return new G2Point(HexFormat.of().parseHex(hex));
  }

  private static List<G1Point> points(JsonNode in) {
    return list(in, "points").stream().map(G1Point::fromHex).toList();
  }

  private static Scalar scalar(JsonNode in, String name) {
    return Scalar.of(bytes(in, name));
  }

  private static Signature signature(JsonNode in) {
    byte[] both = bytes(in, "signature");
    return new Signature(point(both, 0), point(both, 1));
  }

  private static ShownSignature shown(JsonNode in) {
    byte[] all = bytes(in, "shown");
    return new ShownSignature(point(all, 0), point(all, 1), point(all, 2));
  }

  private static G1Point point(byte[] all, int i) {
    return G1Point.of(Arrays.copyOfRange(all, i * G1Point.BYTES, (i + 1) * G1Point.BYTES));
  }

  private static String hexOf(Signature signature) {
    return signature.s1().hex() + signature.s2().hex();
  }

  private static String hexOf(ShownSignature shown) {
    return shown.h().hex() + shown.m().hex() + shown.s().hex();
  }

  private static CommitteeMember member(JsonNode in) {
    return new CommitteeMember(
        1,
        g2(text(in, "memberX")),
        g2(text(in, "memberY")),
        g1(in, "gamma"),
        ReferenceCommittee.noteKey(1));
  }

  /** The committee of a manifest. */
  private static Committee committee(JsonNode json) {
    List<CommitteeMember> members = new ArrayList<>();
    for (JsonNode member : json.path("members")) {
      members.add(
          new CommitteeMember(
              member.path("index").asInt(),
              g2(member.path("x").asString()),
              g2(member.path("y").asString()),
              G1Point.fromHex(member.path("gamma").asString()),
              HexFormat.of().parseHex(member.path("noteKey").asString())));
    }
    return new Committee(
        WalletVectors.NETWORK,
        json.path("epoch").asInt(),
        json.path("f").asInt(),
        g2(json.path("x").asString()),
        g2(json.path("y").asString()),
        G1Point.fromHex(json.path("y1").asString()),
        members);
  }

  /** A committee of which only X and Y are used. */
  private static Committee key(JsonNode in) {
    return committee(g2(text(in, "x")), g2(text(in, "y")), ANY_G1);
  }

  private static Committee committee(G2Point x, G2Point y, G1Point y1) {
    List<byte[]> noteKeys =
        IntStream.rangeClosed(1, ReferenceCommittee.N)
            .mapToObj(ReferenceCommittee::noteKey)
            .toList();
    return committee(x, y, y1, noteKeys);
  }

  /** A committee whose members have these note keys, and other keys that are not used. */
  static Committee committee(List<byte[]> noteKeys) {
    return committee(ANY_G2, ANY_G2, ANY_G1, noteKeys);
  }

  private static Committee committee(G2Point x, G2Point y, G1Point y1, List<byte[]> noteKeys) {
    List<CommitteeMember> members = new ArrayList<>();
    for (byte[] noteKey : noteKeys) {
      members.add(new CommitteeMember(members.size() + 1, ANY_G2, ANY_G2, ANY_G1, noteKey));
    }
    return new Committee(WalletVectors.NETWORK, 0, 1, x, y, y1, members);
  }
}
