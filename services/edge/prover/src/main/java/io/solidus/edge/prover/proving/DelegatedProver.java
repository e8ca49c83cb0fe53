package io.solidus.edge.prover.proving;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.prover.MintWitness;
import io.solidus.prover.Prover;
import io.solidus.prover.RegisterWitness;
import io.solidus.prover.TransferWitness;
import io.solidus.prover.UnregulatedWitness;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.ProofEnvelope;
import io.solidus.wire.hpke.SealedMessage;
import java.security.SecureRandom;

/**
 * Turns a sealed witness into a sealed proof. The witness stays sealed while it waits in the queue.
 * Its plain bytes exist only during the proof and are overwritten afterwards, also after a failure.
 * The values that the proof is computed with are not: they stay in this process's memory until it
 * is used for something else.
 */
final class DelegatedProver {
  private final NetworkId network;
  private final Prover prover;
  private final ProofQueue queue;
  private final HpkePrivateKey key;
  private final MeterRegistry metrics;
  private final SecureRandom random = new SecureRandom();

  DelegatedProver(
      NetworkId network,
      Prover prover,
      ProofQueue queue,
      HpkePrivateKey key,
      MeterRegistry metrics) {
    this.network = network;
    this.prover = prover;
    this.queue = queue;
    this.key = key;
    this.metrics = metrics;
  }

  /**
   * The sealed proof. Proofs of shapes take up to three times as long as others, at the price of
   * one, and no wallet delegates them: they are refused before they have a place in the queue.
   *
   * @throws RuntimeException HpkeException, NativeException or ProtocolException; none of them
   *     contains the witness
   */
  byte[] prove(Family family, SealedMessage sealed) {
    if (family.isShape()) {
      throw notProvedHere();
    }
    Timer.Sample time = Timer.start(metrics);
    String outcome = "failed";
    try {
      byte[] proof = queue.run(() -> proveNow(family, sealed));
      outcome = "proved";
      return proof;
    } finally {
      time.stop(
          metrics.timer("solidus.prover.proof.time", "family", family.name(), "outcome", outcome));
    }
  }

  private byte[] proveNow(Family family, SealedMessage sealed) {
    try (ProofEnvelope.Opened opened = ProofEnvelope.open(key, network, family, sealed)) {
      return opened.sealProof(prove(family, opened.witness()), random);
    }
  }

  /**
   * The key set refuses a family that the network's kind does not have, because it lacks the
   * circuit.
   */
  private byte[] prove(Family family, byte[] witness) {
    return switch (family) {
      case TRANSFER -> prover.proveTransfer(TransferWitness.fromBytes(witness, family));
      case TRANSFER_UNREGULATED -> prover.proveUnregulated(UnregulatedWitness.fromBytes(witness));
      case REGISTER -> prover.proveRegister(RegisterWitness.fromBytes(witness));
      case MINT -> prover.proveMint(MintWitness.fromBytes(witness));
      case CLAIM_16, PAY_8, RECOVER, DISCLOSE -> throw notProvedHere();
    };
  }

  private static ProtocolException notProvedHere() {
    return ProtocolException.malformed("this family is not proved here");
  }
}
