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

/**
 * What the bank's people do on the admin APIs, with an access token; and somebody without one, who
 * is turned away.
 */
final class Officers {
  private static final String FUNDING = "funding";

  private final Calls calls;
  private final Map<String, URI> services;
  private final String token;

  /**
   * @param services addresses of registration, sanctions and issuance, as /v1/info tells them
   */
  Officers(Calls calls, Map<String, URI> services, String token) {
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

  /** Money that came in, and a look at what was recorded. */
  private ChainBuilder record() {
    return exec(session -> session.set(FUNDING, "load-" + UUID.randomUUID()))
        .exec(
            calls.call(
                "admin-funding",
                authorised(http("admin-funding").post(url("issuance", "/admin/v1/fundings")))
                    .header("Content-Type", "application/json")
                    .body(StringBody(Officers::funding))))
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
      throw new IllegalStateException("the gateway does not say where " + service + " is");
    }
    return base + path;
  }
}
