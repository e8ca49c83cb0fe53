package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.wire.v1.GetStatusReply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A gateway with four fake authorities and a database of its own. As a static extension of a test
 * class its authorities are honest again before each test, and it ends after the last one.
 */
public final class GatewayFixture implements AutoCloseable, BeforeEachCallback, AfterAllCallback {
  /**
   * Longer than the REST client of the tests waits: an answer proves that the gateway did not wait
   * for an authority that never answers.
   */
  private static final String LONGER_THAN_THE_CLIENT_WAITS = "120s";

  final List<FakeAuthority> authorities = new ArrayList<>();
  final TestDatabase database = TestPostgres.newDatabase();
  public final ConfigurableApplicationContext context;
  public final RestProbe rest;

  private static final class Shared {
    static final GatewayFixture INSTANCE = new GatewayFixture();
  }

  public GatewayFixture() {
    this(Map.of());
  }

  GatewayFixture(Map<String, Object> properties) {
    this(properties, authority -> {});
  }

  /**
   * Starts the gateway.
   *
   * @param prepare sets up each authority before the gateway starts
   */
  GatewayFixture(Map<String, Object> properties, Consumer<FakeAuthority> prepare) {
    TestCommittee committee = TestCommittee.regulated();
    Map<String, Object> all = new HashMap<>(database.springProperties());
    for (int i = 0; i < TestCommittee.N; i++) {
      FakeAuthority authority = new FakeAuthority(i + 1);
      prepare.accept(authority);
      authorities.add(authority);
      String prefix = "solidus.gateway.authorities[" + i + "].";
      all.put(prefix + "index", i + 1);
      all.put(prefix + "shards[0]", authority.address());
      all.put(prefix + "shards[1]", authority.address());
      all.put(prefix + "issuer", authority.address());
    }
    all.put("server.port", 0);
    all.put("solidus.network.id", TestCommittee.NETWORK.value());
    all.put("solidus.network.keys-dir", committee.keysDir());
    all.put("solidus.network.manifest-key", committee.manifestKeyBase64());
    all.put("solidus.network.allowed-key-classes", "DEVELOPMENT");
    all.put("solidus.trust.registration", TestNotes.REGISTRATION.publicKey().publicKey().base64());
    all.put("solidus.gateway.urls.registration", "http://127.0.0.1:1");
    all.put("solidus.gateway.urls.sanctions", "http://127.0.0.1:1");
    all.put("solidus.gateway.urls.issuance", "http://127.0.0.1:1");
    // all clients of a test share one address
    all.put("solidus.gateway.max-per-second.doubtful-payments", "100000");
    all.put("solidus.gateway.max-per-second.look-ups", "100000");
    all.put("solidus.gateway.max-per-second.recovers", "100000");
    all.put("solidus.gateway.max-per-second.posts", "100000");
    all.put("solidus.gateway.max-per-second.refusals", "100000");
    all.put("solidus.gateway.max-per-second.refusals-of-one-network", "100000");
    all.put("solidus.gateway.max-per-second.beside-payments", "100000");
    all.put("solidus.gateway.call-timeout", LONGER_THAN_THE_CLIENT_WAITS);
    all.put("solidus.gateway.request-timeout", LONGER_THAN_THE_CLIENT_WAITS);
    all.putAll(properties);
    context = GatewayApplication.start(all);
    rest = new RestProbe(ServicePorts.http(context));
  }

  /**
   * One gateway for all test classes that leave no request for redelivery behind. Its authorities
   * are honest and without stored requests.
   */
  public static GatewayFixture shared() {
    Shared.INSTANCE.reset();
    return Shared.INSTANCE;
  }

  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** Sets what an authority answers to status requests. */
  public void setStatus(int authority, GetStatusReply status) {
    authority(authority).status = status;
  }

  /** Makes an authority accept requests and never answer. */
  public void silence(int authority) {
    authority(authority).behaviour = AuthorityBehaviour.WITHHOLDS;
  }

  FakeAuthority authority(int index) {
    return authorities.get(index - 1);
  }

  public void reset() {
    authorities.forEach(FakeAuthority::reset);
  }

  @Override
  public void beforeEach(ExtensionContext test) {
    reset();
  }

  @Override
  public void afterAll(ExtensionContext testClass) {
    close();
  }

  /** Waits until the gateway reaches an authority again that was down. */
  void awaitReachable(int index) {
    Generators random = new Generators(System.nanoTime());
    double before = answers(index, "signed");
    Eventually.holds(() -> {
      rest.post("/v1/transfers", TestRequests.json(TestRequests.transfer(random)));
      assertThat(answers(index, "signed")).isGreaterThan(before);
    });
  }

  /** The number of answers of an authority with this outcome. */
  double answers(int authority, String outcome) {
    return count("solidus_gateway_authority_answers_total", authority, outcome);
  }

  /** The number of shard maps of an authority with this outcome. */
  double maps(int authority, String outcome) {
    return count("solidus_gateway_shard_maps_total", authority, outcome);
  }

  /** The number of reported faults of an authority. */
  double faults(int authority, String reason) {
    return sum(
        "solidus_gateway_culprits_total",
        "authority=\"" + authority + "\"",
        "reason=\"" + reason + "\"");
  }

  /** The number of lone claims of an authority that a coin is spent. */
  double loneClaims(int authority) {
    return sum("solidus_gateway_lone_claims_total", "authority=\"" + authority + "\"", "");
  }

  /** The version of an authority's shard map in the gateway. */
  double mapVersion(int authority) {
    return sum("solidus_gateway_shard_map_version", "authority=\"" + authority + "\"", "");
  }

  private double count(String metric, int authority, String outcome) {
    return sum(metric, "authority=\"" + authority + "\"", "outcome=\"" + outcome + "\"");
  }

  private double sum(String metric, String label, String other) {
    return rest.get("/actuator/prometheus")
        .body()
        .lines()
        .filter(line -> line.startsWith(metric + "{"))
        .filter(line -> line.contains(label) && line.contains(other))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  @Override
  public void close() {
    // first the authorities: this ends their open calls, for which the gateway would wait
    authorities.forEach(FakeAuthority::close);
    context.close();
  }
}
