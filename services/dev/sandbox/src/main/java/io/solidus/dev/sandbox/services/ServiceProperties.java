package io.solidus.dev.sandbox.services;

import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.sandbox.operators.Operators;
import io.solidus.dev.sandbox.operators.Staff;
import io.solidus.dev.sandbox.secrets.Installation;
import io.solidus.dev.sandbox.secrets.TokenIssuer;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.platform.database.Migrations;
import io.solidus.protocol.MailReplica;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The configuration of each service in the sandbox. All services listen on the loopback interface.
 */
public final class ServiceProperties {
  private static final String HOST = "127.0.0.1";

  private final SandboxOptions options;
  private final Installation installation;
  private final PostgresServer postgres;
  private final String kafka;

  public ServiceProperties(
      SandboxOptions options, Installation installation, PostgresServer postgres, String kafka) {
    this.options = options;
    this.installation = installation;
    this.postgres = postgres;
    this.kafka = kafka;
  }

  public Map<String, Object> sanctions() throws IOException, GeneralSecurityException {
    Map<String, Object> map = rest(options.ports().sanctions(), "sanctions");
    map.put("solidus.admin.port", options.ports().sanctionsAdmin());
    auditNotes(map, "sanctions");
    worksAs(map, "sanctions");
    map.put("solidus.sanctions.network-id", options.network().value());
    map.put("solidus.sanctions.note-key-file", installation.seed("sanctions-notes"));
    map.put("solidus.sanctions.policy-note-key-file", installation.seed("policy-notes"));
    map.put("solidus.sanctions.public-url", sanctionsUrl());
    map.put("solidus.sanctions.heartbeat-interval", "2s");
    return map;
  }

  public Map<String, Object> registration() throws Exception {
    Map<String, Object> map = rest(options.ports().registration(), "registration");
    map.put("solidus.admin.port", options.ports().registrationAdmin());
    auditNotes(map, "registration");
    worksAs(map, "registration");
    keys(map);
    forWebWallets(map);
    map.put("solidus.registration.note-key-file", installation.seed("registration-notes"));
    map.put("solidus.registration.person-key-file", installation.seed("registration-persons"));
    map.put("solidus.registration.pepper-file", installation.seed("registration-pepper"));
    map.put("solidus.registration.tokens.issuer", HOST);
    map.put("solidus.registration.screening.url", url(options.ports().sanctionsAdmin()));
    map.put("solidus.registration.screening.retry-max", "3s");
    map.put("solidus.registration.screening.required-lists", "un,ofac");
    map.put("solidus.service-client.id", TokenIssuer.SCREENING_CLIENT);
    map.put(
        "solidus.service-client.secret-file",
        installation.clientSecretFile(TokenIssuer.SCREENING_CLIENT));
    return map;
  }

  public Map<String, Object> issuance() throws Exception {
    Map<String, Object> map = rest(options.ports().issuance(), "issuance");
    map.put("solidus.admin.port", options.ports().issuanceAdmin());
    auditNotes(map, "issuance");
    worksAs(map, "issuance");
    keys(map);
    forWebWallets(map);
    map.put("solidus.issuance.redemption-key-file", installation.seed("redemption-hpke"));
    map.put("solidus.issuance.sanctions-url", sanctionsUrl());
    map.put("solidus.issuance.screening.url", url(options.ports().sanctionsAdmin()));
    map.put("solidus.issuance.screening.required-lists", "un,ofac");
    map.put("solidus.service-client.id", TokenIssuer.SCREENING_CLIENT);
    map.put(
        "solidus.service-client.secret-file",
        installation.clientSecretFile(TokenIssuer.SCREENING_CLIENT));
    map.putAll(Operators.bankSettings());
    for (String approver : Installation.APPROVERS) {
      map.put(
          "solidus.issuance.approvers." + approver + ".public-key",
          installation.publicKey(approver));
      map.put("solidus.issuance.approvers." + approver + ".subject", approver);
    }
    return map;
  }

  /** The console has no TLS here, so its cookie is not bound to TLS. */
  public Map<String, Object> console() throws IOException {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("spring.main.register-shutdown-hook", "false");
    map.put("spring.lifecycle.timeout-per-shutdown-phase", "3s");
    map.put("server.address", HOST);
    map.put("server.port", options.ports().console());
    map.put("server.servlet.session.cookie.name", "solidus-console");
    map.put("server.servlet.session.cookie.secure", false);
    map.putAll(Staff.bankSettings());
    map.put("solidus.console.public-url", Staff.consoleUrl(options.ports()));
    map.put("solidus.console.login.issuer-uri", installation.tokens().issuer());
    map.put("solidus.console.login.client-id", Staff.CONSOLE);
    map.put(
        "solidus.console.login.client-secret-file", installation.clientSecretFile(Staff.CONSOLE));
    map.put("solidus.console.registration", url(options.ports().registrationAdmin()));
    map.put("solidus.console.sanctions", url(options.ports().sanctionsAdmin()));
    map.put("solidus.console.issuance", url(options.ports().issuanceAdmin()));
    Map.of(
            "registration", options.ports().registration(),
            "sanctions", options.ports().sanctions(),
            "issuance", options.ports().issuance(),
            "gateway", options.ports().gateway())
        .forEach((service, port) ->
            map.put("solidus.console.health." + service, url(port) + "/actuator/health/readiness"));
    return map;
  }

  /** Brings a service's tables up to date as their owner; its role owns nothing. */
  void migrate(String service) {
    String role = role(service);
    postgres.execute(
        service,
        "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '"
            + role
            + "') THEN CREATE ROLE "
            + role
            + " LOGIN PASSWORD '"
            + role
            + "'; END IF; END $$");
    Map<String, Object> map = new LinkedHashMap<>();
    database(map, service);
    map.put("solidus.migrations.role", role);
    Migrations.migrate(service, map);
  }

  private static String role(String service) {
    return "solidus_" + service;
  }

  private void worksAs(Map<String, Object> map, String service) {
    // without the user that PostgresServer.url names
    map.put(
        "spring.datasource.url",
        "jdbc:postgresql://" + HOST + ":" + postgres.port() + "/" + service);
    map.put("spring.datasource.username", role(service));
    map.put("spring.datasource.password", role(service));
    map.put("spring.flyway.enabled", false);
  }

  private void auditNotes(Map<String, Object> map, String service) throws IOException {
    map.put("solidus.audit.note-key-file", installation.seed(service + "-audit"));
    Path notes = Files.createDirectories(options.data().resolve("audit-notes"));
    map.put("solidus.audit.notes-file", notes.resolve(service + ".txt"));
  }

  public Map<String, Object> gateway() throws Exception {
    Map<String, Object> map = rest(options.ports().gateway(), "gateway");
    keys(map);
    forWebWallets(map);
    if (!options.loadTest()) {
      map.put("solidus.gateway.prover-address", address(options.ports().prover()));
      map.put("solidus.gateway.relay.keys[0].id", Installation.RELAY_KEY_ID);
      map.put("solidus.gateway.relay.keys[0].file", installation.seed(Installation.RELAY_KEY));
      map.put("solidus.gateway.relay.token-file", installation.seed("relay-token"));
      map.put("solidus.gateway.mail-tables.interval", "5s");
      List<MailReplica> replicas = installation.replicas(options.authorities());
      for (int authority = 1; authority <= options.authorities(); authority++) {
        map.put(
            "solidus.gateway.mail-tables.replicas[" + (authority - 1) + "]",
            address(options.ports().replica(authority)));
        map.put(
            "solidus.gateway.mail-tables.replica-keys[" + (authority - 1) + "]",
            replicas.get(authority - 1).lists().base64());
      }
    }
    // every wallet, honest or not, has one address here, and a load test opens many at once
    map.put("solidus.gateway.max-per-second.doubtful-payments", 1000);
    map.put("solidus.gateway.max-per-second.look-ups", 10_000);
    map.put("solidus.gateway.max-per-second.recovers", 1000);
    map.put("solidus.gateway.max-per-second.posts", 10_000);
    map.put("solidus.gateway.max-per-second.refusals-of-one-network", 100);
    // and all services share processors here, with the wallets
    map.put("solidus.gateway.max-per-second.beside-payments", 10_000);
    if (!options.loadTest()) {
      map.put("solidus.gateway.tokens.url", url(options.ports().registration()));
      map.put("solidus.gateway.tokens.origin", HOST);
      map.put("solidus.gateway.tokens.strangers", 256);
      map.put("solidus.gateway.tokens.strangers-per-second", 10_000);
    }
    map.put("solidus.gateway.urls.registration", url(options.ports().registration()));
    map.put("solidus.gateway.urls.sanctions", sanctionsUrl());
    map.put("solidus.gateway.urls.issuance", url(options.ports().issuance()));
    for (int authority = 1; authority <= options.authorities(); authority++) {
      String prefix = "solidus.gateway.authorities[" + (authority - 1) + "]";
      map.put(prefix + ".index", authority);
      for (int shard = 0; shard < options.shards(); shard++) {
        map.put(
            prefix + ".shards[" + shard + "]", address(options.ports().shard(authority, shard)));
      }
      if (options.isRegulated()) {
        map.put(prefix + ".issuer", address(options.ports().issuer(authority)));
      }
    }
    return map;
  }

  /** The relay, which another institution runs elsewhere. */
  public Map<String, Object> relay() throws IOException {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("spring.main.register-shutdown-hook", "false");
    map.put("spring.lifecycle.timeout-per-shutdown-phase", "3s");
    map.put("server.address", HOST);
    map.put("server.port", options.ports().relay());
    map.put("solidus.relay.target", url(options.ports().gateway()) + "/v1/ohttp");
    map.put("solidus.relay.token-file", installation.seed("relay-token"));
    // every wallet has one address here
    map.put("solidus.relay.per-second", 10_000);
    map.put("solidus.relay.doubtful-per-second", 10_000);
    return map;
  }

  public Map<String, Object> prover() throws Exception {
    Map<String, Object> map = grpc(options.ports().prover());
    keys(map);
    map.put("solidus.prover.hpke-key-file", installation.seed("prover-hpke"));
    return map;
  }

  public Map<String, Object> signer(int authority) throws Exception {
    Map<String, Object> map = grpc(options.ports().signer(authority));
    database(map, authorityDatabase(authority));
    keys(map);
    windows(map, "solidus.signer");
    map.put("solidus.signer.authority", authority);
    map.put("solidus.signer.share-file", installation.shareFile(authority));
    map.put(
        "solidus.signer.sign-log",
        options.data().resolve("sign-logs").resolve("authority-" + authority + ".log"));
    return map;
  }

  public Map<String, Object> shard(int authority, int shard) throws Exception {
    Map<String, Object> map = grpc(options.ports().shard(authority, shard));
    database(map, authorityDatabase(authority));
    keys(map);
    windows(map, "solidus.validator");
    map.put("solidus.validator.authority", authority);
    map.put("solidus.validator.shard", shard);
    map.put("solidus.validator.signer", address(options.ports().signer(authority)));
    map.put("solidus.validator.note-key-file", installation.noteKeyFile(authority));
    map.put("solidus.validator.sanctions-url", sanctionsUrl());
    map.put("solidus.validator.pull-interval", "1s");
    for (int peer = 0; peer < options.shards(); peer++) {
      map.put("solidus.validator.shards[" + peer + "].index", peer);
      map.put(
          "solidus.validator.shards[" + peer + "].address",
          address(options.ports().shard(authority, peer)));
    }
    return map;
  }

  public Map<String, Object> issuer(int authority) throws Exception {
    Map<String, Object> map = grpc(options.ports().issuer(authority));
    database(map, authorityDatabase(authority));
    keys(map);
    map.put("solidus.compliance-issuer.authority", authority);
    map.put("solidus.compliance-issuer.signer-address", address(options.ports().signer(authority)));
    map.put(
        "solidus.compliance-issuer.internal-token-file", installation.internalTokenFile(authority));
    return map;
  }

  public Map<String, Object> replica(int authority) throws Exception {
    Map<String, Object> map = grpc(options.ports().replica(authority));
    map.put("solidus.replica.network-id", options.network().value());
    map.put("solidus.replica.authority", authority);
    map.put("solidus.replica.gateway", url(options.ports().gateway()));
    map.put("solidus.replica.key-file", installation.replicaSecret(authority));
    map.put("solidus.replica.interval", "2s");
    map.put("solidus.replica.memory", "32MB");
    return map;
  }

  static String authorityDatabase(int authority) {
    return "authority_" + authority;
  }

  private String sanctionsUrl() {
    return url(options.ports().sanctions());
  }

  /** The address of a service of the sandbox. */
  public static String url(int port) {
    return "http://" + address(port);
  }

  private static String address(int port) {
    return HOST + ":" + port;
  }

  /**
   * Sets a short grace time, because the demo shows a policy change and a new checkpoint within
   * minutes.
   */
  private static void windows(Map<String, Object> map, String prefix) {
    map.put(prefix + ".policy-grace", "12s");
    map.put(prefix + ".heartbeat-max-age", "60s");
  }

  /** The one class of keys that every service may open. */
  public static String keyClasses(SandboxOptions options) {
    return switch (options.keyClass()) {
      case DEVELOPMENT -> "development";
      case LOAD_TEST -> "load-test";
      case CEREMONY -> throw new IllegalArgumentException("a sandbox has no ceremony's keys");
    };
  }

  private void keys(Map<String, Object> map) {
    map.put("solidus.network.id", options.network().value());
    map.put("solidus.network.kind", options.kind().name().toLowerCase(Locale.ROOT));
    map.put("solidus.network.keys-dir", options.keys());
    map.put("solidus.network.manifest-key", installation.manifestKey());
    map.put("solidus.network.allowed-key-classes", keyClasses(options));
  }

  /** A browser shows the public API's answers to the web wallet's page, and to no other one. */
  private void forWebWallets(Map<String, Object> map) {
    map.put("solidus.public-api.allowed-origins[0]", url(options.ports().webWallet()));
  }

  private void database(Map<String, Object> map, String name) {
    map.put("spring.datasource.url", postgres.url(name));
    map.put("spring.datasource.username", PostgresServer.USER);
    map.put("spring.datasource.password", PostgresServer.USER);
    map.put("spring.datasource.hikari.maximum-pool-size", 6);
    map.put("spring.datasource.hikari.minimum-idle", 1);
  }

  private Map<String, Object> rest(int port, String database)
      throws IOException, GeneralSecurityException {
    Map<String, Object> map = common();
    map.put("server.address", HOST);
    map.put("server.port", port);
    map.put("solidus.security.jwt.issuer-uri", installation.tokens().issuer());
    map.putAll(Staff.bankSettings());
    database(map, database);
    return map;
  }

  /** gRPC services have no HTTP probes in the sandbox. */
  private Map<String, Object> grpc(int port) throws IOException {
    Map<String, Object> map = common();
    map.put("management.server.port", -1);
    map.put("spring.grpc.server.address", HOST);
    map.put("spring.grpc.server.port", port);
    return map;
  }

  private Map<String, Object> common() throws IOException {
    Map<String, Object> map = new LinkedHashMap<>(installation.trust());
    map.put("spring.kafka.bootstrap-servers", kafka);
    map.put("spring.main.register-shutdown-hook", "false");
    map.put("spring.lifecycle.timeout-per-shutdown-phase", "3s");
    map.put("spring.grpc.server.shutdown.grace-period", "1s");
    return map;
  }
}
