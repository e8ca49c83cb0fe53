package io.solidus.authority.complianceissuer.issuing;

import io.solidus.platform.limits.Bulkhead;
import io.solidus.protocol.Answer;
import io.solidus.protocol.Attestation;
import io.solidus.protocol.AttestationCheck;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import java.time.Clock;
import java.util.Optional;

/**
 * Issues the first compliance coin (paper, Algorithm 11;). Order: attestation, look-up of an
 * earlier answer, durable reservation of person and address, signature, durable answer, reply.
 * After a crash at any point the same request completes the work, because it owns the reservation
 * and signing is deterministic.
 */
@Spec("V-15")
public final class IssuingService {
  private final AttestationCheck attestations;
  private final RegistrationStore store;
  private final SignerClient signer;
  private final PartialSignatureCheck partials;
  private final Clock clock;
  private final Bulkhead bulkhead;

  IssuingService(
      AttestationCheck attestations,
      RegistrationStore store,
      SignerClient signer,
      PartialSignatureCheck partials,
      Clock clock,
      int maxInFlight) {
    this.attestations = attestations;
    this.store = store;
    this.signer = signer;
    this.partials = partials;
    this.clock = clock;
    this.bulkhead = new Bulkhead(maxInFlight, "too many registrations at once; try again");
  }

  /**
   * Returns this authority's answer. The same registration gets the same one during a share epoch;
   * an answer of a former epoch is signed anew.
   *
   * @throws ProtocolException attestation-invalid, already-registered, the signer's rejection, or a
   *     retryable code
   */
  public Answer issue(RegisterRequest request, String attestationNote) {
    return bulkhead.run(() -> answerOrSign(request, attestationNote));
  }

  private Answer answerOrSign(RegisterRequest request, String note) {
    Attestation attestation = attestations.require(request, note);
    TxCore core = attestation.registerCore();
    Optional<Answer> given = store.answer(core, partials.epoch());
    return given.orElseGet(() -> sign(request, note, attestation));
  }

  private Answer sign(RegisterRequest request, String note, Attestation attestation) {
    if (!store.reserve(attestation, request, note, clock.instant())) {
      throw new ProtocolException(
          RejectionCode.ALREADY_REGISTERED, "this person or address has another registration");
    }
    Answer answer =
        partials.require(
            signer.signRegistration(request, note), request.statement(), clock.instant());
    return store.keep(attestation.registerCore(), answer, clock.instant());
  }
}
