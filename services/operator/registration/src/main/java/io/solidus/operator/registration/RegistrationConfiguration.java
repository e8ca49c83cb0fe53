package io.solidus.operator.registration;

import io.solidus.operator.registration.evidence.NativeRegistrationCheck;
import io.solidus.operator.registration.evidence.RegistrationCheck;
import io.solidus.operator.registration.person.IdentityHasher;
import io.solidus.operator.registration.person.PersonVault;
import io.solidus.operator.registration.screening.ReplacedAddresses;
import io.solidus.operator.registration.screening.SanctionsScreening;
import io.solidus.operator.registration.screening.Screening;
import io.solidus.platform.bank.BankObjects;
import io.solidus.platform.http.HttpClients;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.platform.secrets.SecretFile;
import io.solidus.platform.security.BearerToken;
import io.solidus.platform.webhook.WaitingWork;
import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.prover.KeySet;
import io.solidus.prover.Verifier;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The keys of this service, the screening client and the proof check. */
@Configuration(proxyBeanMethods = false)
class RegistrationConfiguration {

  @Bean
  NoteSigner attestationSigner(RegistrationProperties properties) {
    return SecretFile.read(
        properties.noteKeyFile(),
        "solidus.registration.note-key-file",
        seed -> NoteSigner.fromSeed(NoteTrust.REGISTRATION, seed));
  }

  /** Whose cases the paths of the admin API name. */
  @Bean
  BankObjects bankObjects(JdbcClient jdbc) {
    String ofCase = "SELECT 1 FROM kyc_case WHERE id = ? AND bank = ?";
    return new BankObjects(jdbc)
        .withUuid("caseId", ofCase)
        .withUuid("otherId", ofCase)
        .withUuid(
            "stepId",
            "SELECT 1 FROM standing_step s JOIN kyc_case c ON c.id = s.case_id"
                + " WHERE s.id = ? AND c.bank = ?")
        .withUuid(
            "changeId",
            "SELECT 1 FROM person_change h JOIN kyc_case c ON c.id = h.case_id"
                + " WHERE h.id = ? AND c.bank = ?");
  }

  @Bean
  WaitingWork waitingWork(JdbcClient jdbc, Clock clock) {
    return new WaitingWork(jdbc, clock)
        .with("case.waiting", "SELECT count(*) FROM kyc_case WHERE status IN ('pending', 'review')")
        .with(
            "duplicate.waiting",
            "SELECT count(*) FROM kyc_case WHERE status = 'possible-duplicate'")
        .with(
            "match.waiting",
            "SELECT count(*) FROM newest_screening n JOIN kyc_case c ON c.id = n.case_id"
                + " WHERE (n.unconfirmed > 0 AND c.status <> 'refused'"
                + " OR n.open_matches > 0 AND c.status = 'approved')"
                + " AND NOT EXISTS (SELECT FROM standing_step s WHERE s.case_id = c.id"
                + " AND s.kind = 'close' AND s.verdict = 'accepted')")
        .with(
            "proposal.waiting",
            "SELECT (SELECT count(*) FROM person_change WHERE verdict IS NULL)"
                + " + (SELECT count(*) FROM standing_step WHERE verdict IS NULL)");
  }

  @Bean
  IdentityHasher identityHasher(NetworkId network, RegistrationProperties properties) {
    return SecretFile.read(
        properties.pepperFile(),
        "solidus.registration.pepper-file",
        pepper -> new IdentityHasher(network, pepper));
  }

  @Bean
  PersonVault personVault(RegistrationProperties properties) {
    List<Path> files = new ArrayList<>();
    files.add(properties.personKeyFile());
    files.addAll(properties.retiredPersonKeyFiles());
    List<byte[]> keys =
        files.stream()
            .map(file -> SecretFile.read(file, "a person key file", byte[]::clone))
            .toList();
    try {
      return new PersonVault(keys);
    } finally {
      keys.forEach(key -> Arrays.fill(key, (byte) 0));
    }
  }

  @Bean
  Screening screening(
      RegistrationProperties properties, HttpClients clients, ObjectProvider<BearerToken> own) {
    RegistrationProperties.ScreeningSettings settings = properties.screening();
    Path file = settings.tokenFile();
    return new SanctionsScreening(
        clients.open(settings.timeout()),
        settings.url(),
        own.getIfAvailable(() -> file == null ? null : BearerToken.ofFile(file)),
        settings.timeout(),
        settings.batchTimeout(),
        settings.requiredLists());
  }

  @Bean
  ReplacedAddresses replacedAddresses(
      RegistrationProperties properties, HttpClients clients, ObjectProvider<BearerToken> own) {
    RegistrationProperties.ScreeningSettings settings = properties.screening();
    Path file = settings.tokenFile();
    return new ReplacedAddresses(
        clients.open(settings.timeout()),
        settings.url(),
        own.getIfAvailable(() -> file == null ? null : BearerToken.ofFile(file)),
        settings.timeout());
  }

  @Bean
  @ConditionalOnMissingBean
  RegistrationCheck registrationCheck(
      KeySet keys, Committee committee, RegistrationProperties properties) {
    Verifier verifier = Verifier.open(keys, committee);
    return new NativeRegistrationCheck(
        verifier, properties.checkThreads(), properties.checkDeadline());
  }
}
