package io.solidus.authority.complianceissuer;

import io.solidus.authority.complianceissuer.issuing.ComplianceIssuerProperties;
import io.solidus.authority.complianceissuer.issuing.PartialCheck;
import io.solidus.authority.complianceissuer.issuing.SignerClient;
import io.solidus.platform.grpc.GrpcChannels;
import io.solidus.platform.production.Production;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import io.solidus.prover.Suite;
import java.util.Base64;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The network, the committee and the signer. */
@Configuration(proxyBeanMethods = false)
class ComplianceIssuerConfiguration {

  @Bean
  NetworkId networkId(ComplianceIssuerProperties properties) {
    if (properties.networkKind() != NetworkKind.REGULATED) {
      throw new IllegalStateException(
          "an unregulated network has no compliance coins and no compliance issuer");
    }
    return new NetworkId(properties.networkId());
  }

  @Bean
  KeySet keySet(NetworkId network, ComplianceIssuerProperties properties, Environment environment) {
    return KeySet.open(
        properties.keysDir(),
        network,
        properties.networkKind(),
        Production.keyClasses(environment, properties.allowedKeyClasses(), KeyClass.CEREMONY),
        Base64.getDecoder().decode(properties.manifestKey()));
  }

  @Bean
  PartialCheck partialCheck(KeySet keys, NetworkId network, ComplianceIssuerProperties properties) {
    return new PartialCheck(
        new Suite(network, keys.kind()), keys.committee(), properties.authority());
  }

  @Bean
  SignerClient signerClient(GrpcChannels channels, ComplianceIssuerProperties properties) {
    return new SignerClient(channels.to(properties.signerAddress()), properties.callDeadline());
  }
}
