package io.solidus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.wire.json.RecoverRequestJson;
import io.solidus.wire.json.WireJson;
import io.solidus.wire.v1.RequestBelow;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecoverCodecTest {
  private static final int LONGEST_BODY = 65_536;

  private final WireSamples samples = new WireSamples(9);

  @Test
  void recoversRoundTripToTheSameBytes() {
    for (int below = 1; below <= 16; below++) {
      RecoverRequest recover = samples.recover(below);
      byte[] bytes = Codecs.toBytes(recover);
      assertThat(Codecs.recoverRequest(bytes)).isEqualTo(recover);
      assertThat(Codecs.toBytes(Codecs.recoverRequest(bytes))).isEqualTo(bytes);
      assertThat(read(WireJson.write(RecoverRequestJson.of(recover)))).isEqualTo(recover);
    }
  }

  /** The largest one has to pass the limits of bodies and of messages. */
  @Test
  @Spec({"F-15", "X-22"})
  void theLongestRecoverFits() {
    RecoverRequest recover = samples.longestRecover();
    assertThat(Codecs.toBytes(recover).length).isLessThan(Codecs.MAX_BYTES);
    assertThat(WireJson.write(RecoverRequestJson.of(recover)).getBytes(StandardCharsets.UTF_8))
        .hasSizeLessThan(LONGEST_BODY);
  }

  @Test
  @Spec("X-22")
  void refusesTooManyRequestsBelowAndNone() {
    io.solidus.wire.v1.RecoverRequest longest = Codecs.toWire(samples.longestRecover());
    malformed(() -> Codecs.toDomain(longest.toBuilder().addBelow(longest.getBelow(0)).build()));
    malformed(() -> Codecs.toDomain(longest.toBuilder().clearBelow().build()));
  }

  @Test
  @Spec("V-01")
  void refusesMissingPartsWrongCountsAndLengths() {
    malformed(changed(r -> r.clearStatement()));
    malformed(changed(r -> r.clearEvidence()));
    malformed(changed(r -> r.clearAttachments()));
    malformed(changed(r -> r.setBelow(0, RequestBelow.getDefaultInstance())));
    malformed(changed(r -> r.getBelowBuilder(0).getTransferBuilder().clearStatement()));
    malformed(changed(r -> r.getBelowBuilder(0).getTransferBuilder().clearEvidence()));
    malformed(changed(r -> r.getBelowBuilder(2).getRecoverBuilder().clearStatement()));
    malformed(changed(r -> r.getBelowBuilder(2).getRecoverBuilder().clearEvidence()));
    malformed(changed(r -> r.getStatementBuilder().clearNext()));
    malformed(changed(r -> r.getStatementBuilder().addNext(r.getStatement().getNext(0))));
    malformed(changed(r -> r.getStatementBuilder().clearReturned()));
    malformed(changed(r -> r.getStatementBuilder().removeOutputs(1)));
    malformed(changed(r -> r.getStatementBuilder().setFirst(-1)));
    malformed(changed(r -> r.getStatementBuilder().setSecond(-1)));
    malformed(changed(r -> r.getStatementBuilder().setCredits(16)));
    malformed(changed(r -> r.getEvidenceBuilder().setCircuitVersion(-1)));
    for (ByteString wrong :
        List.of(ByteString.EMPTY, ByteString.copyFrom(new byte[609]), repeated(0xff, 32))) {
      malformed(changed(r -> r.getStatementBuilder().setNext(1, wrong)));
      malformed(changed(r -> r.getStatementBuilder().setReturned(0, wrong)));
      malformed(changed(r -> r.getStatementBuilder().getOutputsBuilder(0).setCm(wrong)));
      malformed(changed(r -> r.getEvidenceBuilder().setProof(wrong)));
      malformed(changed(r -> r.getEvidenceBuilder().setRk(wrong)));
      malformed(changed(r -> r.getEvidenceBuilder().setRkSignature(wrong)));
    }
  }

  /** A proof of another family's length is refused before anything reads it. */
  @Test
  void refusesAnUnregulatedTransferBelow() {
    malformed(
        changed(r -> r.getBelowBuilder(0).getTransferBuilder().getStatementBuilder().setFamily(4)));
  }

  @Test
  void refusesUnknownFieldsAtEveryDepth() {
    UnknownFieldSet extra =
        UnknownFieldSet.newBuilder()
            .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    malformed(changed(r -> r.setUnknownFields(extra)));
    malformed(changed(r -> r.getStatementBuilder().setUnknownFields(extra)));
    malformed(changed(r -> r.getEvidenceBuilder().setUnknownFields(extra)));
    malformed(changed(r -> r.getBelowBuilder(0).setUnknownFields(extra)));
    malformed(changed(r -> r.getBelowBuilder(0).getTransferBuilder().setUnknownFields(extra)));
    malformed(changed(r -> r.getBelowBuilder(2).getRecoverBuilder().setUnknownFields(extra)));
    malformed(
        changed(r ->
            r.getBelowBuilder(2).getRecoverBuilder().getEvidenceBuilder().setUnknownFields(extra)));
  }

  @Test
  void mutatedBytesAreDecodedOrRefused() {
    MutatedBytes.decodeOrRefuse(
        Codecs.toBytes(samples.recover(3)), 10_000, Codecs::recoverRequest, Codecs::toBytes);
  }

  /** Each is a readable text with one change. */
  @ParameterizedTest
  @Spec({"F-15", "F-33"})
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "{\"transfer\":{ | {\"mint\":{",
        "{\"transfer\":{ | {\"recover\":{",
        "{\"transfer\":{ | {\"recover\":null,\"transfer\":{",
        "{\"transfer\":{ | {\"x\":{",
        "\"below\":[ | \"below\":[null,",
        "\"below\":[ | \"below\":[{},",
        "\"below\":[ | \"below\":[{\"transfer\":null},",
        "\"below\":[ | \"below\":[[],",
        "\"below\":[ | \"below\":[],\"x\":[",
        "\"credits\": | \"credits\":\"1\",\"x\":",
        "\"credits\": | \"credits\":16,\"x\":",
        "\"first\": | \"first\":-1",
      })
  void similarShapesAreRefused(String part, String change) {
    String good = WireJson.write(RecoverRequestJson.of(samples.recover(4)));
    String changed = good.replaceFirst(Pattern.quote(part), Matcher.quoteReplacement(change));
    assertThat(changed).isNotEqualTo(good);
    malformed(() -> read(changed));
  }

  private static RecoverRequest read(String json) {
    return WireJson.read(json, RecoverRequestJson.class).toDomain();
  }

  private ThrowingCallable changed(Consumer<io.solidus.wire.v1.RecoverRequest.Builder> change) {
    io.solidus.wire.v1.RecoverRequest.Builder request =
        Codecs.toWire(samples.recover(3)).toBuilder();
    change.accept(request);
    return () -> Codecs.toDomain(request.build());
  }

  private static ByteString repeated(int value, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return ByteString.copyFrom(bytes);
  }

  private static void malformed(ThrowingCallable call) {
    ProtocolException refusal = catchThrowableOfType(ProtocolException.class, call);
    assertThat(refusal).as("refusal").isNotNull();
    assertThat(refusal.code()).isEqualTo(RejectionCode.MALFORMED_REQUEST);
  }
}
