package io.solidus.loadtest.forge;

import io.solidus.protocol.Family;
import io.solidus.prover.MintWitness;
import io.solidus.prover.RegisterWitness;
import io.solidus.prover.TransferWitness;
import io.solidus.wallet.proving.ProofSource;

/**
 * Proofs for real wallets of a load-test network, in milliseconds instead of seconds. Witnesses are
 * judged as a prover judges them, so a wallet that claims what is not so is refused here too;
 * whoever wants a proof of a false statement asks the {@link Simulator} itself.
 */
public final class SimulatedProofs implements ProofSource {
  private final Simulator simulator;

  /**
   * @param simulator the caller's, who closes it
   */
  public SimulatedProofs(Simulator simulator) {
    this.simulator = simulator;
  }

  @Override
  public byte[] proveTransfer(TransferWitness witness) {
    return simulator.prove(Family.TRANSFER, witness.toBytes());
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
