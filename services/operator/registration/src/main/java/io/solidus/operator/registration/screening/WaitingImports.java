package io.solidus.operator.registration.screening;

import io.solidus.operator.registration.person.Person;
import io.solidus.platform.http.BoundedCalls;
import io.solidus.platform.http.NoAnswerException;
import io.solidus.platform.security.BearerToken;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Client of the sanctions service for imports of lists that wait for their second person. */
public final class WaitingImports implements AutoCloseable {
  private static final int MAX_ANSWER_BYTES = 256 * 1024;

  private final URI imports;
  private final @Nullable BearerToken token;
  private final Duration timeout;
  private final BoundedCalls http;
  private final JsonMapper json =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private record Imports(@Nullable List<UUID> imports) {}

  private record Asked(
      String fullName, String birthDate, String nationality, List<String> documentNumbers) {}

  private record Batch(List<Asked> persons) {}

  private record Hits(@Nullable List<Integer> matches) {}

  private record Result(long screened, long hit, List<UUID> cases) {}

  /**
   * Creates the client.
   *
   * @param http closed with this client
   * @param base URL of the sanctions service
   * @param token of this service; null when network rules protect the sanctions service
   * @param timeout of a whole call; the first for an import waits until its index is built
   */
  public WaitingImports(HttpClient http, URI base, @Nullable BearerToken token, Duration timeout) {
    String text = base.toString();
    this.imports =
        URI.create((text.endsWith("/") ? text : text + "/") + "admin/v1/sanctions/imports/");
    this.token = token;
    this.timeout = timeout;
    this.http = new BoundedCalls(http);
  }

  /**
   * The imports whose customers nobody has looked for.
   *
   * @throws ScreeningUnavailableException when there is no answer
   */
  public List<UUID> unscreened() {
    List<UUID> found =
        parse(fetch(HttpRequest.newBuilder(imports.resolve("unscreened")).GET()), Imports.class)
            .imports();
    return found == null ? List.of() : found;
  }

  /**
   * For each person how many entries match that an import adds or changes.
   *
   * @param persons at most {@link Screening#MAX_BATCH}
   * @throws ScreeningUnavailableException when there is no answer, or the import does not wait
   */
  public List<Integer> screen(UUID id, List<Person> persons) {
    Batch batch =
        new Batch(
            persons.stream()
                .map(person ->
                    new Asked(
                        person.fullName(),
                        person.birthDate().toString(),
                        person.nationality(),
                        List.of(person.documentNumber())))
                .toList());
    List<Integer> matches =
        parse(fetch(json(id + "/screenings", "POST", batch)), Hits.class).matches();
    if (matches == null || matches.size() != persons.size()) {
      throw new ScreeningUnavailableException("the sanctions service's answer is incomplete");
    }
    return matches;
  }

  /**
   * Says which customers an import hits.
   *
   * @param cases ids of the first of them, 100 at most
   * @throws ScreeningUnavailableException when there is no answer, or the import does not wait
   */
  public void report(UUID id, long screened, long hit, List<UUID> cases) {
    fetch(json(id + "/customers", "PUT", new Result(screened, hit, cases)));
  }

  private HttpRequest.Builder json(String path, String method, Object body) {
    return HttpRequest.newBuilder(imports.resolve(path))
        .header("Content-Type", "application/json")
        .method(method, BodyPublishers.ofByteArray(json.writeValueAsBytes(body)));
  }

  private byte[] fetch(HttpRequest.Builder request) {
    request.header("Accept", "application/json");
    try {
      if (token != null) {
        request.header("Authorization", "Bearer " + token.value());
      }
      BoundedCalls.Answer answer = http.send(request, timeout, MAX_ANSWER_BYTES);
      if (answer.status() / 100 != 2) {
        throw new ScreeningUnavailableException(
            "the sanctions service answered " + answer.status());
      }
      return answer.body();
    } catch (NoAnswerException e) {
      throw new ScreeningUnavailableException("the sanctions service " + e.getMessage());
    } catch (IOException e) {
      throw new ScreeningUnavailableException("there is no token for the sanctions service");
    }
  }

  private <T> T parse(byte[] body, Class<T> type) {
    try {
      T answer = json.readValue(body, type);
      if (answer != null) {
        return answer;
      }
    } catch (JacksonException e) {
      // refused below
    }
    throw new ScreeningUnavailableException("the sanctions service's answer cannot be read");
  }

  @Override
  public void close() {
    http.close();
  }
}
