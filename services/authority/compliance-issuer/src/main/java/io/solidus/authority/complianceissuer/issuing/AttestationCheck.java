package io.solidus.authority.complianceissuer.issuing;

import io.solidus.protocol.Attestation;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;

/** Whether the registration authority attests exactly this registration. */
final class AttestationCheck {
  private final NetworkId network;
  private final NoteKey registrationAuthority;

  AttestationCheck(NetworkId network, NoteKey registrationAuthority) {
    this.network = network;
    this.registrationAuthority = registrationAuthority;
  }

  /**
   * @throws ProtocolException attestation-invalid, or wrong-network
   */
  Attestation require(RegisterRequest request, String note) {
    Attestation attestation = parse(note);
    boolean bound =
        attestation.registerCore().equals(request.statement().core(network))
            && attestation.apk().equals(request.statement().apk());
    if (!bound) {
      throw invalid("the attestation is of another registration");
    }
    return attestation;
  }

  private Attestation parse(String note) {
    try {
      SignedNote signed = SignedNote.parse(note).requireSignedBy(registrationAuthority);
      return Attestation.parse(network, signed.text());
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
