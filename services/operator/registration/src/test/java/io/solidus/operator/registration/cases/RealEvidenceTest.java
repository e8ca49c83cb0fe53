package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import io.solidus.operator.registration.evidence.ProvedRegistration;
import io.solidus.protocol.RegisterRequest;
import io.solidus.prover.KeySet;
import io.solidus.wire.json.Base64Url;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service with its real registration check, as in production. */
@Tag("process")
class RealEvidenceTest {
  @TempDir private Path dir;

  @Test
  void acceptsARegistrationOnlyWithAValidProof() throws Exception {
    try (KeySet keys = TestCommittee.regulated().openKeys();
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
      "--solidus.network.keys-dir=" + TestCommittee.regulated().keysDir(),
      "--solidus.network.manifest-key=" + TestCommittee.regulated().manifestKeyBase64()
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
