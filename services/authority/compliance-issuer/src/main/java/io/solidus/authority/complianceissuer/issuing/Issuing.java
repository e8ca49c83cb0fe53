package io.solidus.authority.complianceissuer.issuing;

import io.solidus.protocol.Attestation;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Issues the first compliance coin (paper, Algorithm 11). Order: attestation, answered before?,
 * durable reservation of person and address, signature, durable answer, reply. A crash anywhere is
 * mended by the same request: the reservation is its own, and signing is deterministic.
 */
@Spec("V-15")
public final class Issuing {
  private final AttestationCheck attestations;
  private final RegistrationStore store;
  private final SignerClient signer;
  private final PartialCheck partials;
  private final Clock clock;
  private final Semaphore running;

  Issuing(
      AttestationCheck attestations,
      RegistrationStore store,
      SignerClient signer,
      PartialCheck partials,
      Clock clock,
      int maxInFlight) {
    this.attestations = attestations;
    this.store = store;
    this.signer = signer;
    this.partials = partials;
    this.clock = clock;
    this.running = new Semaphore(maxInFlight);
  }

  /**
   * This authority's partial signature; the same for the same registration for as long as its share
   * epoch lasts.
   *
   * @throws ProtocolException attestation-invalid, already-registered, the signer's refusal, or a
   *     retryable code
   */
  public PartialSignature issue(RegisterRequest request, String attestationNote) {
    if (!running.tryAcquire()) {
      throw new ProtocolException(
          RejectionCode.OVERLOADED, "too many registrations at once; try again");
    }
    try {
      Attestation attestation = attestations.require(request, attestationNote);
      TxCore core = attestation.registerCore();
      Optional<PartialSignature> given = store.answer(core, partials.epoch());
      return given.orElseGet(() -> sign(request, attestationNote, attestation));
    } finally {
      running.release();
    }
  }

  private PartialSignature sign(RegisterRequest request, String note, Attestation attestation) {
    if (!store.reserve(attestation, request, note, clock.instant())) {
      throw new ProtocolException(
          RejectionCode.ALREADY_REGISTERED, "this person or address is registered otherwise");
    }
    PartialSignature partial =
        partials.require(signer.signRegistration(request, note), request.statement());
    return store.keep(attestation.registerCore(), partial, clock.instant());
  }
}
