package io.solidus.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NativeRejectionsTest {

  @ParameterizedTest
  @EnumSource(NativeErrorCode.class)
  void everyCodeHasARejection(NativeErrorCode code) {
    assertThat(NativeRejections.of(code)).isNotNull();
  }

  /** A fault of the library or of its keys is not the caller's fault. */
  @ParameterizedTest
  @EnumSource(
      value = NativeErrorCode.class,
      names = {"INTERNAL", "UNKNOWN_.*", "LIBRARY_.*", "KEYS_.*", "COMMITTEE_INVALID"},
      mode = EnumSource.Mode.MATCH_ANY)
  void faultsOfTheLibraryAreInternal(NativeErrorCode code) {
    RejectionCode expected =
        code == NativeErrorCode.UNKNOWN_CIRCUIT
            ? RejectionCode.UNKNOWN_VERSION
            : RejectionCode.INTERNAL;
    assertThat(NativeRejections.of(code)).isEqualTo(expected);
  }

  @Test
  void aFailedCheckIsARefusal() {
    NativeRejections.requireOk(NativeErrorCode.OK);
    ProtocolException refusal =
        catchThrowableOfType(
            ProtocolException.class,
            () -> NativeRejections.requireOk(NativeErrorCode.POINT_NOT_IN_SUBGROUP));
    assertThat(refusal.code()).isEqualTo(RejectionCode.POINT_NOT_IN_SUBGROUP);
  }
}
