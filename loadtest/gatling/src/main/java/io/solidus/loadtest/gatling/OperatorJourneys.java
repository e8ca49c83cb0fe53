package io.solidus.loadtest.gatling;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.net.URI;
import java.util.Map;
import java.util.UUID;

/** Calls of the admin APIs with an access token, and one without, which must be refused. */
final class OperatorJourneys {
  private static final String FUNDING = "funding";

  private final RouteCall calls;
  private final Map<String, URI> services;
  private final String token;

  /**
   * Creates the journeys.
   *
   * @param services addresses of the admin APIs of registration, sanctions and issuance
   */
  OperatorJourneys(RouteCall calls, Map<String, URI> services, String token) {
    this.calls = calls;
    this.services = services;
    this.token = token;
  }

  ChainBuilder office() {
    return exec(get("admin-cases", "registration", "/admin/v1/kyc/cases?limit=50&status=pending"))
        .exec(get("admin-lists", "sanctions", "/admin/v1/sanctions/lists"))
        .exec(get("admin-checkpoints", "sanctions", "/admin/v1/sanctions/checkpoints"))
        .exec(get("admin-policies", "sanctions", "/admin/v1/policies"))
        .exec(record())
        .exec(get("admin-supply", "issuance", "/admin/v1/supply"))
        .exec(
            calls.call(
                "admin-no-token",
                http("admin-no-token").get(url("issuance", "/admin/v1/supply")),
                401));
  }

  private ChainBuilder get(String route, String service, String path) {
    return calls.call(route, authorised(http(route).get(url(service, path))));
  }

  /** Records a funding and reads it back. */
  private ChainBuilder record() {
    return exec(session -> session.set(FUNDING, "load-" + UUID.randomUUID()))
        .exec(
            calls.call(
                "admin-funding",
                authorised(http("admin-funding").post(url("issuance", "/admin/v1/fundings")))
                    .header("Content-Type", "application/json")
                    .body(StringBody(OperatorJourneys::funding))))
        .exec(
            calls.call(
                "admin-funding-view",
                authorised(
                    http("admin-funding-view")
                        .get(session ->
                            url("issuance", "/admin/v1/fundings/" + session.getString(FUNDING))))));
  }

  private static String funding(Session session) {
    return "{\"fundingId\":\""
        + session.getString(FUNDING)
        + "\",\"amountMinor\":1000,\"accountReference\":\"load test\"}";
  }

  private HttpRequestActionBuilder authorised(HttpRequestActionBuilder request) {
    return request.header("Authorization", "Bearer " + token);
  }

  private String url(String service, String path) {
    URI base = services.get(service);
    if (base == null) {
      throw new IllegalStateException("nobody names the address of " + service);
    }
    return base + path;
  }
}
