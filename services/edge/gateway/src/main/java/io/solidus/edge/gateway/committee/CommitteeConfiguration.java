package io.solidus.edge.gateway.committee;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.platform.production.Production;
import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import io.solidus.prover.Suite;
import java.util.Base64;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The verified keys, the committee and the native suite. */
@Configuration(proxyBeanMethods = false)
class CommitteeConfiguration {
  @Bean
  NetworkId networkId(GatewayProperties properties) {
    return new NetworkId(properties.networkId());
  }

  @Bean(destroyMethod = "close")
  KeySet keySet(GatewayProperties properties, NetworkId network, Environment environment) {
    return KeySet.open(
        properties.keysDir(),
        network,
        properties.networkKind(),
        Production.keyClasses(environment, properties.allowedKeyClasses(), KeyClass.CEREMONY),
        Base64.getDecoder().decode(properties.manifestKey()));
  }

  @Bean
  Suite suite(NetworkId network, GatewayProperties properties) {
    return new Suite(network, properties.networkKind());
  }

  @Bean
  Committee committee(KeySet keys, Suite suite, GatewayProperties properties) {
    Committee committee = keys.committee();
    suite.checkCommittee(committee);
    boolean complete =
        properties.authorities().size() == committee.n()
            && properties.authorities().stream()
                    .map(GatewayProperties.Authority::index)
                    .distinct()
                    .count()
                == committee.n()
            && properties.authorities().stream()
                .allMatch(authority -> authority.index() <= committee.n());
    if (!complete) {
      throw new IllegalStateException(
          "solidus.gateway.authorities must name each of the committee's "
              + committee.n()
              + " members once");
    }
    return committee;
  }
}
