package io.solidus.operator.sanctions;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestKafka;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.dev.testkit.TestTokens;
import io.solidus.dev.testkit.TwoRoles;
import io.solidus.platform.boot.ServiceLauncher;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.NoteSigner;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** A running sanctions service with its own database, and operators with tokens. */
final class SanctionsFixture implements AutoCloseable {
  static final NetworkId NETWORK = new NetworkId("sanctions-test");

  /** Most tests must pass without Kafka. */
  static final Map<String, Object> NO_KAFKA = TestKafka.absent();

  private static final byte CHECKPOINT_SEED = 1;
  private static final byte POLICY_SEED = 2;

  final TestDatabase database = TestPostgres.newDatabase();
  final TestTokens tokens = TestTokens.create();
  final @Nullable TwoRoles roles;
  private final Path directory;
  private final Map<String, Object> kafka;
  private final Clock clock;
  private Map<String, Object> further;
  private ConfigurableApplicationContext context;
  RestProbe rest;

  private SanctionsFixture(
      Path directory,
      Map<String, Object> kafka,
      Map<String, Object> further,
      Clock clock,
      boolean twoRoles)
      throws IOException {
    this.roles = twoRoles ? TwoRoles.migrated(database, "sanctions") : null;
    this.directory = directory;
    this.clock = clock;
    this.kafka = kafka;
    this.further = Map.copyOf(further);
    seed("checkpoint.key", CHECKPOINT_SEED);
    seed("policy.key", POLICY_SEED);
    this.context = launch();
    this.rest = new RestProbe(ServicePorts.http(context), ServicePorts.admin(context));
  }

  static SanctionsFixture start(Path directory, Map<String, Object> kafka) throws IOException {
    return start(directory, kafka, Map.of());
  }

  static SanctionsFixture start(
      Path directory, Map<String, Object> kafka, Map<String, Object> further) throws IOException {
    return start(directory, kafka, further, Clock.systemUTC());
  }

  static SanctionsFixture start(
      Path directory, Map<String, Object> kafka, Map<String, Object> further, Clock clock)
      throws IOException {
    return new SanctionsFixture(directory, kafka, further, clock, false);
  }

  /** Starts the service as a role that does not own its tables. */
  static SanctionsFixture startWithTwoRoles(Path directory) throws IOException {
    return new SanctionsFixture(directory, NO_KAFKA, Map.of(), Clock.systemUTC(), true);
  }

  private ConfigurableApplicationContext launch() {
    return ServiceLauncher.builder(SanctionsApplication.class, "sanctions")
        .initializers(starting ->
            ((GenericApplicationContext) starting).registerBean("clock", Clock.class, () -> clock))
        .run(
            properties().entrySet().stream()
                .map(property -> "--" + property.getKey() + "=" + property.getValue())
                .toArray(String[]::new));
  }

  /** A part of the running service. */
  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** A part of the running service, of several of its type. */
  <T> T bean(String name, Class<T> type) {
    return context.getBean(name, type);
  }

  /** The value of a gauge. */
  double gauge(String name) {
    return bean(MeterRegistry.class).get(name).gauge().value();
  }

  int publicPort() {
    return ServicePorts.http(context);
  }

  int adminPort() {
    return ServicePorts.admin(context);
  }

  /** Stops the service; {@link #restart} starts it again. */
  void stop() {
    context.close();
  }

  /** Stops the service and starts it again on the same database. */
  void restart() {
    context.close();
    context = launch();
    rest = new RestProbe(ServicePorts.http(context), ServicePorts.admin(context));
  }

  /** Starts the service again with other keys and other further properties. */
  void restartWith(byte checkpointSeed, byte policySeed, Map<String, Object> further)
      throws IOException {
    seed("checkpoint.key", checkpointSeed);
    seed("policy.key", policySeed);
    this.further = Map.copyOf(further);
    restart();
  }

  private Map<String, Object> properties() {
    Map<String, Object> properties = new HashMap<>(database.springProperties());
    properties.putAll(tokens.springProperties());
    properties.put("server.port", 0);
    properties.put("solidus.admin.port", 0);
    properties.putAll(kafka);
    properties.put("solidus.sanctions.network-id", NETWORK.value());
    properties.put("solidus.sanctions.note-key-file", directory.resolve("checkpoint.key"));
    properties.put("solidus.sanctions.policy-note-key-file", directory.resolve("policy.key"));
    properties.put("solidus.sanctions.public-url", "http://sanctions.example");
    properties.put("solidus.sanctions.heartbeat-interval", "200ms");
    if (roles != null) {
      properties.putAll(roles.serviceProperties());
    }
    properties.putAll(further);
    return properties;
  }

  private void seed(String name, byte value) throws IOException {
    Files.write(directory.resolve(name), seed(value));
  }

  private static byte[] seed(byte value) {
    byte[] seed = new byte[32];
    Arrays.fill(seed, value);
    return seed;
  }

  static NoteKey checkpointKey() {
    return signer(NoteTrust.SANCTIONS, CHECKPOINT_SEED).publicKey();
  }

  static NoteKey policyKey() {
    return signer(NoteTrust.POLICY, POLICY_SEED).publicKey();
  }

  /** The signer whose seed has one value in all bytes. */
  static NoteSigner signer(String name, byte seed) {
    return NoteSigner.fromSeed(name, seed(seed));
  }

  String[] as(String subject, String... roles) {
    return new String[] {
      "Authorization", "Bearer " + tokens.tokenAt(clock.instant(), subject, roles)
    };
  }

  /** An operator's headers and one more header. */
  String[] as(String[] operator, String name, String value) {
    return new String[] {operator[0], operator[1], name, value};
  }

  String[] sanctionsOperator() {
    return as("olga", "sanctions-operator");
  }

  String[] policyOperator() {
    return as("paul", "policy-operator");
  }

  String[] approver() {
    return as("anna", "approver");
  }

  /** One person imports a file; the answer is 202 with a proposal, or a refusal. */
  Answer importFile(String list, byte[] file, String query) {
    return rest.exchange(
        "POST",
        "/admin/v1/sanctions/lists/" + list + "/imports" + query,
        BodyPublishers.ofByteArray(file),
        as(sanctionsOperator(), "Content-Type", "application/octet-stream"));
  }

  /**
   * One person imports a file and another accepts it. The answer is 201 with the version, or the
   * answer of the step that did not succeed.
   */
  Answer upload(String list, byte[] file) {
    Answer imported = importFile(list, file, "");
    if (imported.status() != 202) {
      return imported;
    }
    Answer accepted = approve(proposalOf(imported), approver());
    if (accepted.status() != 200) {
      return accepted;
    }
    Answer versions =
        rest.get("/admin/v1/sanctions/lists/" + list + "/versions", sanctionsOperator());
    return new Answer(
        201, versions.json().path("versions").path(0).toString(), accepted.response());
  }

  /** The id of an import's proposal. */
  static String proposalOf(Answer imported) {
    return imported.json().path("proposal").path("id").asString();
  }

  Answer approve(String proposal, String... operator) {
    return rest.send("POST", "/admin/v1/approvals/" + proposal, (Object) null, operator);
  }

  Answer publishCheckpoint() {
    return rest.send("POST", "/admin/v1/sanctions/checkpoints", (Object) null, sanctionsOperator());
  }

  /** Lists an address: one person proposes it and another approves it. */
  void list(String apkHex) {
    Answer proposal =
        rest.post(
            "/admin/v1/sanctions/addresses",
            Map.of("apk", apkHex, "reason", "court order"),
            sanctionsOperator());
    approve(proposal.json().path("id").asString(), approver());
  }

  @Override
  public void close() {
    context.close();
  }
}
