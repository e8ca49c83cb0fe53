package io.solidus.networkkeys;

import io.solidus.platform.production.Production;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import io.solidus.prover.Suite;
import java.util.Base64;
import java.util.Set;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Opens the network's keys when a bean of the service needs them. Under the production profile only
 * keys of a ceremony are accepted, whichever classes are configured. Without {@code
 * solidus.network.id} it does nothing, because several services may share one class path.
 */
@AutoConfiguration
@ConditionalOnProperty("solidus.network.id")
@EnableConfigurationProperties(NetworkProperties.class)
class NetworkKeysAutoConfiguration {

  @Bean
  NetworkId networkId(NetworkProperties network) {
    return new NetworkId(network.id());
  }

  @Bean
  NetworkKind networkKind(NetworkProperties network) {
    return network.kind();
  }

  @Bean(destroyMethod = "close")
  @Lazy
  KeySet keySet(NetworkProperties network, NetworkId id, Environment environment) {
    Set<KeyClass> classes =
        Production.keyClasses(environment, network.allowedKeyClasses(), KeyClass.CEREMONY);
    byte[] manifestKey = Base64.getDecoder().decode(network.manifestKey());
    return KeySet.open(
        network.keysDir(),
        id,
        network.kind(),
        classes,
        manifestKey,
        Production.isOn(environment),
        network.transcripts().stream().map(Digest32::fromHex).toList());
  }

  @Bean
  Suite suite(NetworkId id, NetworkKind kind) {
    return new Suite(id, kind);
  }

  /** Fails when the committee's public keys do not belong together. */
  @Bean
  @Lazy
  Committee committee(KeySet keys, Suite suite) {
    Committee committee = keys.committee();
    suite.checkCommittee(committee);
    return committee;
  }
}
