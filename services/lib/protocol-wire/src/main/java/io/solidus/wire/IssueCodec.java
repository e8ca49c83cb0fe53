package io.solidus.wire;

import static io.solidus.wire.StrictDecoding.all;
import static io.solidus.wire.StrictDecoding.bytes;
import static io.solidus.wire.StrictDecoding.known;
import static io.solidus.wire.StrictDecoding.present;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;

/** Converts registrations and mints, the statements that create coins. */
final class IssueCodec {
  private static final int MAX_APPROVALS = 8;

  private IssueCodec() {}

  static io.solidus.wire.v1.RegisterRequest encode(RegisterRequest request) {
    return io.solidus.wire.v1.RegisterRequest.newBuilder()
        .setStatement(encode(request.statement()))
        .setCircuitVersion(request.circuitVersion())
        .setRk(bytes(request.rk().bytes()))
        .setProof(bytes(request.proof()))
        .setRkSignature(bytes(request.rkSignature()))
        .build();
  }

  static RegisterRequest decode(io.solidus.wire.v1.RegisterRequest in) {
    known(in);
    present(in.hasStatement(), "statement");
    return new RegisterRequest(
        decode(in.getStatement()),
        in.getCircuitVersion(),
        new KeyPoint(in.getRk().toByteArray()),
        in.getProof().toByteArray(),
        in.getRkSignature().toByteArray());
  }

  static io.solidus.wire.v1.RegisterStatement encode(RegisterStatement statement) {
    return io.solidus.wire.v1.RegisterStatement.newBuilder()
        .setApk(bytes(statement.apk().bytes()))
        .setCoin(TransferCodec.encode(statement.coin()))
        .build();
  }

  static RegisterStatement decode(io.solidus.wire.v1.RegisterStatement in) {
    known(in);
    present(in.hasCoin(), "coin");
    return new RegisterStatement(
        Apk.of(in.getApk().toByteArray()), TransferCodec.decode(in.getCoin()));
  }

  static io.solidus.wire.v1.MintRequest encode(MintRequest request) {
    io.solidus.wire.v1.MintRequest.Builder out =
        io.solidus.wire.v1.MintRequest.newBuilder()
            .setStatement(encode(request.statement()))
            .setCircuitVersion(request.circuitVersion())
            .setProof(bytes(request.proof()));
    request.approvals().forEach(approval -> out.addApprovals(encode(approval)));
    return out.build();
  }

  static MintRequest decode(io.solidus.wire.v1.MintRequest in) {
    known(in);
    present(in.hasStatement(), "statement");
    return new MintRequest(
        decode(in.getStatement()),
        in.getCircuitVersion(),
        in.getProof().toByteArray(),
        all(in.getApprovalsList(), MAX_APPROVALS, "approvals", IssueCodec::decode));
  }

  static io.solidus.wire.v1.MintStatement encode(MintStatement statement) {
    return io.solidus.wire.v1.MintStatement.newBuilder()
        .setMintId(bytes(statement.mintId().bytes()))
        .setValueMinor(statement.value().minor())
        .setCoin(TransferCodec.encode(statement.coin()))
        .build();
  }

  static MintStatement decode(io.solidus.wire.v1.MintStatement in) {
    known(in);
    present(in.hasCoin(), "coin");
    return new MintStatement(
        MintId.of(in.getMintId().toByteArray()),
        new Amount(in.getValueMinor()),
        TransferCodec.decode(in.getCoin()));
  }

  static io.solidus.wire.v1.MintApproval encode(MintApproval approval) {
    return io.solidus.wire.v1.MintApproval.newBuilder()
        .setApprover(approval.approver())
        .setSignature(bytes(approval.signature()))
        .build();
  }

  static MintApproval decode(io.solidus.wire.v1.MintApproval in) {
    known(in);
    return new MintApproval(in.getApprover(), in.getSignature().toByteArray());
  }
}
