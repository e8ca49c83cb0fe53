package io.solidus.wallet.proving;

import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.prover.MintWitness;
import io.solidus.prover.RegisterWitness;
import io.solidus.prover.TransferWitness;
import io.solidus.prover.UnregulatedWitness;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wire.hpke.HpkeException;
import io.solidus.wire.hpke.ProofEnvelope;
import java.util.Arrays;

/**
 * Proofs of the prover service that the wallet's owner chose. The prover learns the witness, which
 * does not contain the spend key, so it can see a payment but not make one. The witness is sealed
 * to the prover's key, the proof to the wallet, so the gateway sees neither. The wallet verifies
 * every proof before it sends a request.
 */
public final class DelegatedProofs implements ProofSource {
  private final NetworkId network;
  private final EncryptionKey prover;
  private final GatewayClient gateway;

  /**
   * Proofs over a gateway.
   *
   * @param prover public key that the wallet's owner pinned; the holder of its private key sees the
   *     payments
   */
  public DelegatedProofs(NetworkId network, EncryptionKey prover, GatewayClient gateway) {
    this.network = network;
    this.prover = prover;
    this.gateway = gateway;
  }

  @Override
  public byte[] proveTransfer(TransferWitness witness) {
    return prove(witness.plan().family(), witness.toBytes());
  }

  @Override
  public byte[] proveUnregulated(UnregulatedWitness witness) {
    return prove(Family.TRANSFER_UNREGULATED, witness.toBytes());
  }

  @Override
  public byte[] proveRegister(RegisterWitness witness) {
    return prove(Family.REGISTER, witness.toBytes());
  }

  @Override
  public byte[] proveMint(MintWitness witness) {
    return prove(Family.MINT, witness.toBytes());
  }

  private byte[] prove(Family family, byte[] witness) {
    try (ProofEnvelope.Asked asked = ProofEnvelope.seal(prover, network, family, witness)) {
      return asked.openProof(gateway.prove(family, asked.message()));
    } catch (HpkeException e) {
      throw new WalletException(
          WalletError.PROOF_UNVERIFIED, "the prover's answer cannot be opened", e);
    } finally {
      Arrays.fill(witness, (byte) 0);
    }
  }
}
