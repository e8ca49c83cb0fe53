package io.solidus.operator.registration.screening;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.solidus.operator.registration.person.Person;
import io.solidus.platform.http.BoundedCalls;
import io.solidus.platform.http.NoAnswerException;
import io.solidus.platform.security.BearerToken;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  private static final int MAX_BATCH_BYTES = 16 * 1024 * 1024;

  private final URI uri;
  private final URI batchUri;
  private final URI basisUri;
  private final @Nullable BearerToken token;
  private final Duration timeout;
  private final Duration batchTimeout;
  private final Set<String> requiredLists;
  private final BoundedCalls http;
  private final JsonMapper json =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Request(
      String fullName,
      @Nullable String latinName,
      String birthDate,
      String nationality,
      List<String> documentNumbers) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Batch(List<Request> persons, @Nullable Map<String, Long> entriesSince) {}

  private record Basis(
      @Nullable List<ScreeningBasis.@Nullable ListVersion> lists,
      @Nullable String matcher,
      @Nullable Double threshold) {}

  private record Answer(
      @Nullable Basis basis,
      @Nullable String verdict,
      @Nullable Boolean cut,
      @Nullable List<@Nullable ScreeningMatch> matches) {}

  private record Answers(@Nullable List<@Nullable Answer> answers) {}

  /**
   * Creates the client.
   *
   * @param http closed with this client
   * @param base URL of the sanctions service
   * @param token of this service; null when network rules protect the sanctions service
   * @param timeout of a whole call for one person
   * @param batchTimeout of a whole call for {@link #MAX_BATCH} persons
   * @param requiredLists lists that a screening must have searched, else its answer is rejected
   */
  public SanctionsScreening(
      HttpClient http,
      URI base,
      @Nullable BearerToken token,
      Duration timeout,
      Duration batchTimeout,
      Set<String> requiredLists) {
    String text = base.toString();
    String root = (text.endsWith("/") ? text : text + "/") + "admin/v1/sanctions/";
    this.uri = URI.create(root + "screenings");
    this.batchUri = URI.create(root + "screenings/batch");
    this.basisUri = URI.create(root + "basis");
    this.token = token;
    this.timeout = timeout;
    this.batchTimeout = batchTimeout;
    this.requiredLists = Set.copyOf(requiredLists);
    this.http = new BoundedCalls(http);
  }

  @Override
  public ScreeningResult screen(Person person) {
    return result(
        parse(fetch(post(uri, request(person)), timeout, MAX_ANSWER_BYTES), Answer.class));
  }

  @Override
  public List<ScreeningResult> screenAll(List<Person> persons, @Nullable ScreeningBasis since) {
    if (persons.size() > MAX_BATCH) {
      throw new IllegalArgumentException("more than " + MAX_BATCH + " persons in one call");
    }
    Batch body =
        new Batch(
            persons.stream().map(SanctionsScreening::request).toList(),
            since == null ? null : since.versions());
    List<@Nullable Answer> answers =
        parse(fetch(post(batchUri, body), batchTimeout, MAX_BATCH_BYTES), Answers.class).answers();
    if (answers == null || answers.size() != persons.size()) {
      throw incomplete();
    }
    List<ScreeningResult> results = new ArrayList<>();
    answers.forEach(answer -> results.add(result(answer)));
    return results;
  }

  @Override
  public ScreeningBasis basis() {
    HttpRequest.Builder request = HttpRequest.newBuilder(basisUri).GET();
    return basis(parse(fetch(request, timeout, MAX_ANSWER_BYTES), Basis.class));
  }

  private static Request request(Person person) {
    return new Request(
        person.fullName(),
        person.latinName(),
        person.birthDate().toString(),
        person.nationality(),
        List.of(person.documentNumber()));
  }

  private HttpRequest.Builder post(URI target, Object body) {
    return HttpRequest.newBuilder(target)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofByteArray(json.writeValueAsBytes(body)));
  }

  private byte[] fetch(HttpRequest.Builder request, Duration limit, int maxBytes) {
    request.header("Accept", "application/json");
    if (token != null) {
      request.header("Authorization", "Bearer " + value(token));
    }
    BoundedCalls.Answer answer;
    try {
      answer = http.send(request, limit, maxBytes);
    } catch (NoAnswerException e) {
      throw new ScreeningUnavailableException("the sanctions service " + e.getMessage());
    }
    if (!answer.isOk()) {
      throw new ScreeningUnavailableException("the sanctions service answered " + answer.status());
    }
    return answer.body();
  }

  private <T> T parse(byte[] body, Class<T> type) {
    T answer;
    try {
      answer = json.readValue(body, type);
    } catch (JacksonException e) {
      throw new ScreeningUnavailableException("the sanctions service's answer cannot be read");
    }
    if (answer == null) {
      throw incomplete();
    }
    return answer;
  }

  private ScreeningResult result(@Nullable Answer answer) {
    if (answer == null || answer.matches() == null) {
      throw incomplete();
    }
    List<ScreeningMatch> matches = new ArrayList<>();
    for (ScreeningMatch match : answer.matches()) {
      if (!isComplete(match)) {
        throw incomplete();
      }
      matches.add(match);
    }
    ScreeningBasis basis = basis(answer.basis());
    if (Boolean.TRUE.equals(answer.cut())) {
      matches.add(ScreeningMatch.reason(ScreeningMatch.MORE, "cut", basis));
    }
    ScreeningResult.Verdict verdict = verdict(String.valueOf(answer.verdict()), matches);
    if (verdict == ScreeningResult.Verdict.UNREADABLE) {
      matches.add(ScreeningMatch.reason(ScreeningMatch.UNREADABLE, "name", basis));
    }
    return new ScreeningResult(basis, verdict, matches);
  }

  /** A verdict that this service does not know clears nobody. */
  private static ScreeningResult.Verdict verdict(String verdict, List<ScreeningMatch> matches) {
    return switch (verdict) {
      case "clear", "match" -> {
        if (verdict.equals("match") && matches.isEmpty()) {
          throw incomplete();
        }
        yield matches.isEmpty() ? ScreeningResult.Verdict.CLEAR : ScreeningResult.Verdict.MATCH;
      }
      case "unreadable" -> ScreeningResult.Verdict.UNREADABLE;
      default -> throw incomplete();
    };
  }

  private ScreeningBasis basis(@Nullable Basis basis) {
    if (basis == null
        || basis.lists() == null
        || basis.matcher() == null
        || basis.threshold() == null) {
      throw incomplete();
    }
    List<ScreeningBasis.ListVersion> lists = new ArrayList<>();
    for (ScreeningBasis.ListVersion each : basis.lists()) {
      if (each == null || each.list() == null) {
        throw incomplete();
      }
      lists.add(each);
    }
    Set<String> searched =
        lists.stream().map(ScreeningBasis.ListVersion::list).collect(Collectors.toSet());
    if (!searched.containsAll(requiredLists)) {
      throw new ScreeningUnavailableException(
          "the sanctions service did not search every required list");
    }
    return new ScreeningBasis(lists, basis.matcher(), basis.threshold());
  }

  private static boolean isComplete(@Nullable ScreeningMatch match) {
    return match != null && match.list() != null && match.reference() != null;
  }

  private static ScreeningUnavailableException incomplete() {
    return new ScreeningUnavailableException("the sanctions service's answer is incomplete");
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
