package io.solidus.edge.prover.proving;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.edge.prover.ProverProperties;
import io.solidus.platform.secrets.SecretFile;
import io.solidus.protocol.NetworkId;
import io.solidus.prover.KeySet;
import io.solidus.prover.Prover;
import io.solidus.wire.hpke.HpkePrivateKey;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ProvingConfiguration {
  @Bean(destroyMethod = "close")
  Prover prover(KeySet keys, ProverProperties properties) {
    if (properties.warmUp()) {
      // the proving keys of shapes are large, and nobody delegates their proofs
      keys.circuits().keySet().stream().filter(family -> !family.isShape()).forEach(keys::warmUp);
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
    return SecretFile.read(
        properties.hpkeKeyFile(), "solidus.prover.hpke-key-file", HpkePrivateKey::of);
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
