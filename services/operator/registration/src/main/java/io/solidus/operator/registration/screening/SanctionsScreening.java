package io.solidus.operator.registration.screening;

import io.solidus.operator.registration.person.Person;
import io.solidus.platform.http.BoundedCalls;
import io.solidus.platform.http.NoAnswerException;
import io.solidus.platform.security.BearerToken;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Client of the sanctions service. Only a well-formed answer with status 200 counts, because a
 * missing answer must never clear a person.
 */
public final class SanctionsScreening implements Screening, AutoCloseable {
  private static final int MAX_ANSWER_BYTES = 256 * 1024;

  private final URI uri;
  private final @Nullable BearerToken token;
  private final Duration timeout;
  private final Set<String> requiredLists;
  private final BoundedCalls http;
  private final JsonMapper json =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private record Request(String fullName, String birthDate, String nationality) {}

  private record Searched(@Nullable String list) {}

  private record Answer(@Nullable List<ScreeningMatch> matches, @Nullable List<Searched> lists) {}

  /**
   * Creates the client.
   *
   * @param http closed with this client
   * @param base URL of the sanctions service
   * @param token of this service; null when network rules protect the sanctions service
   * @param timeout of a whole call
   * @param requiredLists lists that a screening must have searched, else its answer is rejected
   */
  public SanctionsScreening(
      HttpClient http,
      URI base,
      @Nullable BearerToken token,
      Duration timeout,
      Set<String> requiredLists) {
    String text = base.toString();
    this.uri =
        URI.create((text.endsWith("/") ? text : text + "/") + "admin/v1/sanctions/screenings");
    this.token = token;
    this.timeout = timeout;
    this.requiredLists = Set.copyOf(requiredLists);
    this.http = new BoundedCalls(http);
  }

  @Override
  public List<ScreeningMatch> screen(Person person) {
    Request body =
        new Request(person.fullName(), person.birthDate().toString(), person.nationality());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(json.writeValueAsBytes(body)));
    if (token != null) {
      request.header("Authorization", "Bearer " + value(token));
    }
    return read(fetch(request));
  }

  private byte[] fetch(HttpRequest.Builder request) {
    BoundedCalls.Answer answer;
    try {
      answer = http.send(request, timeout, MAX_ANSWER_BYTES);
    } catch (NoAnswerException e) {
      throw new ScreeningUnavailableException("the sanctions service " + e.getMessage());
    }
    if (!answer.isOk()) {
      throw new ScreeningUnavailableException("the sanctions service answered " + answer.status());
    }
    return answer.body();
  }

  private List<ScreeningMatch> read(byte[] body) {
    Answer answer;
    try {
      answer = json.readValue(body, Answer.class);
    } catch (JacksonException e) {
      throw new ScreeningUnavailableException("the sanctions service's answer cannot be read");
    }
    if (answer == null
        || answer.matches() == null
        || !answer.matches().stream().allMatch(SanctionsScreening::isComplete)) {
      throw new ScreeningUnavailableException("the sanctions service's answer is incomplete");
    }
    if (!searched(answer).containsAll(requiredLists)) {
      throw new ScreeningUnavailableException(
          "the sanctions service did not search every required list");
    }
    return List.copyOf(answer.matches());
  }

  private static Set<String> searched(Answer answer) {
    List<Searched> lists = answer.lists() == null ? List.of() : answer.lists();
    return lists.stream()
        .map(Searched::list)
        .filter(name -> name != null)
        .collect(Collectors.toSet());
  }

  private static boolean isComplete(@Nullable ScreeningMatch match) {
    return match != null && match.list() != null && match.reference() != null;
  }

  private static String value(BearerToken token) {
    try {
      return token.value();
    } catch (IOException e) {
      throw new ScreeningUnavailableException("there is no token for the sanctions service");
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
