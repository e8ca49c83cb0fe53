package io.solidus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedStates;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.SignedStatesJson;
import io.solidus.wire.json.TransferRequestJson;
import io.solidus.wire.json.WireJson;
import io.solidus.wire.v1.Attachments;
import io.solidus.wire.v1.BlindedCoin;
import io.solidus.wire.v1.TransferEvidence;
import io.solidus.wire.v1.TransferStatement;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class CodecsTest {
  private static final List<Family> TRANSFERS =
      List.of(Family.TRANSFER, Family.TRANSFER_UNREGULATED, Family.CLAIM_16, Family.PAY_8);

  private final WireSamples samples = new WireSamples(7);

  @Test
  void requestsRoundTripToTheSameBytes() {
    for (int i = 0; i < 50; i++) {
      TransferRequest transfer = samples.transfer(TRANSFERS.get(i % 4), i % 5);
      byte[] bytes = Codecs.toBytes(transfer);
      assertThat(Codecs.transferRequest(bytes)).isEqualTo(transfer);
      assertThat(Codecs.toBytes(Codecs.transferRequest(bytes))).isEqualTo(bytes);
      RegisterRequest register = samples.register();
      assertThat(Codecs.registerRequest(Codecs.toBytes(register))).isEqualTo(register);
      MintRequest mint = samples.mint();
      assertThat(Codecs.mintRequest(Codecs.toBytes(mint))).isEqualTo(mint);
      PartialSignature partial = samples.partial(1 + i, 1 + i % 9);
      assertThat(Codecs.partialSignature(Codecs.toBytes(partial))).isEqualTo(partial);
    }
  }

  /** A claim of 16 has 17 serial numbers and shows, and each other count is refused. */
  @Test
  @Spec({"F-16", "F-17"})
  void aClaimOfSixteenHasItsNumbers() {
    TransferRequest claim = samples.transfer(Family.CLAIM_16, 0);
    io.solidus.wire.v1.TransferRequest good = Codecs.toWire(claim);
    assertThat(good.getSerializedSize()).isLessThan(10_000);
    var more = good.toBuilder();
    more.getStatementBuilder()
        .addSerials(
            samples.transfer(Family.TRANSFER, 0).statement().serials().stream()
                .map(s -> ByteString.copyFrom(s.bytes()))
                .findFirst()
                .orElseThrow());
    malformed(() -> Codecs.toDomain(more.build()));
    var fewer = good.toBuilder();
    fewer
        .getStatementBuilder()
        .clearSerials()
        .addAllSerials(good.getStatement().getSerialsList().subList(0, 3));
    malformed(() -> Codecs.toDomain(fewer.build()));
    var shown = good.toBuilder();
    shown.getEvidenceBuilder().removeShows(16);
    malformed(() -> Codecs.toDomain(shown.build()));
    var other = good.toBuilder();
    other.getStatementBuilder().setFamily(3);
    malformed(() -> Codecs.toDomain(other.build()));
    var proof = good.toBuilder();
    proof
        .getEvidenceBuilder()
        .setProof(ByteString.copyFrom(new byte[Family.TRANSFER.proofBytes()]));
    malformed(() -> Codecs.toDomain(proof.build()));
    var outputs = good.toBuilder();
    outputs.getStatementBuilder().addOutputs(good.getStatement().getOutputs(0));
    malformed(() -> Codecs.toDomain(outputs.build()));
  }

  /** A transfer to eight payees has nine outputs and points, and a memo block of its own length. */
  @Test
  @Spec({"F-16", "F-17", "F-21", "F-82"})
  void aTransferToEightPayeesHasItsNumbers() {
    TransferRequest pay = samples.transfer(Family.PAY_8, 1);
    io.solidus.wire.v1.TransferRequest good = Codecs.toWire(pay);
    assertThat(Codecs.toDomain(good)).isEqualTo(pay);
    assertThat(pay.statement().outputs()).hasSize(9);
    var outputs = good.toBuilder();
    outputs.getStatementBuilder().removeOutputs(8);
    malformed(() -> Codecs.toDomain(outputs.build()));
    outputs.getStatementBuilder().addOutputs(good.getStatement().getOutputs(8));
    outputs.getStatementBuilder().addOutputs(good.getStatement().getOutputs(0));
    malformed(() -> Codecs.toDomain(outputs.build()));
    var points = good.toBuilder();
    points.getCertificateBuilder(0).addPoints(good.getCertificate(0).getPoints(0));
    malformed(() -> Codecs.toDomain(points.build()));
    var fewer = good.toBuilder();
    fewer
        .getCertificateBuilder(0)
        .clearPoints()
        .addAllPoints(good.getCertificate(0).getPointsList().subList(0, 2));
    malformed(() -> Codecs.toDomain(fewer.build()));
    for (int length : new int[] {0, 1024, 2559, 2561}) {
      var memo = good.toBuilder();
      memo.getAttachmentsBuilder().setMemoBlock(ByteString.copyFrom(new byte[length]));
      malformed(() -> Codecs.toDomain(memo.build()));
    }
    var longer = Codecs.toWire(samples.transfer(Family.TRANSFER, 0)).toBuilder();
    longer.getAttachmentsBuilder().setMemoBlock(good.getAttachments().getMemoBlock());
    malformed(() -> Codecs.toDomain(longer.build()));
    var recover = Codecs.toWire(samples.recover(2)).toBuilder();
    recover.getAttachmentsBuilder().setMemoBlock(good.getAttachments().getMemoBlock());
    malformed(() -> Codecs.toDomain(recover.build()));
  }

  /** The votes that go with a request of the largest committee fit a message and a body. */
  @Test
  @Spec("V-41")
  void enoughVotesOfTheLargestCommitteeFitAMessage() {
    int f = (Committee.MAX_MEMBERS - 1) / 3;
    TransferRequest enough = samples.transfer(Family.PAY_8, f + 3);
    assertThat(Codecs.transferRequest(Codecs.toBytes(enough))).isEqualTo(enough);
    assertThat(WireJson.write(TransferRequestJson.of(enough))).hasSizeLessThan(65_536);
    TransferRequest all = samples.transfer(Family.PAY_8, Committee.MAX_MEMBERS);
    malformed(() -> Codecs.transferRequest(Codecs.toBytes(all)));
  }

  @Test
  @Spec("W-09")
  void signedStatesRoundTrip() {
    SignedStates states = samples.signedStates();
    assertThat(Codecs.toDomain(Codecs.toWire(states))).isEqualTo(states);
    String json = WireJson.write(SignedStatesJson.of(states));
    assertThat(WireJson.read(json, SignedStatesJson.class).toDomain()).isEqualTo(states);
    io.solidus.wire.v1.SignedStates message = Codecs.toWire(states);
    malformed(() -> Codecs.toDomain(message.toBuilder().clearFloors().build()));
    malformed(() -> Codecs.toDomain(message.toBuilder().clearStates().build()));
    malformed(() -> Codecs.toDomain(message.toBuilder().setSignature(ByteString.EMPTY).build()));
    malformed(() -> Codecs.toDomain(message.toBuilder().addStates(message.getStates(0)).build()));
    malformed(() ->
        Codecs.toDomain(
            message.toBuilder()
                .setStates(1, message.getStates(1).toBuilder().clearCore())
                .build()));
  }

  /** What an authority signs about a request is about all of it. */
  @Test
  @Spec("W-09")
  void aDigestIsOfTheWholeRequest() {
    TransferRequest request = samples.transfer(Family.TRANSFER, 2);
    TransferRequest fewer =
        new TransferRequest(
            request.statement(),
            request.evidence(),
            request.attachments(),
            request.certificate().subList(0, 1));
    assertThat(Codecs.digest(request))
        .isEqualTo(Digest32.sha256(Codecs.toBytes(request)))
        .isNotEqualTo(Codecs.digest(fewer));
  }

  @Test
  void refusesWrongLengthsEverywhere() {
    byte[] longer = new byte[97];
    byte[] none = new byte[0];
    for (byte[] wrong : List.of(longer, none)) {
      ByteString value = ByteString.copyFrom(wrong);
      malformed(statement(s -> s.setSerials(0, value)));
      malformed(statement(s -> s.setContext(value)));
      malformed(statement(s -> s.setOutputs(0, s.getOutputs(0).toBuilder().setCm(value))));
      malformed(statement(s -> s.setOutputs(1, s.getOutputs(1).toBuilder().setK(value))));
      malformed(evidence(e -> e.setRk(value)));
      malformed(evidence(e -> e.setProof(value)));
      malformed(evidence(e -> e.setRkSignature(value)));
      malformed(evidence(e -> e.setShows(2, e.getShows(2).toBuilder().setS(value))));
      malformed(attachments(a -> a.setPayoutBlock(value)));
      malformed(attachments(a -> a.setMemoBlock(value)));
    }
  }

  @Test
  @Spec("V-01")
  void refusesMissingPartsAndWrongCounts() {
    malformed(() -> Codecs.toDomain(transfer().clearStatement().build()));
    malformed(() -> Codecs.toDomain(transfer().clearEvidence().build()));
    malformed(() -> Codecs.toDomain(transfer().clearAttachments().build()));
    malformed(statement(s -> s.removeOutputs(0)));
    malformed(statement(s -> s.addSerials(s.getSerials(0))));
    malformed(statement(TransferStatement.Builder::clearSerials));
    malformed(evidence(e -> e.removeShows(0)));
    malformed(
        statement(s -> {
          for (int i = 0; i < 100; i++) {
            s.addOutputs(BlindedCoin.getDefaultInstance());
          }
        }));
  }

  @Test
  void refusesUnknownFamiliesAndNumbersOutOfRange() {
    for (int family : new int[] {0, 1, 2, 5, 6, 7, -1}) {
      malformed(statement(s -> s.setFamily(family)));
    }
    malformed(statement(s -> s.setWithdrawnMinor(-1)));
    malformed(statement(s -> s.setPeriod(-1)));
    malformed(evidence(e -> e.setPolicyVersion(-1)));
    malformed(evidence(e -> e.setCircuitVersion(-1)));
  }

  @Test
  void refusesARepeatedSerialNumberWithItsOwnCode() {
    refused(RejectionCode.SERIALS_NOT_DISTINCT, statement(s -> s.setSerials(1, s.getSerials(2))));
  }

  @Test
  void refusesTheIdentityWithItsOwnCode() {
    ByteString zeros = ByteString.copyFrom(new byte[96]);
    ByteString zeroOne =
        ByteString.copyFrom(new byte[63]).concat(ByteString.copyFrom(new byte[] {1}));
    refused(RejectionCode.IDENTITY_POINT, evidence(e -> e.setRk(zeroOne)));
    refused(
        RejectionCode.IDENTITY_POINT,
        evidence(e -> e.setShows(0, e.getShows(0).toBuilder().setH(zeros))));
  }

  @Test
  void refusesUnknownFieldsAtEveryDepth() {
    UnknownFieldSet extra =
        UnknownFieldSet.newBuilder()
            .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    malformed(() -> Codecs.toDomain(transfer().setUnknownFields(extra).build()));
    malformed(statement(s -> s.setUnknownFields(extra)));
    malformed(statement(s -> s.setOutputs(0, s.getOutputs(0).toBuilder().setUnknownFields(extra))));
    malformed(evidence(e -> e.setUnknownFields(extra)));
    malformed(attachments(a -> a.setUnknownFields(extra)));
  }

  @Test
  void storedBytesAreCanonicalOrRefused() {
    byte[] good = Codecs.toBytes(samples.transfer(Family.TRANSFER, 1));
    malformed(() -> Codecs.transferRequest(Arrays.copyOf(good, good.length - 1)));
    malformed(() -> Codecs.transferRequest(new byte[0]));
    malformed(() -> Codecs.transferRequest(new byte[Codecs.MAX_BYTES + 1]));
    // protobuf permits a singular message field twice: the same value, other bytes
    byte[] twice = Arrays.copyOf(good, good.length * 2);
    System.arraycopy(good, 0, twice, good.length, good.length);
    malformed(() -> Codecs.transferRequest(twice));
    // the period as a longer varint
    malformed(() -> {
      byte[] partial = Codecs.toBytes(samples.partial(1, 1));
      byte[] padded = new byte[partial.length + 1];
      padded[0] = partial[0];
      padded[1] = (byte) (partial[1] | 0x80);
      System.arraycopy(partial, 2, padded, 3, partial.length - 2);
      Codecs.partialSignature(padded);
    });
  }

  @Test
  void mutatedBytesAreDecodedOrRefused() {
    MutatedBytes.decodeOrRefuse(
        Codecs.toBytes(samples.transfer(Family.TRANSFER, 2)),
        20_000,
        Codecs::transferRequest,
        Codecs::toBytes);
  }

  private io.solidus.wire.v1.TransferRequest.Builder transfer() {
    return Codecs.toWire(samples.transfer(Family.TRANSFER, 0)).toBuilder();
  }

  private ThrowingCallable statement(Consumer<TransferStatement.Builder> change) {
    return () -> {
      io.solidus.wire.v1.TransferRequest.Builder request = transfer();
      change.accept(request.getStatementBuilder());
      Codecs.toDomain(request.build());
    };
  }

  private ThrowingCallable evidence(Consumer<TransferEvidence.Builder> change) {
    return () -> {
      io.solidus.wire.v1.TransferRequest.Builder request = transfer();
      change.accept(request.getEvidenceBuilder());
      Codecs.toDomain(request.build());
    };
  }

  private ThrowingCallable attachments(Consumer<Attachments.Builder> change) {
    return () -> {
      io.solidus.wire.v1.TransferRequest.Builder request = transfer();
      change.accept(request.getAttachmentsBuilder());
      Codecs.toDomain(request.build());
    };
  }

  private static void malformed(ThrowingCallable call) {
    refused(RejectionCode.MALFORMED_REQUEST, call);
  }

  private static void refused(RejectionCode code, ThrowingCallable call) {
    ProtocolException refusal = catchThrowableOfType(ProtocolException.class, call);
    assertThat(refusal).as("refusal").isNotNull();
    assertThat(refusal.code()).isEqualTo(code);
  }
}
