package io.solidus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Family;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.MintRequestJson;
import io.solidus.wire.json.PartialSignatureJson;
import io.solidus.wire.json.RegisterRequestJson;
import io.solidus.wire.json.TransferRequestJson;
import io.solidus.wire.json.WireJson;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class WireJsonTest {
  private static final List<Family> TRANSFERS =
      List.of(Family.TRANSFER, Family.TRANSFER_UNREGULATED, Family.CLAIM_16, Family.PAY_8);

  private final WireSamples samples = new WireSamples(8);

  @Test
  @Spec({"F-19", "F-20", "F-21"})
  void requestsRoundTrip() {
    for (int i = 0; i < 20; i++) {
      TransferRequest transfer = samples.transfer(TRANSFERS.get(i % 4), i % 3);
      assertThat(
              read(WireJson.write(TransferRequestJson.of(transfer)), TransferRequestJson.class)
                  .toDomain())
          .isEqualTo(transfer);
      RegisterRequest register = samples.register();
      assertThat(
              read(WireJson.write(RegisterRequestJson.of(register)), RegisterRequestJson.class)
                  .toDomain())
          .isEqualTo(register);
      MintRequest mint = samples.mint();
      assertThat(read(WireJson.write(MintRequestJson.of(mint)), MintRequestJson.class).toDomain())
          .isEqualTo(mint);
      PartialSignature partial = samples.partial(3, 2);
      assertThat(
              read(WireJson.write(PartialSignatureJson.of(partial)), PartialSignatureJson.class)
                  .toDomain())
          .isEqualTo(partial);
    }
  }

  @Test
  @Spec({"F-16", "F-17", "F-18"})
  void shapeIsThatOfTheProto() {
    JsonNode json =
        JsonMapper.shared()
            .readTree(WireJson.write(TransferRequestJson.of(samples.transfer(Family.TRANSFER, 1))));
    assertThat(json.propertyNames())
        .containsExactlyInAnyOrder("statement", "evidence", "attachments", "certificate");
    assertThat(json.path("statement").propertyNames())
        .containsExactlyInAnyOrder(
            "family", "serials", "outputs", "period", "withdrawnMinor", "context");
    assertThat(json.path("evidence").propertyNames())
        .containsExactlyInAnyOrder(
            "policyVersion",
            "checkpointVersion",
            "circuitVersion",
            "rk",
            "shows",
            "proof",
            "rkSignature");
    assertThat(json.path("statement").path("withdrawnMinor").isIntegralNumber()).isTrue();
    assertThat(json.path("evidence").path("proof").asString(""))
        .doesNotContain("=", "+", "/")
        .hasSize(939);
  }

  @Test
  @Spec("F-18")
  void certificateMayBeLeftOut() {
    TransferRequest transfer = samples.transfer(Family.TRANSFER, 0);
    String json =
        WireJson.write(TransferRequestJson.of(transfer)).replace(",\"certificate\":[]", "");
    assertThat(json).doesNotContain("certificate");
    assertThat(read(json, TransferRequestJson.class).toDomain()).isEqualTo(transfer);
  }

  /** The attack: a text that says the same in a second way. */
  @Test
  @Spec({"F-15", "F-18"})
  void aCertificateIsNotNull() {
    String json =
        WireJson.write(TransferRequestJson.of(samples.transfer(Family.TRANSFER, 0)))
            .replace("\"certificate\":[]", "\"certificate\":null");
    assertThat(json).contains(":null");
    malformed(() -> read(json, TransferRequestJson.class).toDomain());
  }

  @Test
  @Spec("F-15")
  void everyMissingOrNullFieldIsRefused() {
    JsonNode good =
        JsonMapper.shared()
            .readTree(WireJson.write(TransferRequestJson.of(samples.transfer(Family.TRANSFER, 1))));
    for (String part : List.of("statement", "evidence", "attachments")) {
      for (String field : good.path(part).propertyNames()) {
        tools.jackson.databind.node.ObjectNode without =
            (tools.jackson.databind.node.ObjectNode) good.deepCopy();
        ((tools.jackson.databind.node.ObjectNode) without.path(part)).remove(field);
        malformed(() -> read(without.toString(), TransferRequestJson.class).toDomain());
        ((tools.jackson.databind.node.ObjectNode) without.path(part)).putNull(field);
        malformed(() -> read(without.toString(), TransferRequestJson.class).toDomain());
      }
    }
  }

  @ParameterizedTest
  @Spec({"F-15", "F-21"})
  @ValueSource(strings = {"", "null", "[]", "[1]", "1", "\"\"", "{}"})
  void otherValuesAreRefused(String json) {
    malformed(() -> read(json, PartialSignatureJson.class).toDomain());
  }

  /** Each is a readable text with one change. */
  @ParameterizedTest
  @Spec({"F-15", "F-21"})
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "{ | {\"x\":1,",
        "{ | {\"authority\":3,",
        "{ | [{",
        "} | }x",
        "} | }{}",
        "} | ,}",
        "\"authority\" | \"Authority\"",
        ":3, | :\"3\",",
        ":3, | :\"\",",
        ":3, | :3.0,",
        ":3, | :3e0,",
        ":3, | :03,",
        ":3, | :+3,",
        ":3, | :-3,",
        ":3, | :[3],",
        ":3, | :true,",
        ":3, | :null,",
        ":3, | :0,",
        ":3, | :101,",
        ":3, | :99999999999,",
        "[ | [null,",
        "[ | [7,",
        "[ | [\"AA\",",
        "\"vote\":\" | \"vote\":\"AAAA",
        "\"vote\":\" | \"vote\":1,\"x\":\"",
      })
  void similarShapesAreRefused(String part, String change) {
    String good = WireJson.write(PartialSignatureJson.of(samples.partial(3, 1)));
    assertThat(read(good, PartialSignatureJson.class).toDomain().authority()).isEqualTo(3);
    String changed = good.replaceFirst(Pattern.quote(part), Matcher.quoteReplacement(change));
    assertThat(changed).isNotEqualTo(good);
    malformed(() -> read(changed, PartialSignatureJson.class).toDomain());
  }

  @ParameterizedTest
  @Spec("F-15")
  @ValueSource(strings = {"AA==", "A", "AB", "A+A", "A/A", "A A", "AA\n", "ÄÄ"})
  void onlyCanonicalBase64UrlIsRead(String text) {
    malformed(() -> Base64Url.decode(text, "field"));
  }

  @Test
  void base64UrlReadsWhatItWrites() {
    for (int length = 0; length < 40; length++) {
      byte[] bytes = samples.bytes(length);
      assertThat(Base64Url.decode(Base64Url.encode(bytes), "field")).isEqualTo(bytes);
    }
  }

  @Test
  void deepAndLongInputIsRefused() {
    malformed(() -> read("[".repeat(1000), PartialSignatureJson.class));
    malformed(() -> read("{\"authority\":" + "1".repeat(1000) + "}", PartialSignatureJson.class));
    malformed(
        () -> read("{\"points\":[\"" + "A".repeat(200_000) + "\"]}", PartialSignatureJson.class));
  }

  private static <T> T read(String json, Class<T> type) {
    return WireJson.read(json, type);
  }

  private static void malformed(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    ProtocolException refusal = catchThrowableOfType(ProtocolException.class, call);
    assertThat(refusal).as("refusal").isNotNull();
    assertThat(refusal.code()).isEqualTo(RejectionCode.MALFORMED_REQUEST);
  }
}
