package io.solidus.authority.complianceissuer.issuing;

import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import io.solidus.platform.grpc.Rejections;
import io.solidus.protocol.Answer;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SignRegistrationRequest;
import io.solidus.wire.v1.SignerServiceGrpc;
import io.solidus.wire.v1.SignerServiceGrpc.SignerServiceBlockingStub;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Calls the signer of this authority, which checks attestation and proof itself. */
public final class SignerClient {
  private final SignerServiceBlockingStub stub;
  private final Duration deadline;

  public SignerClient(Channel channel, Duration deadline) {
    this.stub = SignerServiceGrpc.newBlockingStub(channel);
    this.deadline = deadline;
  }

  /**
   * Has the signer sign the first compliance coin.
   *
   * @throws ProtocolException the signer's rejection; unavailable or overloaded when the signer
   *     does not answer
   */
  public Answer signRegistration(RegisterRequest request, String attestationNote) {
    SignRegistrationRequest message =
        SignRegistrationRequest.newBuilder()
            .setRequest(Codecs.toWire(request))
            .setAttestationNote(attestationNote)
            .build();
    try {
      return Rejections.signedOrThrow(
          stub.withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)
              .signRegistration(message));
    } catch (StatusRuntimeException e) {
      throw Rejections.toException(e);
    }
  }
}
