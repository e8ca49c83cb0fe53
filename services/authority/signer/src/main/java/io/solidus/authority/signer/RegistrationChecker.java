package io.solidus.authority.signer;

import io.solidus.authority.common.AttestationCheck;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeRejections;
import io.solidus.prover.Verifier;

/**
 * Checks a registration: the registration authority attested exactly this blinded compliance coin
 * for this address, and the proof holds.
 */
final class RegistrationChecker {

  private final SignerNetwork network;
  private final AttestationCheck attestations;
  private final Verifier verifier;
  private final NativePool pool;

  RegistrationChecker(
      SignerNetwork network, AttestationCheck attestations, Verifier verifier, NativePool pool) {
    this.network = network;
    this.attestations = attestations;
    this.verifier = verifier;
    this.pool = pool;
  }

  TxCore require(RegisterRequest request, String attestationNote) {
    if (network.kind() != NetworkKind.REGULATED) {
      throw ProtocolException.malformed("this network has no registrations");
    }
    TxCore core = attestations.require(request, attestationNote).registerCore();
    NativeRejections.requireOk(pool.run(() -> verifier.verifyRegister(request)));
    return core;
  }
}
