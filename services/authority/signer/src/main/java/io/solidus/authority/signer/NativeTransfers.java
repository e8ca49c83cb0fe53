package io.solidus.authority.signer;

import io.solidus.protocol.NetworkKind;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.TransferCheck;
import io.solidus.prover.Verifier;
import java.util.List;

/** Hands transfers of either kind of network to the library. */
record NativeTransfers(Verifier verifier, NetworkKind kind) implements TransferVerifier {

  @Override
  public NativeErrorCode alone(Verification t) {
    return kind == NetworkKind.REGULATED
        ? verifier.verifyTransfer(
            t.statement(), t.evidence(), t.admission().limits(), t.admission().root())
        : verifier.verifyUnregulated(t.statement(), t.evidence());
  }

  @Override
  public List<NativeErrorCode> together(List<Verification> transfers) {
    return verifier.verifyTransfers(transfers.stream().map(this::item).toList());
  }

  private TransferCheck item(Verification t) {
    return kind == NetworkKind.REGULATED
        ? new TransferCheck(
            t.statement(), t.evidence(), t.admission().limits(), t.admission().root())
        : TransferCheck.unregulated(t.statement(), t.evidence());
  }
}
