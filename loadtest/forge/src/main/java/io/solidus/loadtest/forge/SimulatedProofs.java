package io.solidus.loadtest.forge;

import io.solidus.protocol.Family;
import io.solidus.prover.MintWitness;
import io.solidus.prover.RegisterWitness;
import io.solidus.prover.TransferWitness;
import io.solidus.prover.UnregulatedWitness;
import io.solidus.wallet.proving.ProofSource;

/**
 * Proofs for wallets of a load-test network, in milliseconds instead of seconds. Witnesses are
 * checked as a prover checks them, so a false claim is refused. The {@link Simulator} itself proves
 * false statements too.
 */
public final class SimulatedProofs implements ProofSource {
  private final Simulator simulator;

  /** Uses a simulator that the caller closes. */
  public SimulatedProofs(Simulator simulator) {
    this.simulator = simulator;
  }

  @Override
  public byte[] proveTransfer(TransferWitness witness) {
    return simulator.prove(Family.TRANSFER, witness.toBytes());
  }

  @Override
  public byte[] proveUnregulated(UnregulatedWitness witness) {
    return simulator.prove(Family.TRANSFER_UNREGULATED, witness.toBytes());
  }

  @Override
  public byte[] proveRegister(RegisterWitness witness) {
    return simulator.prove(Family.REGISTER, witness.toBytes());
  }

  @Override
  public byte[] proveMint(MintWitness witness) {
    return simulator.prove(Family.MINT, witness.toBytes());
  }
}
