package io.solidus.loadtest.gatling;

import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.group;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.rampUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;
import io.solidus.loadtest.driver.LoadPlan;
import io.solidus.loadtest.forge.RequestPool;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.gateway.MailboxPage;
import io.solidus.wallet.gateway.RestClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The load of a scenario of scenarios.json on a whole platform. Users arrive at the scenario's
 * rate, whether or not earlier ones have been answered. Run by {@code ./solidus load run SCENARIO
 * --tool gatling}.
 */
public final class PlatformSimulation extends Simulation {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration GRACE = Duration.ofMinutes(2);
  private static final int MAX_PAGES = 50;
  private static final int PAGE = 500;

  private final Settings settings = Settings.ofThisProcess();
  private final Measurements measured = new Measurements();
  private final RequestPool pool = RequestPool.open(settings.pool());

  public PlatformSimulation() {
    LoadPlan plan = settings.plan();
    Map<String, ChainBuilder> journeys = journeys();
    List<PopulationBuilder> populations = new ArrayList<>();
    int start = 0;
    for (LoadPlan.Phase phase : plan.phases()) {
      for (Map.Entry<String, ChainBuilder> journey : journeys.entrySet()) {
        populations.add(population(plan, phase, start, journey.getKey(), journey.getValue()));
      }
      start += phase.seconds();
    }
    setUp(populations)
        .protocols(
            http.baseUrl(settings.url().toString())
                .userAgentHeader("solidus-loadtest")
                .shareConnections()
                .disableCaching()
                .disableFollowRedirect()
                .disableWarmUp())
        .maxDuration(Duration.ofSeconds(plan.seconds()).plus(GRACE))
        .assertions(assertions(plan));
  }

  private Map<String, ChainBuilder> journeys() {
    RouteCall calls = new RouteCall(measured);
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      GatewayClient gateway =
          new GatewayClient(new RestClient(client, settings.url(), "the gateway", PATIENCE));
      Map<String, URI> services = gateway.info().services();
      WalletJourneys wallets =
          new WalletJourneys(calls, measured, pool, settings.seed(), mailboxEnd(gateway));
      Map<String, ChainBuilder> journeys = new LinkedHashMap<>();
      journeys.put("pay", wallets.pay());
      journeys.put("look", wallets.look());
      journeys.put("read", wallets.read());
      if (!settings.adminToken().isEmpty()) {
        Map<String, URI> admin = new HashMap<>(services);
        admin.putAll(settings.adminUrls());
        journeys.put("admin", new OperatorJourneys(calls, admin, settings.adminToken()).office());
      }
      return journeys;
    }
  }

  private static long mailboxEnd(GatewayClient gateway) {
    long after = 0;
    for (int pages = 0; pages < MAX_PAGES; pages++) {
      List<MailboxPage.Entry> entries = gateway.mailbox(after, PAGE).entries();
      if (entries.isEmpty()) {
        break;
      }
      after = entries.getLast().sequence();
    }
    return after;
  }

  private static PopulationBuilder population(
      LoadPlan plan, LoadPlan.Phase phase, int start, String journey, ChainBuilder chain) {
    OpenInjectionStep arrivals =
        rampUsersPerSec(plan.perSecond(journey, phase.from()))
            .to(plan.perSecond(journey, phase.to()))
            .during(Duration.ofSeconds(phase.seconds()));
    return scenario(journey + " " + phase.name())
        .exec(
            exec(session -> session.set(RouteCall.PHASE, phase.name()))
                .exec(group(phase.name()).on(chain)))
        .injectOpen(nothingFor(Duration.ofSeconds(start)), arrivals);
  }

  /**
   * The limits of latency. The summary checks what Gatling cannot assert: refusals by code and
   * failed payments.
   */
  private static List<Assertion> assertions(LoadPlan plan) {
    List<Assertion> all = new ArrayList<>();
    for (String phase : plan.limits().phases()) {
      plan.limits()
          .routes()
          .forEach((route, limit) -> {
            all.add(details(phase, route).responseTime().percentile(95).lt(limit.p95()));
            all.add(details(phase, route).responseTime().percentile(99).lt(limit.p99()));
          });
    }
    return all;
  }

  @Override
  public void after() {
    pool.close();
    new Summary(settings.plan(), measured).write(settings.summary());
  }
}
