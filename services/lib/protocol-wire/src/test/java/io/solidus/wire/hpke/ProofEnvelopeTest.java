package io.solidus.wire.hpke;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Spec;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

class ProofEnvelopeTest {
  private static final NetworkId NETWORK = new NetworkId("solidus-test");
  private static final byte[] WITNESS = "the witness".getBytes(StandardCharsets.UTF_8);
  private static final byte[] PROOF = new byte[704];

  private final SecureRandom random = new SecureRandom();
  private final HpkePrivateKey prover = HpkePrivateKey.generate(random);

  @Test
  @Spec("F-10")
  void sealsTheWitnessAndReturnsTheProof() {
    try (ProofEnvelope.Asked asked = ask();
        ProofEnvelope.Opened opened =
            ProofEnvelope.open(prover, NETWORK, Family.TRANSFER, asked.message())) {
      assertThat(opened.witness()).isEqualTo(WITNESS);
      assertThat(asked.openProof(opened.sealProof(PROOF, random))).isEqualTo(PROOF);
    }
  }

  @Test
  @Spec("F-10")
  void refusesAnotherNetworkOrFamily() {
    SealedMessage message = ask().message();
    assertRefused(
        () -> ProofEnvelope.open(prover, new NetworkId("other-net"), Family.TRANSFER, message));
    assertRefused(() -> ProofEnvelope.open(prover, NETWORK, Family.MINT, message));
  }

  @Test
  void aProofOpensOnlyForItsOwnRequest() {
    ProofEnvelope.Asked first = ask();
    ProofEnvelope.Asked second = ask();
    byte[] answer =
        ProofEnvelope.open(prover, NETWORK, Family.TRANSFER, first.message())
            .sealProof(PROOF, random);
    assertRefused(() -> second.openProof(answer));
    assertRefused(() -> first.openProof(new byte[27]));
    answer[answer.length - 1] ^= 1;
    assertRefused(() -> first.openProof(answer));
  }

  @Test
  void neverUsesOneNonceTwice() {
    ProofEnvelope.Opened opened =
        ProofEnvelope.open(prover, NETWORK, Family.TRANSFER, ask().message());
    byte[] once = opened.sealProof(PROOF, random);
    byte[] again = opened.sealProof(PROOF, random);
    assertThat(java.util.Arrays.copyOf(once, 12)).isNotEqualTo(java.util.Arrays.copyOf(again, 12));
  }

  @Test
  void closingOverwritesTheWitness() {
    ProofEnvelope.Opened opened =
        ProofEnvelope.open(prover, NETWORK, Family.TRANSFER, ask().message());
    byte[] witness = opened.witness();
    opened.close();
    assertThat(witness).containsOnly(0);
  }

  private ProofEnvelope.Asked ask() {
    return ProofEnvelope.seal(prover.publicKey(), NETWORK, Family.TRANSFER, WITNESS);
  }

  private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatExceptionOfType(HpkeException.class).isThrownBy(call);
  }
}
