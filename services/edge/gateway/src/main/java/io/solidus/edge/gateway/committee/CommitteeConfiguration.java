package io.solidus.edge.gateway.committee;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.protocol.Committee;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Checks at the start that the configured authorities are the members of the committee. */
@Configuration(proxyBeanMethods = false)
class CommitteeConfiguration {

  @Bean
  SmartInitializingSingleton everyMemberIsConfigured(
      Committee committee, GatewayProperties properties) {
    return () -> requireEveryMember(committee, properties.authorities());
  }

  private static void requireEveryMember(
      Committee committee, List<GatewayProperties.Authority> authorities) {
    Set<Integer> indexes =
        authorities.stream().map(GatewayProperties.Authority::index).collect(Collectors.toSet());
    boolean complete =
        authorities.size() == committee.n()
            && indexes.size() == committee.n()
            && indexes.stream().allMatch(index -> index <= committee.n());
    if (!complete) {
      throw new IllegalStateException(
          "solidus.gateway.authorities must name each of the committee's "
              + committee.n()
              + " members once");
    }
  }
}
