package io.solidus.dev.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class ApiAnswersTest {
  private static final String DOCUMENT =
      """
      {"paths": {
        "/v1/coins/{id}": {
          "get": {"responses": {
            "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Coin"}}}},
            "204": {},
            "404": {"content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
                    "x-codes": ["not-found"]},
            "429": {"headers": {"Retry-After": {"required": true}},
                    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}},
            "default": {"content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}}},
          "put": {
            "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Coin"}}}},
            "responses": {"200": {}}}},
        "/v1/coins/events": {"get": {"responses": {
          "200": {"content": {"text/event-stream": {"schema": {"type": "string"}}},
                  "x-events": {"coin": {"$ref": "#/components/schemas/Coin"}}}}}},
        "/v1/coins": {"get": {"responses": {
          "200": {"content": {"text/plain": {"schema": {"type": "string"}}}},
          "default": {"content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}}}}},
       "components": {"schemas": {
         "Coin": {"type": "object", "required": ["value"],
                  "properties": {
                    "value": {"type": "integer", "minimum": 0},
                    "of": {"$ref": "#/components/schemas/Owner"},
                    "at": {"type": ["string", "null"], "format": "date-time"}}},
         "Owner": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "maxLength": 3}}},
         "Problem": {"type": "object", "required": ["code"], "properties": {"code": {"type": "string"}}}}}}
      """;

  private static final String EVENTS = "/v1/coins/events";

  private final ApiAnswers answers = new ApiAnswers(JsonMapper.shared().readTree(DOCUMENT));

  private Optional<String> undocumented(String path, int status, String type, String body) {
    return undocumented(path, false, status, Map.of("Content-Type", List.of(type)), body);
  }

  private Optional<String> undocumented(
      String path, boolean withBody, int status, Map<String, List<String>> headers, String body) {
    return answers.undocumented(
        "GET",
        path,
        withBody,
        status,
        HttpHeaders.of(headers, (name, value) -> true),
        body.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "retry: 3000\n\n",
        ":\n\n",
        "id: 7\nevent: coin\ndata: {\"value\": 3}\n\n",
        ":\n\nevent: coin\ndata: {\"value\": 3}\n\nevent: coin\ndata: {\"val"
      })
  void readsEventsThatTheDocumentNames(String part) {
    assertThat(undocumented(EVENTS, 200, ApiAnswers.EVENTS, part)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "event: note\ndata: {\"value\": 3}\n\n",
        "event: coin\ndata: {\"value\": -3}\n\n",
        "event: coin\ndata: {\"value\": 3, \"more\": 1}\n\n",
        "event: coin\ndata: three\n\n",
        "event: coin\n\n",
        "data: {\"value\": 3}\n\n",
        "value 3\n\n",
        "value: 3\n\n"
      })
  void findsEventsThatTheDocumentDoesNotName(String part) {
    assertThat(undocumented(EVENTS, 200, ApiAnswers.EVENTS, part)).isPresent();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "/v1/coins/7 | 200 | application/json | {\"value\": 3, \"of\": {\"name\": \"Ada\"}}",
        "/v1/coins/7 | 200 | application/json;charset=UTF-8 | {\"value\": 3, \"at\": null}",
        "/v1/coins/7 | 200 | application/json | {\"value\": 3, \"at\": \"2026-11-27T08:00:00Z\"}",
        "/v1/coins/7 | 404 | application/problem+json | {\"code\": \"not-found\"}",
        "/v1/coins | 200 | text/plain | three",
        "/v1/others | 500 | text/html | no call of the document"
      })
  void saysNothingOfWhatTheDocumentSays(String path, int status, String type, String body) {
    assertThat(undocumented(path, status, type, body)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "/v1/coins/7 | 201 | application/json | {\"value\": 3} | no answer 201",
        "/v1/coins/7 | 409 | application/problem+json | {\"code\": \"not-found\"} | no answer 409",
        "/v1/coins/7 | 200 | text/plain | {\"value\": 3} | not 'text/plain'",
        "/v1/coins/7 | 200 | application/json | {} | value",
        "/v1/coins/7 | 200 | application/json | {\"value\": -3} | minimum",
        "/v1/coins/7 | 200 | application/json | {\"value\": \"3\"} | integer",
        "/v1/coins/7 | 200 | application/json | {\"value\": 3, \"more\": 1} | more",
        "/v1/coins/7 | 200 | application/json | {\"value\": 3, \"of\": {\"name\": \"Grace\"}} | name",
        "/v1/coins/7 | 200 | application/json | {\"value\": 3, \"at\": \"yesterday\"} | date-time",
        "/v1/coins/7 | 200 | application/json | <html> | not JSON",
        "/v1/coins/7 | 404 | application/problem+json | {\"code\": \"unavailable\"} | 'unavailable'",
        "/v1/coins/7 | 429 | application/problem+json | {\"code\": \"overloaded\"} | Retry-After",
        "/v1/coins/7 | 204 | application/json | {} | no body",
        "/v1/coins | 201 | text/plain | three | no answer 201"
      })
  void saysWhatTheDocumentDoesNot(
      String path, int status, String type, String body, String finding) {
    assertThat(undocumented(path, status, type, body)).get().asString().contains(finding);
  }

  @Test
  void takesARefusalWithItsHeaders() {
    Map<String, List<String>> headers =
        Map.of("Content-Type", List.of("application/problem+json"), "Retry-After", List.of("1"));
    assertThat(undocumented("/v1/coins/7", false, 429, headers, "{\"code\": \"overloaded\"}"))
        .isEmpty();
  }

  /** The document says nothing of requests with bodies that it does not have. */
  @Test
  void takesARefusedBodyOfACallThatHasNone() {
    Map<String, List<String>> headers = Map.of("Content-Type", List.of("application/problem+json"));
    String body = "{\"code\": \"body-too-large\"}";
    assertThat(undocumented("/v1/coins/7", true, 413, headers, body)).isEmpty();
    assertThat(undocumented("/v1/coins/7", true, 413, headers, "{}")).isPresent();
    assertThat(undocumented("/v1/coins/7", false, 413, headers, body)).isPresent();
  }

  @Test
  void saysWhenASuccessfulRequestIsNotTheDocumentedOne() {
    assertThat(request("PUT", "{\"value\": 3, \"more\": 1}")).isEmpty();
    assertThat(request("PUT", "{\"value\": -1}")).get().asString().contains("minimum");
    assertThat(request("PUT", "{}")).get().asString().contains("value");
    assertThat(request("PUT", "<html>")).get().asString().contains("not JSON");
    assertThat(request("GET", "{}")).isEmpty();
  }

  private Optional<String> request(String method, String body) {
    return answers.undocumentedRequest(
        method, "/v1/coins/7", body.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void saysWhichBodyHasNoExampleOfItsSchema() {
    assertThat(answers.wrongExamples())
        .containsExactlyInAnyOrder(
            "GET /v1/coins/{id} 200: no example", "PUT /v1/coins/{id} request: no example");
    assertThat(withExample("{\"value\": 3}").wrongExamples()).isEmpty();
    assertThat(withExample("{\"value\": -3, \"more\": 1}").wrongExamples())
        .hasSize(2)
        .allMatch(wrong -> wrong.contains("minimum") && wrong.contains("more"));
  }

  private static ApiAnswers withExample(String example) {
    String schema = "\"schema\": {\"$ref\": \"#/components/schemas/Coin\"}";
    String document = DOCUMENT.replace(schema, schema + ", \"example\": " + example);
    return new ApiAnswers(JsonMapper.shared().readTree(document));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gateway", "registration", "sanctions", "issuance"})
  void everyBodyOfTheCommittedDocumentsHasAnExampleOfItsSchema(String service) throws IOException {
    ApiAnswers committed = new HappyPaths().of(service);
    assertThat(committed.operations()).isNotEmpty();
    assertThat(committed.wrongExamples()).isEmpty();
  }

  @Test
  void remembersWhichCallsSucceeded() {
    undocumented("/v1/coins/7", 404, "application/problem+json", "{\"code\": \"not-found\"}");
    assertThat(answers.neverSucceeded()).isEqualTo(answers.operations()).hasSize(4);
    undocumented("/v1/coins/7", 200, "application/json", "{\"value\": 3}");
    assertThat(answers.neverSucceeded())
        .containsExactly("GET /v1/coins", "GET /v1/coins/events", "PUT /v1/coins/{id}");
  }
}
