package io.solidus.dev.testkit.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.RejectionCode;
import io.solidus.wire.v1.SubmitReply;

/** Assertions on replies. */
public final class Replies {

  private Replies() {}

  public static SubmitReply signed(SubmitReply reply) {
    assertThat(reply.hasSigned()).as("signed, not %s", reply.getRejected().getCode()).isTrue();
    return reply;
  }

  public static SubmitReply rejected(RejectionCode code, SubmitReply reply) {
    assertThat(reply.hasRejected()).as("rejected as %s", code).isTrue();
    assertThat(reply.getRejected().getCode()).isEqualTo(code.code());
    assertThat(reply.getRejected().getRetryable()).isEqualTo(code.retryable());
    return reply;
  }
}
