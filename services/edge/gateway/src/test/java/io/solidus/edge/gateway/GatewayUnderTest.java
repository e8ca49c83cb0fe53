package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.platform.boot.ServicePorts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.springframework.context.ConfigurableApplicationContext;

/** A gateway in front of four fake authorities. */
final class GatewayUnderTest implements AutoCloseable {
  final List<FakeAuthority> authorities = new ArrayList<>();
  final TestDatabase database = TestPostgres.newDatabase();
  final ConfigurableApplicationContext context;
  final RestProbe rest;

  GatewayUnderTest() {
    this(Map.of());
  }

  GatewayUnderTest(Map<String, Object> properties) {
    this(properties, authority -> {});
  }

  /**
   * @param prepare what is true of each authority before the gateway starts
   */
  GatewayUnderTest(Map<String, Object> properties, Consumer<FakeAuthority> prepare) {
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
    all.put("solidus.gateway.urls.registration", "http://127.0.0.1:1");
    all.put("solidus.gateway.urls.sanctions", "http://127.0.0.1:1");
    all.put("solidus.gateway.urls.issuance", "http://127.0.0.1:1");
    all.put("solidus.gateway.call-timeout", "3s");
    all.put("solidus.gateway.request-timeout", "5s");
    all.putAll(properties);
    context = GatewayApplication.start(all);
    rest = new RestProbe(ServicePorts.http(context));
  }

  FakeAuthority authority(int index) {
    return authorities.get(index - 1);
  }

  void reset() {
    authorities.forEach(FakeAuthority::reset);
  }

  /** Waits until the gateway's channel to an authority that was away works again. */
  void awaitReachable(int index) {
    Generators random = new Generators(System.nanoTime());
    double before = answers(index, "signed");
    Eventually.holds(() -> {
      rest.post("/v1/transfers", Requests.json(Requests.transfer(random)));
      assertThat(answers(index, "signed")).isGreaterThan(before);
    });
  }

  /** The metric of answers by authority and outcome. */
  double answers(int authority, String outcome) {
    return count("solidus_gateway_authority_answers_total", authority, outcome);
  }

  /** The metric of shard maps by authority and outcome. */
  double maps(int authority, String outcome) {
    return count("solidus_gateway_shard_maps_total", authority, outcome);
  }

  /** How often an authority was named, by reason. */
  double culprits(int authority, String reason) {
    return sum(
        "solidus_gateway_culprits_total",
        "authority=\"" + authority + "\"",
        "reason=\"" + reason + "\"");
  }

  /** How often an authority alone claimed that a coin is spent. */
  double loneClaims(int authority) {
    return sum("solidus_gateway_lone_claims_total", "authority=\"" + authority + "\"", "");
  }

  /** The version of an authority's shard map that the gateway goes by. */
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
    context.close();
    authorities.forEach(FakeAuthority::close);
  }
}
