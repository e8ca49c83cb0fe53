package io.solidus.dev.testkit;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import io.solidus.platform.problem.Problem;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares a service's answers with what its OpenAPI document says of them: the status, the content
 * type, the body, the headers that are promised, and the code of a refusal. It remembers which
 * operations succeeded.
 */
public final class ApiAnswers {
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(
          SpecificationVersion.DRAFT_2020_12,
          registry ->
              registry.schemaRegistryConfig(
                  SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build()));
  private static final String JSON = "application/json";

  /** The content type of a stream of events. */
  static final String EVENTS = "text/event-stream";

  /** Of a line of a stream; one without a name is a comment. */
  private static final Set<String> FIELDS = Set.of("", "id", "event", "data", "retry");

  private static final int TOLD = 5;
  private static final int TOO_LARGE = 413;

  private final JsonNode taken;
  private final JsonNode answered;
  private final List<Operation> operations = new ArrayList<>();
  private final Map<String, Schema> schemas = new ConcurrentHashMap<>();
  private final Set<String> succeeded = new ConcurrentSkipListSet<>();

  private record Operation(
      String method, String path, Pattern pattern, JsonNode requestBody, JsonNode answers) {
    String name() {
      return method + " " + path;
    }
  }

  /** Answers of a service that serves this document. */
  public ApiAnswers(JsonNode document) {
    taken = document.path("components");
    answered = strict(taken);
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        operations.add(
            new Operation(
                operation.getKey().toUpperCase(Locale.ROOT),
                path.getKey(),
                Pattern.compile(path.getKey().replaceAll("\\{[^}]*}", "[^/]+")),
                operation.getValue().path("requestBody"),
                operation.getValue().path("responses")));
      }
    }
    // a literal path comes before one with parameters
    operations.sort(Comparator.comparing(operation -> operation.path().contains("{")));
  }

  /** Objects with described members have no others. */
  private static JsonNode strict(JsonNode components) {
    JsonNode copy = components.deepCopy();
    for (JsonNode schema : copy.path("schemas")) {
      if (schema.has("properties")) {
        ((ObjectNode) schema).put("additionalProperties", false);
      }
    }
    return copy;
  }

  /**
   * Compares an answer.
   *
   * @param path of the request, without its query
   * @param withBody whether the request had a body
   * @return what the document does not say; empty when it says all of it, or does not describe the
   *     request
   */
  public Optional<String> undocumented(
      String method, String path, boolean withBody, int status, HttpHeaders headers, byte[] body) {
    Optional<Operation> asked = operation(method, path);
    if (asked.isEmpty()) {
      return Optional.empty();
    }
    Operation operation = asked.get();
    if (status / 100 == 2) {
      succeeded.add(operation.name());
    }
    // a body that is too large for a call that takes none is no request of the document
    boolean odd = status == TOO_LARGE && withBody && operation.requestBody().isMissingNode();
    String key = odd ? "default" : Integer.toString(status);
    JsonNode answer = operation.answers().path(key);
    return answer.isMissingNode()
        ? Optional.of("the document has no answer " + status)
        : missing(answer, headers)
            .or(() -> content(operation.name() + " " + key, answer, headers, body));
  }

  /**
   * Compares the JSON body of a request that succeeded.
   *
   * @return what the document does not allow although the service took it
   */
  public Optional<String> undocumentedRequest(String method, String path, byte[] sent) {
    return operation(method, path)
        .filter(operation -> sent.length > 0)
        .flatMap(operation -> {
          JsonNode schema = operation.requestBody().path("content").path(JSON).path("schema");
          return schema.isMissingNode()
              ? Optional.empty()
              : errors(operation.name() + " request", schema, taken, sent)
                  .map(errors -> "the body of the request is not the documented one: " + errors);
        });
  }

  /** The JSON bodies without an example, and the examples that are not of their schema. */
  public List<String> wrongExamples() {
    List<String> wrong = new ArrayList<>();
    for (Operation operation : operations) {
      example(operation.name() + " request", operation.requestBody()).ifPresent(wrong::add);
      operation.answers().properties().stream()
          .filter(answer -> answer.getKey().startsWith("2"))
          .flatMap(answer ->
              example(operation.name() + " " + answer.getKey(), answer.getValue()).stream())
          .forEach(wrong::add);
    }
    return wrong;
  }

  private Optional<String> example(String name, JsonNode body) {
    JsonNode json = body.path("content").path(JSON);
    if (json.isMissingNode()) {
      return Optional.empty();
    }
    JsonNode example = json.path("example");
    return example.isMissingNode()
        ? Optional.of(name + ": no example")
        : errors(name + " example", json.path("schema"), answered, example)
            .map(errors -> name + ": the example is not of its schema: " + errors);
  }

  private Optional<Operation> operation(String method, String path) {
    return operations.stream()
        .filter(one -> one.method().equals(method) && one.pattern().matcher(path).matches())
        .findFirst();
  }

  private static Optional<String> missing(JsonNode answer, HttpHeaders headers) {
    return answer.path("headers").properties().stream()
        .filter(header -> header.getValue().path("required").asBoolean(false))
        .map(Map.Entry::getKey)
        .filter(name -> headers.firstValue(name).isEmpty())
        .findFirst()
        .map(name -> "the answer lacks the header " + name);
  }

  private Optional<String> content(String name, JsonNode answer, HttpHeaders headers, byte[] body) {
    JsonNode content = answer.path("content");
    if (content.isEmpty()) {
      return body.length == 0 ? Optional.empty() : Optional.of("the document has no body here");
    }
    String type = headers.firstValue("Content-Type").orElse("").replaceFirst(";.*", "").strip();
    Optional<JsonNode> described =
        content.properties().stream()
            .filter(one -> one.getKey().replaceFirst(";.*", "").equals(type))
            .map(Map.Entry::getValue)
            .findFirst();
    if (described.isEmpty()) {
      return Optional.of(
          "the document has " + content.propertyNames() + " here, and not '" + type + "'");
    }
    if (type.equals(EVENTS)) {
      return events(name, answer.path("x-events"), new String(body, StandardCharsets.UTF_8));
    }
    return type.equals(JSON) || type.equals(Problem.MEDIA_TYPE)
        ? json(name, answer, described.get().path("schema"), body)
        : Optional.empty();
  }

  /**
   * Compares the whole events in a part of a stream.
   *
   * @param described the schemas of the data of events, by their names
   */
  private Optional<String> events(String name, JsonNode described, String part) {
    List<String> blocks = List.of(part.split("\n\n", -1));
    return blocks.subList(0, blocks.size() - 1).stream()
        .flatMap(block -> event(name, described, block).stream())
        .findFirst();
  }

  private Optional<String> event(String name, JsonNode described, String block) {
    Map<String, String> fields = new HashMap<>();
    for (String line : block.split("\n", -1)) {
      String[] parts = line.split(": ?", 2);
      if (parts.length < 2 || !FIELDS.contains(parts[0])) {
        return Optional.of("this line is none of a stream of events: " + line);
      }
      fields.put(parts[0], parts[1]);
    }
    String event = fields.get("event");
    String data = fields.get("data");
    if (event == null && data == null) {
      return Optional.empty(); // a comment, or the time until the next stream
    }
    if (event == null || data == null || !described.has(event)) {
      return Optional.of("the document has the events " + described.propertyNames() + " here");
    }
    return errors(
            name + " event " + event,
            described.path(event),
            answered,
            data.getBytes(StandardCharsets.UTF_8))
        .map(errors -> "the event '" + event + "' is not the documented one: " + errors);
  }

  private Optional<String> json(String name, JsonNode answer, JsonNode schema, byte[] body) {
    Optional<String> errors = errors(name, schema, answered, body);
    if (errors.isPresent()) {
      return errors.map(what -> "the body is not the documented one: " + what);
    }
    JsonNode codes = answer.path("x-codes");
    String code = JsonMapper.shared().readTree(body).path("code").asString("");
    return codes.isMissingNode() || codes.valueStream().anyMatch(one -> one.asString().equals(code))
        ? Optional.empty()
        : Optional.of("the document does not name the code '" + code + "' here");
  }

  private Optional<String> errors(String name, JsonNode schema, JsonNode components, byte[] body) {
    JsonNode value;
    try {
      value = JsonMapper.shared().readTree(body);
    } catch (JacksonException e) {
      return Optional.of("it is not JSON");
    }
    return errors(name, schema, components, value);
  }

  private Optional<String> errors(
      String name, JsonNode schema, JsonNode components, JsonNode value) {
    List<String> errors =
        schemas.computeIfAbsent(name, any -> compiled(schema, components)).validate(value).stream()
            .map(Object::toString)
            .limit(TOLD)
            .toList();
    return errors.isEmpty() ? Optional.empty() : Optional.of(errors.toString());
  }

  private static Schema compiled(JsonNode schema, JsonNode components) {
    ObjectNode whole = (ObjectNode) schema.deepCopy();
    whole.set("components", components);
    return REGISTRY.getSchema(whole);
  }

  /** The codes of all refusals. */
  Set<String> codes() {
    return operations.stream()
        .flatMap(operation -> operation.answers().valueStream())
        .flatMap(answer -> answer.path("x-codes").valueStream())
        .map(JsonNode::asString)
        .collect(Collectors.toSet());
  }

  /** All operations. */
  Set<String> operations() {
    return operations.stream()
        .map(Operation::name)
        .collect(Collectors.toCollection(ConcurrentSkipListSet::new));
  }

  /** The operations that never succeeded, such as {@code POST /v1/transfers}. */
  Set<String> neverSucceeded() {
    Set<String> never = operations();
    never.removeAll(succeeded);
    return never;
  }
}
