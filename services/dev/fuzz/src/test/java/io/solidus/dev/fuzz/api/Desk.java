package io.solidus.dev.fuzz.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.RestProbe.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * The admin API of a service in the hands of those who may use it: one person proposes, another one
 * decides, and a service does what is left to services. Whatever is refused fails the test.
 */
final class Desk {
  private static final String PROPOSER = "operator-proposes";
  private static final String DECIDER = "operator-decides";

  private final RestProbe rest;
  private final Tokens tokens;

  /**
   * @param port of the wallets' API
   * @param adminPort of the admin API
   */
  Desk(int port, int adminPort, Tokens tokens) {
    this.rest = new RestProbe(port, adminPort);
    this.tokens = tokens;
  }

  JsonNode read(String path) {
    return succeeded(rest.get(path, as(PROPOSER)), path);
  }

  JsonNode propose(String path, Object body) {
    return succeeded(rest.post(path, body, as(PROPOSER)), path);
  }

  /** Posts something that need not succeed. */
  Answer tryToPropose(String path, Object body) {
    return rest.post(path, body, as(PROPOSER));
  }

  /** Sends bytes of a content type. */
  JsonNode handIn(String path, byte[] content, String type) {
    String[] token = as(PROPOSER);
    return succeeded(
        rest.exchange(
            "POST",
            path,
            BodyPublishers.ofByteArray(content),
            token[0],
            token[1],
            "Content-Type",
            type),
        path);
  }

  JsonNode delete(String path) {
    return succeeded(rest.send("DELETE", path, null, as(PROPOSER)), path);
  }

  JsonNode decide(String path) {
    return decide(path, null);
  }

  JsonNode decide(String path, @Nullable Object body) {
    return succeeded(rest.send("POST", path, body, as(DECIDER)), path);
  }

  /** What another service of the platform does. */
  JsonNode asService(String method, String path, Object body) {
    String token = tokens.of("service-prelude", List.of("service"));
    return succeeded(rest.send(method, path, body, "Authorization", "Bearer " + token), path);
  }

  private String[] as(String person) {
    return new String[] {"Authorization", "Bearer " + tokens.of(person, Tokens.TOGETHER)};
  }

  private static JsonNode succeeded(Answer answer, String path) {
    assertThat(answer.status() / 100).as("%s: %s", path, answer.body()).isEqualTo(2);
    return answer.contentType().startsWith("application/json")
        ? answer.json()
        : MissingNode.getInstance();
  }
}
