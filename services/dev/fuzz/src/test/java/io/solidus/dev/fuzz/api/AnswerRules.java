package io.solidus.dev.fuzz.api;

import io.solidus.dev.testkit.HappyPaths;
import io.solidus.protocol.RejectionCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Rules that every answer must satisfy. */
final class AnswerRules {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int LONGEST = 16 << 20;
  private static final Pattern INSIDE =
      Pattern.compile(
          "\\bat (java|io\\.solidus|org\\.|tools\\.)|Exception\\b|SQLSTATE|\\bPSQL|stackTrace|org\\.springframework|Apache Tomcat");

  /** The codes that the documents name. */
  private static final Set<String> CODES = codes();

  private AnswerRules() {}

  private static Set<String> codes() {
    try {
      return new HappyPaths().codes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The violation of an answer, if any. HEAD has no body. */
  static Optional<String> broken(HttpResponse<byte[]> answer) {
    int status = answer.statusCode();
    byte[] body = answer.body();
    if (body.length > LONGEST) {
      return Optional.of("an answer of " + body.length + " bytes");
    }
    if (status < 400) {
      return Optional.empty();
    }
    String text = new String(body, StandardCharsets.UTF_8);
    if (INSIDE.matcher(text).find()) {
      return Optional.of("status " + status + " shows internal details: " + text);
    }
    if (answer.request().method().equals("HEAD")) {
      return status >= 500 ? Optional.of("status " + status) : Optional.empty();
    }
    return problem(answer, status, body, text);
  }

  private static Optional<String> problem(
      HttpResponse<byte[]> answer, int status, byte[] body, String text) {
    String type = answer.headers().firstValue("Content-Type").orElse("");
    if (!type.equals("application/problem+json")) {
      return Optional.of("status " + status + " with content type '" + type + "': " + text);
    }
    JsonNode problem;
    try {
      problem = JSON.readTree(body);
    } catch (JacksonException e) {
      return Optional.of("status " + status + " with a body that is not JSON: " + text);
    }
    String code = problem.path("code").asString("");
    if (RejectionCode.of(code).isEmpty() && !CODES.contains(code)) {
      return Optional.of("status " + status + " with the unknown code '" + code + "'");
    }
    if (problem.path("status").asInt(-1) != status
        || !problem.path("retryable").isBoolean()
        || problem.path("detail").asString("").isBlank()) {
      return Optional.of("status " + status + " with a wrong problem document: " + text);
    }
    boolean again = status == 429 || status == 503;
    if (again && answer.headers().firstValue("Retry-After").isEmpty()) {
      return Optional.of("status " + status + " without Retry-After");
    }
    if (status >= 500 && !(status == 503 && problem.path("retryable").asBoolean())) {
      return Optional.of("status " + status + ": " + text);
    }
    return Optional.empty();
  }

  static Optional<JsonNode> json(HttpResponse<byte[]> answer) {
    try {
      return answer.statusCode() / 100 == 2 && answer.body().length < 1 << 20
          ? Optional.ofNullable(JSON.readTree(answer.body()))
          : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }
}
