package io.solidus.edge.prover.proving;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.edge.prover.ProverProperties;
import io.solidus.protocol.NetworkId;
import io.solidus.prover.KeySet;
import io.solidus.prover.Prover;
import io.solidus.wire.hpke.HpkePrivateKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Arrays;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ProvingConfiguration {
  @Bean(destroyMethod = "close")
  Prover prover(KeySet keys, ProverProperties properties) {
    if (properties.warmUp()) {
      keys.circuits().keySet().forEach(keys::warmUp);
    }
    // Requests wait in the proof queue. The native prover's own queue only holds the running
    // proofs.
    return Prover.open(
        keys, properties.parallelism(), properties.parallelism(), properties.deadline());
  }

  @Bean(destroyMethod = "close")
  ProofQueue proofQueue(ProverProperties properties, MeterRegistry metrics) {
    ProofQueue queue =
        new ProofQueue(properties.parallelism(), properties.queue(), properties.deadline());
    metrics.gauge("solidus.prover.proofs.pending", queue, ProofQueue::pending);
    return queue;
  }

  @Bean(destroyMethod = "close")
  HpkePrivateKey hpkeKey(ProverProperties properties) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(properties.hpkeKeyFile());
    } catch (IOException e) {
      throw new UncheckedIOException("solidus.prover.hpke-key-file cannot be read", e);
    }
    try {
      if (bytes.length != HpkePrivateKey.BYTES
          || Arrays.equals(bytes, new byte[HpkePrivateKey.BYTES])) {
        throw new IllegalStateException(
            "solidus.prover.hpke-key-file must hold exactly 32 random bytes");
      }
      return HpkePrivateKey.of(bytes);
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  @Bean
  ProverEndpoint proverEndpoint(
      NetworkId network,
      KeySet keys,
      Prover prover,
      ProofQueue queue,
      HpkePrivateKey key,
      MeterRegistry metrics) {
    return new ProverEndpoint(keys, new DelegatedProver(network, prover, queue, key, metrics), key);
  }
}
