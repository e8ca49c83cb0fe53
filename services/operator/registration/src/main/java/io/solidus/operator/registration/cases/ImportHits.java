package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.RegistrationProperties;
import io.solidus.operator.registration.screening.Screening;
import io.solidus.operator.registration.screening.WaitingImports;
import io.solidus.platform.http.HttpClients;
import io.solidus.platform.security.BearerToken;
import io.solidus.platform.time.RepeatedJob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Tells the sanctions service which customers an import would hit while it waits for its second
 * person: how many, and the ids of some cases. Names do not leave this service but for the
 * comparison, as in every screening, and nothing of it is kept here. Several replicas may do it at
 * once: the first answer stays.
 */
final class ImportHits {
  private static final Logger log = LoggerFactory.getLogger(ImportHits.class);
  private static final int MAX_CASES = 100;

  private final JdbcClient jdbc;
  private final CaseStore store;
  private final WaitingImports imports;

  ImportHits(JdbcClient jdbc, CaseStore store, WaitingImports imports) {
    this.jdbc = jdbc;
    this.store = store;
    this.imports = imports;
  }

  void run() {
    for (UUID id : imports.unscreened()) {
      screenAll(id);
    }
  }

  private void screenAll(UUID id) {
    long screened = 0;
    long hit = 0;
    List<UUID> cases = new ArrayList<>();
    UUID after = new UUID(0, 0);
    List<UUID> batch;
    do {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      batch = undecidedAndApproved(after);
      List<KycCase> found = batch.stream().flatMap(one -> store.find(one).stream()).toList();
      if (!found.isEmpty()) {
        after = batch.getLast();
        List<Integer> matches = imports.screen(id, found.stream().map(KycCase::person).toList());
        for (int i = 0; i < found.size(); i++) {
          if (matches.get(i) > 0) {
            hit++;
            if (cases.size() < MAX_CASES) {
              cases.add(found.get(i).id());
            }
          }
        }
        screened += found.size();
      }
    } while (batch.size() == Screening.MAX_BATCH);
    imports.report(id, screened, hit, cases);
    log.info("import {} would hit {} of {} customers", id, hit, screened);
  }

  private List<UUID> undecidedAndApproved(UUID after) {
    return jdbc.sql(
            "SELECT id FROM kyc_case c WHERE id > ? AND status <> 'refused'"
                + StandingStore.NOT_CLOSED
                + " ORDER BY id LIMIT ?")
        .params(after, Screening.MAX_BATCH)
        .query(UUID.class)
        .list();
  }

  /** Runs it. */
  @Configuration(proxyBeanMethods = false)
  static class Job {
    @Bean
    WaitingImports waitingImports(
        RegistrationProperties properties, HttpClients clients, ObjectProvider<BearerToken> own) {
      RegistrationProperties.ScreeningSettings settings = properties.screening();
      Path file = settings.tokenFile();
      return new WaitingImports(
          clients.open(settings.batchTimeout()),
          settings.url(),
          own.getIfAvailable(() -> file == null ? null : BearerToken.ofFile(file)),
          settings.batchTimeout());
    }

    @Bean
    RepeatedJob importHits(
        JdbcClient jdbc,
        CaseStore store,
        WaitingImports imports,
        RegistrationProperties properties) {
      RegistrationProperties.ScreeningSettings settings = properties.screening();
      return new RepeatedJob(
          "import-hits",
          settings.basisInterval(),
          settings.retryMax(),
          new ImportHits(jdbc, store, imports)::run);
    }
  }
}
