package io.solidus.wallet.proving;

import io.solidus.prover.MintWitness;
import io.solidus.prover.RegisterWitness;
import io.solidus.prover.TransferWitness;
import io.solidus.prover.UnregulatedWitness;

/** Makes proofs, each of the length of its family. No witness contains the spend key. */
public interface ProofSource {
  byte[] proveTransfer(TransferWitness witness);

  byte[] proveUnregulated(UnregulatedWitness witness);

  byte[] proveRegister(RegisterWitness witness);

  byte[] proveMint(MintWitness witness);
}
