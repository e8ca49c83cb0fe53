package io.solidus.authority.signer;

import io.solidus.protocol.Attestation;
import io.solidus.protocol.AttestationCheck;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.prover.Verifier;
import java.nio.ByteBuffer;

/**
 * Checks a registration: the registration authority attested exactly this blinded compliance coin
 * for this address, and the proof holds. The verdict on the same evidence is remembered.
 */
final class RegistrationChecker {

  private final SignerNetwork network;
  private final AttestationCheck attestations;
  private final Verifier verifier;
  private final EvidenceVerdicts verdicts;

  RegistrationChecker(
      SignerNetwork network,
      AttestationCheck attestations,
      Verifier verifier,
      EvidenceVerdicts verdicts) {
    this.network = network;
    this.attestations = attestations;
    this.verifier = verifier;
    this.verdicts = verdicts;
  }

  Attestation require(RegisterRequest request, String attestationNote) {
    if (network.kind() != NetworkKind.REGULATED) {
      throw ProtocolException.malformed("this network has no registrations");
    }
    Attestation attestation = attestations.require(request, attestationNote);
    EvidenceKey key = new EvidenceKey(attestation.registerCore(), evidence(request));
    verdicts.require(key, () -> verifier.verifyRegister(request));
    return attestation;
  }

  private static Digest32 evidence(RegisterRequest request) {
    byte[] version = ByteBuffer.allocate(4).putInt(request.circuitVersion()).array();
    return Digest32.sha256(version, request.rk().bytes(), request.rkSignature(), request.proof());
  }
}
