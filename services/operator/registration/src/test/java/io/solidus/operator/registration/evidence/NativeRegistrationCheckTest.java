package io.solidus.operator.registration.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.Points;
import io.solidus.protocol.Apk;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.RejectionCode;
import io.solidus.prover.KeySet;
import io.solidus.prover.Verifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class NativeRegistrationCheckTest {
  private static KeySet keys;
  private static NativeRegistrationCheck check;
  private static RegisterRequest good;
  private static RegisterRequest other;

  @BeforeAll
  static void start() {
    keys = TestCommittee.regulated().openKeys();
    check =
        new NativeRegistrationCheck(
            Verifier.open(keys, keys.committee()), 2, Duration.ofMinutes(2));
    good = ProvedRegistration.make(keys);
    other = ProvedRegistration.make(keys);
  }

  @AfterAll
  static void stop() {
    check.close();
    keys.close();
  }

  @Test
  void acceptsAValidRegistration() {
    assertThatCode(() -> check.require(good)).doesNotThrowAnyException();
  }

  @Test
  void refusesAProofOfAnotherRegistration() {
    assertRefused(
        with(good.statement(), good.rk(), other.proof(), good.rkSignature()),
        RejectionCode.PROOF_INVALID);
  }

  @Test
  void refusesChangedProofs() {
    byte[] zeros = new byte[good.proof().length];
    assertRefused(
        with(good.statement(), good.rk(), zeros, good.rkSignature()), RejectionCode.PROOF_INVALID);
    // A, B, C, a, z, z'
    for (int at : new int[] {0, 100, 300, 415, 543, 575}) {
      assertRefused(changedAt(at), RejectionCode.PROOF_INVALID);
    }
    // T
    assertRefused(changedAt(500), RejectionCode.POINT_NOT_ON_CURVE);
  }

  private static RegisterRequest changedAt(int index) {
    byte[] changed = good.proof();
    changed[index] ^= 1;
    return with(good.statement(), good.rk(), changed, good.rkSignature());
  }

  @Test
  void refusesAnAddressOrACoinThatDiffersFromTheProvedOne() {
    BlindedCoin coin = good.statement().coin();
    Apk apk = good.statement().apk();
    for (RegisterStatement statement :
        List.of(
            new RegisterStatement(other.statement().apk(), coin),
            new RegisterStatement(apk, other.statement().coin()),
            new RegisterStatement(apk, new BlindedCoin(other.statement().coin().cm(), coin.k())))) {
      // the signature is over the core, which changes with the statement
      assertRefused(
          with(statement, good.rk(), good.proof(), good.rkSignature()),
          RejectionCode.SIGNATURE_INVALID);
    }
  }

  @Test
  void refusesASignatureOfAnotherKeyOrCore() {
    assertRefused(
        with(good.statement(), good.rk(), good.proof(), other.rkSignature()),
        RejectionCode.SIGNATURE_INVALID);
    assertThat(code(with(good.statement(), other.rk(), good.proof(), good.rkSignature())))
        .isEqualTo(RejectionCode.SIGNATURE_INVALID);
  }

  @Test
  void refusesPointsThatAreNotOnTheCurve() {
    assertRefused(
        with(good.statement(), Points.keyOffCurve(), good.proof(), good.rkSignature()),
        RejectionCode.POINT_NOT_ON_CURVE);
    RegisterStatement badCoin =
        new RegisterStatement(
            good.statement().apk(),
            new BlindedCoin(good.statement().coin().cm(), Points.offCurve()));
    assertRefused(
        with(badCoin, good.rk(), good.proof(), good.rkSignature()),
        RejectionCode.POINT_NOT_ON_CURVE);
  }

  @Test
  void refusesPointsOutsideTheirGroup() {
    assertRefused(
        with(good.statement(), Points.keyOfSmallOrder(), good.proof(), good.rkSignature()),
        RejectionCode.POINT_NOT_IN_SUBGROUP);
    RegisterStatement badCoin =
        new RegisterStatement(
            good.statement().apk(),
            new BlindedCoin(good.statement().coin().cm(), Points.ofSmallOrder()));
    assertRefused(
        with(badCoin, good.rk(), good.proof(), good.rkSignature()),
        RejectionCode.POINT_NOT_IN_SUBGROUP);
  }

  @Test
  void refusesAnotherCircuitVersion() {
    RegisterRequest unknown =
        new RegisterRequest(
            good.statement(),
            good.circuitVersion() + 1,
            good.rk(),
            good.proof(),
            good.rkSignature());
    assertRefused(unknown, RejectionCode.UNKNOWN_VERSION);
  }

  @Test
  void aCheckPastItsDeadlineIsUnavailable() {
    Verifier verifier = Verifier.open(keys, keys.committee());
    try (NativeRegistrationCheck late =
        new NativeRegistrationCheck(verifier, 1, Duration.ofNanos(1))) {
      assertThat(codeOrNull(late, good)).isEqualTo(RejectionCode.UNAVAILABLE);
    }
  }

  @Test
  void refusesRequestsWhenTheQueueIsFull() throws Exception {
    Verifier verifier = Verifier.open(keys, keys.committee());
    try (NativeRegistrationCheck narrow =
            new NativeRegistrationCheck(verifier, 1, Duration.ofMinutes(2));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<@Nullable RejectionCode>> outcomes = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        outcomes.add(threads.submit(() -> codeOrNull(narrow, good)));
      }
      List<RejectionCode> refused = new ArrayList<>();
      for (Future<@Nullable RejectionCode> outcome : outcomes) {
        RejectionCode code = outcome.get();
        if (code != null) {
          refused.add(code);
        }
      }
      assertThat(refused).isNotEmpty().containsOnly(RejectionCode.OVERLOADED);
      assertThat(codeOrNull(narrow, good)).as("with an empty queue").isNull();
    }
  }

  private static @Nullable RejectionCode codeOrNull(
      RegistrationCheck check, RegisterRequest request) {
    try {
      check.require(request);
      return null;
    } catch (ProtocolException e) {
      return e.code();
    }
  }

  private static RegisterRequest with(
      RegisterStatement statement, KeyPoint rk, byte[] proof, byte[] signature) {
    return new RegisterRequest(statement, good.circuitVersion(), rk, proof, signature);
  }

  private static void assertRefused(RegisterRequest request, RejectionCode code) {
    assertThat(code(request)).isEqualTo(code);
  }

  private static RejectionCode code(RegisterRequest request) {
    return catchThrowableOfType(ProtocolException.class, () -> check.require(request)).code();
  }
}
