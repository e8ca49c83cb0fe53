package io.solidus.validator.shard;

import io.solidus.validator.authority.GrpcReplies;
import io.solidus.wire.v1.CheckMintRequest;
import io.solidus.wire.v1.CheckTransferRequest;
import io.solidus.wire.v1.MintRequest;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.SignMintRequest;
import io.solidus.wire.v1.SignTransferRequest;
import io.solidus.wire.v1.SignerServiceGrpc.SignerServiceBlockingStub;
import io.solidus.wire.v1.TransferRequest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** This authority's signer. Its word that a proof verifies is the shard's check; its signature is the shard's answer. */
class Signer {

  private final SignerServiceBlockingStub stub;
  private final Duration deadline;

  Signer(SignerServiceBlockingStub stub, Duration deadline) {
    this.stub = stub;
    this.deadline = deadline;
  }

  /** @throws io.solidus.protocol.ProtocolException when the signer would refuse to sign */
  void check(TransferRequest request) {
    GrpcReplies.requireChecked(call().checkTransfer(CheckTransferRequest.newBuilder().setRequest(request).build()));
  }

  void check(MintRequest request) {
    GrpcReplies.requireChecked(call().checkMint(CheckMintRequest.newBuilder().setRequest(request).build()));
  }

  PartialSignature sign(TransferRequest request) {
    return GrpcReplies.signed(call().signTransfer(SignTransferRequest.newBuilder().setRequest(request).build()));
  }

  PartialSignature sign(MintRequest request) {
    return GrpcReplies.signed(call().signMint(SignMintRequest.newBuilder().setRequest(request).build()));
  }

  private SignerServiceBlockingStub call() {
    return stub.withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS);
  }
}
