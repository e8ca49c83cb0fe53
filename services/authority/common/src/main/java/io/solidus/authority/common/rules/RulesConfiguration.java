package io.solidus.authority.common.rules;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.Issuers;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.platform.time.RepeatedJob;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The rules in force, the same for a shard and a signer. */
@Configuration(proxyBeanMethods = false)
public class RulesConfiguration {

  @Bean
  Issuers issuers(NoteTrust trust) {
    return Issuers.of(trust);
  }

  @Bean
  AdmissionRule admissionRule(NetworkKind kind, RuleSettings settings) {
    return new AdmissionRule(kind, settings.windows());
  }

  @Bean
  RuleStore ruleStore(AuthorityDatabase database) {
    return new RuleStore(database);
  }

  @Bean
  RuleNotes ruleNotes(NetworkId network, Issuers issuers, Clock clock) {
    return new RuleNotes(network, issuers.policy(), issuers.sanctions(), clock);
  }

  @Bean
  SanctionRootCheck sanctionRootCheck(NetworkId network) {
    return new SanctionRootCheck(network);
  }

  @Bean
  RulesCache rulesCache(
      RuleStore store,
      RuleNotes notes,
      SanctionRootCheck roots,
      RuleSettings settings,
      Clock clock) {
    RulesCache rules = new RulesCache(store, notes, roots, settings.windows(), clock);
    rules.refresh();
    return rules;
  }

  @Bean
  RepeatedJob rulesRefresh(RulesCache rules, RuleSettings settings) {
    return new RepeatedJob("rules-refresh", settings.refreshInterval(), rules::refresh);
  }
}
