package io.solidus.wire;

import static io.solidus.wire.StrictDecoding.all;
import static io.solidus.wire.StrictDecoding.bytes;
import static io.solidus.wire.StrictDecoding.known;
import static io.solidus.wire.StrictDecoding.present;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RecoverEvidence;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RecoverStatement;
import io.solidus.protocol.RequestBelow;
import io.solidus.protocol.RequestBelow.RecoverBelow;
import io.solidus.protocol.RequestBelow.TransferBelow;
import io.solidus.protocol.ResolvedRecover;
import io.solidus.protocol.SerialNumber;

/** Converts recovers and their parts. */
final class RecoverCodec {
  private static final int MAX_PARTS = 2;

  private RecoverCodec() {}

  static io.solidus.wire.v1.RecoverRequest encode(RecoverRequest request) {
    io.solidus.wire.v1.RecoverRequest.Builder out =
        io.solidus.wire.v1.RecoverRequest.newBuilder()
            .setStatement(encode(request.statement()))
            .setEvidence(encode(request.evidence()))
            .setAttachments(TransferCodec.encode(request.attachments()));
    request.below().forEach(below -> out.addBelow(encode(below)));
    return out.build();
  }

  static RecoverRequest decode(io.solidus.wire.v1.RecoverRequest in) {
    known(in);
    present(in.hasStatement(), "statement");
    present(in.hasEvidence(), "evidence");
    present(in.hasAttachments(), "attachments");
    return new RecoverRequest(
        all(in.getBelowList(), ResolvedRecover.MAX_BELOW, "below", RecoverCodec::decode),
        decode(in.getStatement()),
        decode(in.getEvidence()),
        TransferCodec.decode(in.getAttachments()));
  }

  private static io.solidus.wire.v1.RequestBelow encode(RequestBelow below) {
    io.solidus.wire.v1.RequestBelow.Builder out = io.solidus.wire.v1.RequestBelow.newBuilder();
    switch (below) {
      case TransferBelow transfer ->
          out.getTransferBuilder()
              .setStatement(TransferCodec.encode(transfer.statement()))
              .setEvidence(TransferCodec.encode(transfer.evidence()));
      case RecoverBelow recover ->
          out.getRecoverBuilder()
              .setStatement(encode(recover.statement()))
              .setEvidence(encode(recover.evidence()));
    }
    return out.build();
  }

  private static RequestBelow decode(io.solidus.wire.v1.RequestBelow in) {
    known(in);
    return switch (in.getRequestCase()) {
      case TRANSFER -> decode(in.getTransfer());
      case RECOVER -> decode(in.getRecover());
      case REQUEST_NOT_SET -> throw ProtocolException.malformed("no request below a recover");
    };
  }

  private static TransferBelow decode(io.solidus.wire.v1.TransferBelow in) {
    known(in);
    present(in.hasStatement(), "statement");
    present(in.hasEvidence(), "evidence");
    return new TransferBelow(
        TransferCodec.decode(in.getStatement()), TransferCodec.decode(in.getEvidence()));
  }

  private static RecoverBelow decode(io.solidus.wire.v1.RecoverBelow in) {
    known(in);
    present(in.hasStatement(), "statement");
    present(in.hasEvidence(), "evidence");
    return new RecoverBelow(decode(in.getStatement()), decode(in.getEvidence()));
  }

  private static io.solidus.wire.v1.RecoverStatement encode(RecoverStatement statement) {
    io.solidus.wire.v1.RecoverStatement.Builder out =
        io.solidus.wire.v1.RecoverStatement.newBuilder()
            .setFirst(statement.first())
            .setSecond(statement.second())
            .setCredits(statement.credits())
            .setContext(bytes(statement.context().bytes()));
    statement.next().forEach(serial -> out.addNext(bytes(serial.bytes())));
    statement.returned().forEach(serial -> out.addReturned(bytes(serial.bytes())));
    statement.outputs().forEach(coin -> out.addOutputs(TransferCodec.encode(coin)));
    return out.build();
  }

  private static RecoverStatement decode(io.solidus.wire.v1.RecoverStatement in) {
    known(in);
    return new RecoverStatement(
        in.getFirst(),
        in.getSecond(),
        all(in.getNextList(), MAX_PARTS, "next", serial -> SerialNumber.of(serial.toByteArray())),
        all(
            in.getReturnedList(),
            MAX_PARTS,
            "returned",
            serial -> new FieldElement(serial.toByteArray())),
        in.getCredits(),
        all(in.getOutputsList(), MAX_PARTS, "outputs", TransferCodec::decode),
        new Digest32(in.getContext().toByteArray()));
  }

  private static io.solidus.wire.v1.RecoverEvidence encode(RecoverEvidence evidence) {
    return io.solidus.wire.v1.RecoverEvidence.newBuilder()
        .setCircuitVersion(evidence.circuitVersion())
        .setRk(bytes(evidence.rk().bytes()))
        .setProof(bytes(evidence.proof()))
        .setRkSignature(bytes(evidence.rkSignature()))
        .build();
  }

  private static RecoverEvidence decode(io.solidus.wire.v1.RecoverEvidence in) {
    known(in);
    return new RecoverEvidence(
        in.getCircuitVersion(),
        new KeyPoint(in.getRk().toByteArray()),
        in.getProof().toByteArray(),
        in.getRkSignature().toByteArray());
  }
}
