package io.solidus.operator.console.api;

import io.solidus.operator.console.ConsoleProperties;
import io.solidus.operator.console.login.Persons;
import io.solidus.platform.http.BoundedCalls;
import io.solidus.platform.http.HttpClients;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Map;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** The admin APIs, for the person of the current request. */
@Component
public final class Apis implements DisposableBean {
  private static final Duration CONNECT = Duration.ofSeconds(2);
  private static final int HEALTH_BYTES = 64 * 1024;

  private final ConsoleProperties properties;
  private final Persons persons;
  private final BoundedCalls http;
  private final Api.Limits limits;

  Apis(ConsoleProperties properties, Persons persons, HttpClients clients) {
    this.properties = properties;
    this.persons = persons;
    this.http = new BoundedCalls(clients.open(CONNECT));
    this.limits =
        new Api.Limits(
            properties.callTimeout(),
            properties.uploadTimeout(),
            Math.toIntExact(properties.answerLimit().toBytes()));
  }

  public Api registration() {
    return api("registration", properties.registration());
  }

  public Api sanctions() {
    return api("sanctions", properties.sanctions());
  }

  public Api issuance() {
    return api("issuance", properties.issuance());
  }

  /** The services whose readiness is asked for, by name. */
  public Map<String, URI> health() {
    return properties.health();
  }

  /** Whether a service says within the deadline that it is ready. It is asked without a token. */
  public boolean isReady(URI address) {
    try {
      return http.send(
              HttpRequest.newBuilder(address).GET(), properties.healthTimeout(), HEALTH_BYTES)
          .isOk();
    } catch (java.io.IOException e) {
      return false;
    }
  }

  private Api api(String name, URI base) {
    return new Api(name, base, persons.accessToken(), persons.loggedInJustNow(), http, limits);
  }

  @Override
  public void destroy() {
    http.close();
  }
}
