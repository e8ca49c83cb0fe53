package io.solidus.edge.prover.proving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Family;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.hpke.HpkeException;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.SealedMessage;
import java.security.SecureRandom;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DelegatedProverTest {
  private static final SealedMessage NOBODYS = new SealedMessage(new byte[32], new byte[100]);

  /** Attack: work of three proofs at the price of one. */
  @Test
  void proofsOfShapesAreRefusedBeforeTheyTakeAPlace() {
    SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    try (ProofQueue queue = new ProofQueue(1, 1, Duration.ofSeconds(30));
        HpkePrivateKey key = HpkePrivateKey.generate(new SecureRandom())) {
      DelegatedProver prover =
          new DelegatedProver(
              TestCommittee.NETWORK, TestCommittee.regulated().prover(), queue, key, metrics);
      for (Family shape : new Family[] {Family.CLAIM_16, Family.PAY_8}) {
        assertThatExceptionOfType(ProtocolException.class)
            .isThrownBy(() -> prover.prove(shape, NOBODYS));
      }
      assertThat(metrics.getMeters()).isEmpty();
      assertThatExceptionOfType(HpkeException.class)
          .isThrownBy(() -> prover.prove(Family.TRANSFER, NOBODYS));
      assertThat(metrics.getMeters()).isNotEmpty();
    }
  }
}
