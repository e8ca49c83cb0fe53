package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Asserts that a call is refused with a code. */
final class Rejected {
  private Rejected() {}

  static void with(RejectionCode code, ThrowingCallable call) {
    ProtocolException refusal = catchThrowableOfType(ProtocolException.class, call);
    assertThat(refusal).as("refusal").isNotNull();
    assertThat(refusal.code()).isEqualTo(code);
  }

  static void malformed(ThrowingCallable call) {
    with(RejectionCode.MALFORMED_REQUEST, call);
  }
}
