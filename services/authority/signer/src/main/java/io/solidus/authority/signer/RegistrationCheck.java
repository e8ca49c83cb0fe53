package io.solidus.authority.signer;

import io.solidus.protocol.Attestation;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeRejections;
import io.solidus.prover.Verifier;

/**
 * The registration authority attested exactly this blinded compliance coin for exactly this
 * address, and its proof holds.
 */
final class RegistrationCheck {

  private final SignerNetwork network;
  private final NoteKey registrationKey;
  private final Verifier verifier;
  private final NativePool pool;

  RegistrationCheck(
      SignerNetwork network, NoteKey registrationKey, Verifier verifier, NativePool pool) {
    this.network = network;
    this.registrationKey = registrationKey;
    this.verifier = verifier;
    this.pool = pool;
  }

  TxCore require(RegisterRequest request, String attestationNote) {
    if (network.kind() != NetworkKind.REGULATED) {
      throw ProtocolException.malformed("this network has no registrations");
    }
    TxCore core = request.statement().core(network.id());
    Attestation attestation = attestation(attestationNote);
    if (!attestation.registerCore().equals(core)
        || !attestation.apk().equals(request.statement().apk())) {
      throw invalid("the attestation is for another registration");
    }
    NativeRejections.requireOk(pool.run(() -> verifier.verifyRegister(request)));
    return core;
  }

  private Attestation attestation(String note) {
    try {
      return Attestation.parse(
          network.id(), SignedNote.parse(note).requireSignedBy(registrationKey).text());
    } catch (ProtocolException e) {
      if (e.code() == RejectionCode.WRONG_NETWORK) {
        throw e;
      }
      throw invalid("the attestation is not a note of the registration authority");
    }
  }

  private static ProtocolException invalid(String detail) {
    return new ProtocolException(RejectionCode.ATTESTATION_INVALID, detail);
  }
}
