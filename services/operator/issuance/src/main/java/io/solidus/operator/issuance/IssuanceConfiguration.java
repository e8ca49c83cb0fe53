package io.solidus.operator.issuance;

import io.solidus.operator.issuance.evidence.EvidenceCheck;
import io.solidus.operator.issuance.evidence.PublishedRulesClient;
import io.solidus.operator.issuance.message.Schemas;
import io.solidus.operator.issuance.mint.Approver;
import io.solidus.operator.issuance.mint.Approvers;
import io.solidus.operator.issuance.screening.SanctionsClient;
import io.solidus.operator.issuance.settings.IssuanceProperties;
import io.solidus.operator.issuance.settings.IssuanceProperties.ScreeningSettings;
import io.solidus.operator.issuance.vault.RedemptionKeys;
import io.solidus.platform.bank.BankObjects;
import io.solidus.platform.http.HttpClients;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.platform.security.BearerToken;
import io.solidus.platform.webhook.WaitingWork;
import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import io.solidus.prover.KeySet;
import io.solidus.prover.Suite;
import io.solidus.prover.Verifier;
import io.solidus.wire.json.Base64Url;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The proof check, the client of published rules, the service's keys and the approvers. The service
 * does not start when one of them cannot be loaded.
 */
@Configuration(proxyBeanMethods = false)
class IssuanceConfiguration {

  /** Whose fundings and payouts the paths of the admin API name. */
  @Bean
  BankObjects bankObjects(JdbcClient jdbc) {
    String ofFunding = "SELECT 1 FROM funding WHERE funding_id = ? AND bank = ?";
    String ofPayout = "SELECT 1 FROM redemption WHERE lead_serial = ? AND bank = ?";
    return new BankObjects(jdbc)
        .with("fundingId", text -> text, ofFunding)
        .with(
            "mintId",
            text -> Base64Url.decode(text, "mintId"),
            "SELECT 1 FROM mint JOIN funding USING (funding_id) WHERE mint_id = ? AND bank = ?")
        .with(
            "reversalId",
            Long::valueOf,
            "SELECT 1 FROM funding_reversal JOIN funding USING (funding_id)"
                + " WHERE reversal_id = ? AND bank = ?")
        .with("leadSerial", text -> Base64Url.decode(text, "leadSerial"), ofPayout)
        .with(
            "correctionId",
            Long::valueOf,
            "SELECT 1 FROM payee_correction JOIN redemption USING (lead_serial)"
                + " WHERE correction_id = ? AND bank = ?")
        .with(
            "batchId", text -> text, "SELECT 1 FROM payout_batch WHERE batch_id = ? AND bank = ?");
  }

  @Bean
  WaitingWork waitingWork(JdbcClient jdbc, Clock clock) {
    return new WaitingWork(jdbc, clock)
        .with("mint.waiting", "SELECT count(*) FROM mint WHERE status = 'awaiting-approval'")
        .with(
            "match.waiting", "SELECT count(*) FROM screening WHERE status IN ('open', 'proposed')")
        .with("bank-message.waiting", "SELECT count(*) FROM bank_upload WHERE status = 'pending'")
        .with("payout.waiting", "SELECT count(*) FROM payout_batch WHERE status = 'pending'")
        .with("difference.waiting", "SELECT count(*) FROM bank_difference WHERE closed_by IS NULL")
        .with(
            "proposal.waiting",
            "SELECT (SELECT count(*) FROM funding_reversal WHERE status = 'pending')"
                + " + (SELECT count(*) FROM payee_correction WHERE status = 'pending')"
                + " + (SELECT count(*) FROM line_assignment WHERE status = 'pending')"
                + " + (SELECT count(*) FROM message_reversal WHERE status = 'pending')");
  }

  @Bean
  EvidenceCheck evidenceCheck(
      Suite suite, KeySet keys, Committee committee, IssuanceProperties properties, Clock clock) {
    return new EvidenceCheck(
        suite,
        keys.transfers(),
        Verifier.open(keys, committee),
        committee,
        properties.checkThreads(),
        properties.checkDeadline(),
        clock);
  }

  @Bean
  PublishedRulesClient publishedRules(
      NetworkId network,
      NoteTrust trust,
      IssuanceProperties properties,
      HttpClients clients,
      Clock clock) {
    return new PublishedRulesClient(
        network,
        trust.policy(),
        trust.sanctions(),
        clock,
        clients.open(properties.rulesTimeout()),
        properties.sanctionsUrl(),
        properties.rulesTimeout());
  }

  @Bean
  @ConditionalOnProperty("solidus.issuance.screening.url")
  SanctionsClient sanctionsClient(
      IssuanceProperties properties, HttpClients clients, ObjectProvider<BearerToken> own) {
    ScreeningSettings settings = Objects.requireNonNull(properties.screening());
    Path file = settings.tokenFile();
    return new SanctionsClient(
        clients.open(settings.timeout()),
        settings.url(),
        own.getIfAvailable(() -> file == null ? null : BearerToken.ofFile(file)),
        settings.timeout(),
        settings.requiredLists());
  }

  @Bean
  Schemas schemas() {
    return new Schemas();
  }

  @Bean
  RedemptionKeys redemptionKeys(NetworkId network, IssuanceProperties properties) {
    List<Path> files = new ArrayList<>();
    files.add(properties.redemptionKeyFile());
    files.addAll(properties.formerRedemptionKeyFiles());
    return RedemptionKeys.load(network, files);
  }

  @Bean
  Approvers approvers(IssuanceProperties properties) {
    return new Approvers(
        properties.approvers().entrySet().stream()
            .map(entry ->
                Approver.parse(
                    entry.getKey(), entry.getValue().publicKey(), entry.getValue().subject()))
            .toList());
  }
}
