package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import io.solidus.operator.registration.evidence.ProvedRegistration;
import io.solidus.operator.registration.evidence.TestKeys;
import io.solidus.protocol.RegisterRequest;
import io.solidus.prover.KeySet;
import io.solidus.wire.json.Base64Url;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service as it is started in production: nothing stands in for the check. */
class RealEvidenceTest {
  @TempDir private Path dir;

  @Test
  void takesARegistrationWithARealProofAndNoOther() throws Exception {
    try (KeySet keys = TestKeys.open();
        ServiceHarness service = ServiceHarness.withRealChecks(dir, arguments())) {
      RegisterRequest request = ProvedRegistration.make(keys);
      byte[] broken = request.proof();
      broken[10] ^= 1;
      Submission submission = submission(request);
      Answer refused = service.submit(submission.registration("proof", Base64Url.encode(broken)));
      assertThat(refused.status()).isEqualTo(422);
      assertThat(refused.code()).isEqualTo("proof-invalid");
      assertThat(service.count("kyc_case")).isZero();

      Answer taken =
          service.submit(submission.registration("proof", Base64Url.encode(request.proof())));
      assertThat(taken.status()).isEqualTo(202);
      assertThat(service.approve(taken, "olga", "{}").text("status")).isEqualTo("approved");
    }
  }

  @Test
  void doesNotStartWithoutItsKeys() {
    assertThat(
            catchThrowable(() ->
                ServiceHarness.withRealChecks(dir, "--solidus.network.keys-dir=" + dir).close()))
        .hasStackTraceContaining("KEYS_");
  }

  private static String[] arguments() {
    return new String[] {
      "--solidus.network.keys-dir=" + TestKeys.dir(),
      "--solidus.network.manifest-key=" + Base64.getEncoder().encodeToString(TestKeys.manifestKey())
    };
  }

  private static Submission submission(RegisterRequest request) {
    return Submission.fresh()
        .registration("apk", Base64Url.encode(request.statement().apk().bytes()))
        .registration("cm", Base64Url.encode(request.statement().coin().cm().bytes()))
        .registration("k", Base64Url.encode(request.statement().coin().k().bytes()))
        .registration("circuitVersion", request.circuitVersion())
        .registration("rk", Base64Url.encode(request.rk().bytes()))
        .registration("rkSignature", Base64Url.encode(request.rkSignature()));
  }
}
