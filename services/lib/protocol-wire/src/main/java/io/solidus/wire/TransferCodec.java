package io.solidus.wire;

import static io.solidus.wire.StrictDecoding.all;
import static io.solidus.wire.StrictDecoding.bytes;
import static io.solidus.wire.StrictDecoding.known;
import static io.solidus.wire.StrictDecoding.present;

import com.google.protobuf.ByteString;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Answer;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Period;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.Vote;
import io.solidus.wire.v1.TransferEvidence;
import java.util.Optional;

/** Converts transfers and their parts. */
final class TransferCodec {
  private static final int MAX_PARTS = Family.MAX_SERIALS;

  private TransferCodec() {}

  static io.solidus.wire.v1.TransferRequest encode(TransferRequest request) {
    io.solidus.wire.v1.TransferRequest.Builder out =
        io.solidus.wire.v1.TransferRequest.newBuilder()
            .setStatement(encode(request.statement()))
            .setEvidence(encode(request.evidence()))
            .setAttachments(encode(request.attachments()));
    request.certificate().forEach(partial -> out.addCertificate(encode(partial)));
    return out.build();
  }

  static TransferRequest decode(io.solidus.wire.v1.TransferRequest in) {
    known(in);
    present(in.hasStatement(), "statement");
    present(in.hasEvidence(), "evidence");
    present(in.hasAttachments(), "attachments");
    return new TransferRequest(
        decode(in.getStatement()),
        decode(in.getEvidence()),
        decode(in.getAttachments()),
        all(in.getCertificateList(), Committee.MAX_MEMBERS, "certificate", TransferCodec::decode));
  }

  static io.solidus.wire.v1.TransferStatement encode(TransferStatement statement) {
    io.solidus.wire.v1.TransferStatement.Builder out =
        io.solidus.wire.v1.TransferStatement.newBuilder()
            .setFamily(statement.family().code())
            .setPeriod(statement.period().yyyymm())
            .setWithdrawnMinor(statement.withdrawn().minor())
            .setContext(bytes(statement.context().bytes()));
    statement.serials().forEach(serial -> out.addSerials(bytes(serial.bytes())));
    statement.outputs().forEach(coin -> out.addOutputs(encode(coin)));
    return out.build();
  }

  static TransferStatement decode(io.solidus.wire.v1.TransferStatement in) {
    known(in);
    return new TransferStatement(
        Family.of(in.getFamily()),
        all(
            in.getSerialsList(),
            MAX_PARTS,
            "serials",
            serial -> SerialNumber.of(serial.toByteArray())),
        all(in.getOutputsList(), MAX_PARTS, "outputs", TransferCodec::decode),
        new Period(in.getPeriod()),
        new Amount(in.getWithdrawnMinor()),
        new Digest32(in.getContext().toByteArray()));
  }

  static TransferEvidence encode(Evidence evidence) {
    TransferEvidence.Builder out =
        TransferEvidence.newBuilder()
            .setPolicyVersion(evidence.policyVersion())
            .setCheckpointVersion(evidence.checkpointVersion())
            .setCircuitVersion(evidence.circuitVersion())
            .setRk(bytes(evidence.rk().bytes()))
            .setProof(bytes(evidence.proof()))
            .setRkSignature(bytes(evidence.rkSignature()));
    evidence.shows().forEach(show -> out.addShows(encode(show)));
    return out.build();
  }

  static Evidence decode(TransferEvidence in) {
    known(in);
    return new Evidence(
        in.getPolicyVersion(),
        in.getCheckpointVersion(),
        in.getCircuitVersion(),
        new KeyPoint(in.getRk().toByteArray()),
        all(in.getShowsList(), MAX_PARTS, "shows", TransferCodec::decode),
        in.getProof().toByteArray(),
        in.getRkSignature().toByteArray());
  }

  static io.solidus.wire.v1.Attachments encode(Attachments attachments) {
    return io.solidus.wire.v1.Attachments.newBuilder()
        .setPayoutBlock(bytes(attachments.payoutBlock()))
        .setMemoBlock(bytes(attachments.memoBlock()))
        .build();
  }

  static Attachments decode(io.solidus.wire.v1.Attachments in) {
    known(in);
    return new Attachments(in.getPayoutBlock().toByteArray(), in.getMemoBlock().toByteArray());
  }

  static io.solidus.wire.v1.BlindedCoin encode(BlindedCoin coin) {
    return io.solidus.wire.v1.BlindedCoin.newBuilder()
        .setCm(bytes(coin.cm().bytes()))
        .setK(bytes(coin.k().bytes()))
        .build();
  }

  static BlindedCoin decode(io.solidus.wire.v1.BlindedCoin in) {
    known(in);
    return new BlindedCoin(new FieldElement(in.getCm().toByteArray()), g1(in.getK()));
  }

  static io.solidus.wire.v1.ShownSignature encode(ShownSignature show) {
    return io.solidus.wire.v1.ShownSignature.newBuilder()
        .setH(bytes(show.h().bytes()))
        .setM(bytes(show.m().bytes()))
        .setS(bytes(show.s().bytes()))
        .build();
  }

  static ShownSignature decode(io.solidus.wire.v1.ShownSignature in) {
    known(in);
    return new ShownSignature(g1(in.getH()), g1(in.getM()), g1(in.getS()));
  }

  static io.solidus.wire.v1.PartialSignature encode(PartialSignature partial) {
    io.solidus.wire.v1.PartialSignature.Builder out =
        io.solidus.wire.v1.PartialSignature.newBuilder()
            .setAuthority(partial.authority())
            .setShareEpoch(partial.shareEpoch())
            .setVote(bytes(partial.vote().bytes()));
    partial.points().forEach(point -> out.addPoints(bytes(point.bytes())));
    return out.build();
  }

  static io.solidus.wire.v1.PartialSignature encode(Answer answer) {
    io.solidus.wire.v1.PartialSignature.Builder out = encode(answer.present()).toBuilder();
    answer.former().ifPresent(former -> out.setFormer(encode(former)));
    return out.build();
  }

  static Answer decodeAnswer(io.solidus.wire.v1.PartialSignature in) {
    return new Answer(
        decode(in.toBuilder().clearFormer().build()),
        in.hasFormer() ? Optional.of(decode(in.getFormer())) : Optional.empty());
  }

  static PartialSignature decode(io.solidus.wire.v1.PartialSignature in) {
    known(in);
    if (in.hasFormer()) {
      throw ProtocolException.malformed("only an answer has a part in a former epoch");
    }
    return new PartialSignature(
        in.getAuthority(),
        in.getShareEpoch(),
        all(in.getPointsList(), MAX_PARTS, "points", TransferCodec::g1),
        new Vote(in.getVote().toByteArray()));
  }

  static G1Point g1(ByteString bytes) {
    return new G1Point(bytes.toByteArray());
  }
}
