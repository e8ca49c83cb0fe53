package io.solidus.wallet.proving;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.prover.MintWitness;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import io.solidus.prover.Prover;
import io.solidus.prover.RecoverWitness;
import io.solidus.prover.RegisterWitness;
import io.solidus.prover.TransferWitness;
import io.solidus.prover.UnregulatedWitness;
import java.util.function.Supplier;

/** Proofs made in this process, so that no witness leaves it. */
public final class LocalProofs implements ProofSource {
  private final Prover prover;

  public LocalProofs(Prover prover) {
    this.prover = prover;
  }

  @Override
  public byte[] proveTransfer(TransferWitness witness) {
    return unlessBusy(() -> prover.proveTransfer(witness));
  }

  @Override
  public byte[] proveUnregulated(UnregulatedWitness witness) {
    return unlessBusy(() -> prover.proveUnregulated(witness));
  }

  @Override
  public byte[] proveRegister(RegisterWitness witness) {
    return unlessBusy(() -> prover.proveRegister(witness));
  }

  @Override
  public byte[] proveMint(MintWitness witness) {
    return unlessBusy(() -> prover.proveMint(witness));
  }

  /** A recover's proof; a wallet with a prover makes it here as well. */
  public byte[] proveRecover(RecoverWitness witness) {
    return unlessBusy(() -> prover.proveRecover(witness));
  }

  private static byte[] unlessBusy(Supplier<byte[]> prove) {
    try {
      return prove.get();
    } catch (NativeException e) {
      if (e.code() == NativeErrorCode.OVERLOADED || e.code() == NativeErrorCode.DEADLINE_EXCEEDED) {
        throw new ProtocolException(
            RejectionCode.OVERLOADED, "this machine has too many proofs to make", e);
      }
      throw e;
    }
  }
}
