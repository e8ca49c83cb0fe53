package io.solidus.operator.registration.cases;

import io.solidus.platform.outbox.Events;
import io.solidus.platform.outbox.Outbox;
import io.solidus.platform.outbox.Topics;
import io.solidus.protocol.Attestation;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.EventEnvelope;
import io.solidus.wire.v1.KycAttested;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;

/**
 * Signs attestations that a person was identified and registers exactly this core, and publishes
 * them to the compliance issuers.
 */
final class Attestor {
  private static final String EVENT_TYPE = "kyc-attested";

  private final NetworkId network;
  private final NoteSigner signer;
  private final Outbox outbox;

  Attestor(NetworkId network, NoteSigner signer, Outbox outbox) {
    this.network = network;
    this.signer = signer;
    this.outbox = outbox;
  }

  /** Returns the signed note. Its event is written in the caller's transaction. */
  String attest(KycCase kycCase, Digest32 personTag, Instant now) {
    Attestation attestation =
        new Attestation(personTag, kycCase.core(), kycCase.apk(), now.toEpochMilli());
    String note = SignedNote.sign(attestation.toNoteText(network), signer).encode();
    EventEnvelope event =
        Events.envelope(EVENT_TYPE, Clock.fixed(now, ZoneOffset.UTC))
            .setKycAttested(
                KycAttested.newBuilder()
                    .setRequest(Codecs.toWire(kycCase.request()))
                    .setAttestationNote(note))
            .build();
    outbox.append(Topics.KYC_ATTESTATIONS, kycCase.core().bytes(), event);
    return note;
  }
}
