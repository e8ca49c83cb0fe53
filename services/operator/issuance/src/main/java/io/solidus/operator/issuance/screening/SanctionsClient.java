package io.solidus.operator.issuance.screening;

import io.solidus.platform.http.BoundedCalls;
import io.solidus.platform.http.NoAnswerException;
import io.solidus.platform.security.BearerToken;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Screens names at the sanctions service. Only a whole answer with status 200 counts, because a
 * missing one must never clear anybody.
 */
public final class SanctionsClient implements AutoCloseable {
  /** The most names of a call. */
  static final int MAX_BATCH = 100;

  private static final int MAX_ANSWER_BYTES = 16 * 1024 * 1024;
  private static final int MAX_NAME_CHARS = 512;

  private final URI uri;
  private final @Nullable BearerToken token;
  private final Duration timeout;
  private final Set<String> requiredLists;
  private final BoundedCalls http;
  private final JsonMapper json = JsonMapper.builder().build();

  private record Person(String fullName, boolean entities) {}

  private record Batch(List<Person> persons) {}

  /**
   * Creates the client.
   *
   * @param http closed with this client
   * @param base URL of the sanctions service's admin API
   * @param token of this service; null when network rules protect the sanctions service
   * @param timeout of a whole call
   * @param requiredLists lists that a screening must have searched, else its answer is refused
   */
  public SanctionsClient(
      HttpClient http,
      URI base,
      @Nullable BearerToken token,
      Duration timeout,
      Set<String> requiredLists) {
    String text = base.toString();
    this.uri =
        URI.create(
            (text.endsWith("/") ? text : text + "/") + "admin/v1/sanctions/screenings/batch");
    this.token = token;
    this.timeout = timeout;
    this.requiredLists = Set.copyOf(requiredLists);
    this.http = new BoundedCalls(http);
  }

  /**
   * What the lists say of a name.
   *
   * @param verdict clear, match or unreadable
   * @param basis JSON: the versions of lists and matcher
   * @param matches JSON: the matches with their explanations
   * @param content what the lists say of the matches; it changes when they say something else
   */
  record Answer(String verdict, String basis, String matches, String content) {}

  /**
   * Screens persons or companies by their names.
   *
   * @param names 1 to 100
   * @throws ProtocolException unavailable when there is no whole answer
   */
  List<Answer> screen(List<String> names) {
    List<Person> persons =
        names.stream()
            .map(name ->
                new Person(
                    name.length() > MAX_NAME_CHARS ? name.substring(0, MAX_NAME_CHARS) : name,
                    true))
            .toList();
    JsonNode replies = fetch(new Batch(persons)).path("answers");
    if (!replies.isArray() || replies.size() != names.size()) {
      throw unavailable("the sanctions service's answer is incomplete");
    }
    List<Answer> answers = new ArrayList<>();
    replies.forEach(reply -> answers.add(answer(reply)));
    return answers;
  }

  private Answer answer(JsonNode reply) {
    JsonNode basis = reply.path("basis");
    JsonNode matches = reply.path("matches");
    String verdict = reply.path("verdict").asString("");
    Set<String> searched = new HashSet<>();
    basis.path("lists").forEach(list -> searched.add(list.path("list").asString("")));
    boolean whole =
        matches.isArray()
            && basis.path("lists").isArray()
            && basis.path("matcher").isString()
            && basis.path("threshold").isNumber()
            && searched.containsAll(requiredLists)
            && switch (verdict) {
              case "clear" -> matches.isEmpty();
              case "match" -> !matches.isEmpty();
              case "unreadable" -> true;
              default -> false;
            };
    if (!whole) {
      throw unavailable("the sanctions service's answer is incomplete, or lacks a required list");
    }
    StringBuilder content = new StringBuilder(verdict);
    matches.forEach(match ->
        content
            .append('\n')
            .append(match.path("key").asString(match.path("reference").asString("")))
            .append(' ')
            .append(match.path("entryDigest").asString("")));
    if (reply.path("cut").asBoolean(false)) {
      // what was found behind the shown matches counts for these lists only
      content.append("\ncut ").append(basis);
    }
    return new Answer(verdict, basis.toString(), matches.toString(), content.toString());
  }

  private JsonNode fetch(Batch body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(json.writeValueAsBytes(body)));
    try {
      if (token != null) {
        request.header("Authorization", "Bearer " + token.value());
      }
      BoundedCalls.Answer answer = http.send(request, timeout, MAX_ANSWER_BYTES);
      if (!answer.isOk()) {
        throw unavailable("the sanctions service answered " + answer.status());
      }
      JsonNode read = json.readTree(answer.body());
      if (read == null) {
        throw unavailable("the sanctions service's answer is empty");
      }
      return read;
    } catch (NoAnswerException e) {
      throw unavailable("the sanctions service " + e.getMessage());
    } catch (JacksonException e) {
      throw unavailable("the sanctions service's answer cannot be read");
    } catch (IOException e) {
      throw unavailable("there is no token for the sanctions service");
    }
  }

  private static ProtocolException unavailable(String detail) {
    return new ProtocolException(RejectionCode.UNAVAILABLE, detail);
  }

  @Override
  public void close() {
    http.close();
  }
}
