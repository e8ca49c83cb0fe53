package io.solidus.edge.prover.proving;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.edge.prover.ProverProperties;
import io.solidus.platform.production.Production;
import io.solidus.protocol.NetworkId;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import io.solidus.prover.Prover;
import io.solidus.wire.hpke.HpkePrivateKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Base64;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

@Configuration(proxyBeanMethods = false)
class ProvingConfiguration {
  @Bean
  NetworkId networkId(ProverProperties properties) {
    return new NetworkId(properties.networkId());
  }

  @Bean(destroyMethod = "close")
  KeySet keySet(ProverProperties properties, NetworkId network, Environment environment) {
    byte[] manifestKey = Base64.getDecoder().decode(properties.manifestKey());
    KeySet keys =
        KeySet.open(
            properties.keysDir(),
            network,
            properties.networkKind(),
            Production.keyClasses(environment, properties.allowedKeyClasses(), KeyClass.CEREMONY),
            manifestKey);
    if (properties.warmUp()) {
      keys.circuits().keySet().forEach(keys::warmUp);
    }
    return keys;
  }

  @Bean(destroyMethod = "close")
  Prover prover(KeySet keys, ProverProperties properties) {
    // requests wait in the proof queue, so that this one never has more than is being proved
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
    return new ProverEndpoint(keys, new SealedProving(network, prover, queue, key, metrics), key);
  }
}
