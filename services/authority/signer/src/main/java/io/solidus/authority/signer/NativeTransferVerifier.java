package io.solidus.authority.signer;

import io.solidus.protocol.NetworkKind;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.TransferBatchItem;
import io.solidus.prover.Verifier;
import java.util.List;

/** Verifies transfers of either kind of network in the native library. */
record NativeTransferVerifier(Verifier verifier, NetworkKind kind) implements TransferVerifier {

  @Override
  public NativeErrorCode alone(PendingVerification t) {
    return kind == NetworkKind.REGULATED
        ? verifier.verifyTransfer(t.statement(), t.evidence(), t.terms().limits(), t.terms().root())
        : verifier.verifyUnregulated(t.statement(), t.evidence());
  }

  @Override
  public List<NativeErrorCode> together(List<PendingVerification> transfers) {
    return verifier.verifyTransfers(transfers.stream().map(this::item).toList());
  }

  private TransferBatchItem item(PendingVerification t) {
    return kind == NetworkKind.REGULATED
        ? new TransferBatchItem(t.statement(), t.evidence(), t.terms().limits(), t.terms().root())
        : TransferBatchItem.unregulated(t.statement(), t.evidence());
  }
}
