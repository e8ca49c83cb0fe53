package io.solidus.protocol;

import java.time.InstantSource;

/** Whether the registration authority attests exactly this registration. */
public final class AttestationCheck {
  private final NetworkId network;
  private final NoteKeys registrationAuthority;
  private final InstantSource clock;

  public AttestationCheck(NetworkId network, NoteKeys registrationAuthority, InstantSource clock) {
    this.network = network;
    this.registrationAuthority = registrationAuthority;
    this.clock = clock;
  }

  /**
   * Requires an attestation for the request.
   *
   * @return the attestation
   * @throws ProtocolException attestation-invalid, or wrong-network
   */
  public Attestation require(RegisterRequest request, String note) {
    Attestation attestation = parse(note);
    boolean bound =
        attestation.registerCore().equals(request.statement().core(network))
            && attestation.apk().equals(request.statement().apk());
    if (!bound) {
      throw invalid("the attestation is for another registration");
    }
    return attestation;
  }

  private Attestation parse(String note) {
    try {
      SignedNote signed = registrationAuthority.require(SignedNote.parse(note), clock.instant());
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
