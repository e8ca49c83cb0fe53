package io.solidus.authority.complianceissuer;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.solidus.authority.common.InternalCalls;
import io.solidus.authority.common.InternalToken;
import io.solidus.authority.complianceissuer.issuing.ComplianceIssuerProperties;
import io.solidus.authority.complianceissuer.issuing.PartialSignatureCheck;
import io.solidus.authority.complianceissuer.issuing.SignerClient;
import io.solidus.platform.grpc.GrpcChannels;
import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.Suite;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Beans for the committee and the signer. */
@Configuration(proxyBeanMethods = false)
class ComplianceIssuerConfiguration {

  @Bean
  PartialSignatureCheck partialCheck(
      Suite suite, Committee committee, NetworkKind kind, ComplianceIssuerProperties properties) {
    if (kind != NetworkKind.REGULATED) {
      throw new IllegalStateException(
          "an unregulated network has no compliance coins and no compliance issuer");
    }
    return new PartialSignatureCheck(suite, committee, properties.authority());
  }

  @Bean
  SignerClient signerClient(GrpcChannels channels, ComplianceIssuerProperties properties) {
    InternalToken token = InternalToken.readDerived(properties.internalTokenFile());
    Channel signer =
        ClientInterceptors.intercept(
            channels.to(properties.signerAddress()), InternalCalls.show(token));
    return new SignerClient(signer, properties.callDeadline());
  }
}
