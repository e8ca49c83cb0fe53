package io.solidus.dev.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.platform.problem.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A service's OpenAPI document and the copy of it in docs/reference/api, which people and
 * generators of clients read. {@code ./solidus api} writes the copies.
 */
public final class ApiDocument {
  private static final String UPDATE = "solidus.api.update";
  private static final Pattern NUMBERED = Pattern.compile(".*_\\d+");
  private static final Path FOLDER = Path.of("docs", "reference", "api");
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(
              SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, SerializationFeature.INDENT_OUTPUT)
          .build();

  private ApiDocument() {}

  /**
   * Fails unless the document describes every call whole, and the copy is what the service serves.
   * Writes the copy instead with {@code -Dsolidus.api.update=true}.
   *
   * @param name of the service
   * @param packages of its controllers
   */
  public static void isCommitted(RestProbe rest, String name, String... packages) {
    JsonNode document = rest.get("/v3/api-docs").json();
    String served = text(document);
    Path copy = root().resolve(FOLDER).resolve(name + ".json");
    try {
      if (Boolean.getBoolean(UPDATE)) {
        Files.createDirectories(copy.getParent());
        Files.writeString(copy, served);
      }
      assertThat(Files.readString(copy, StandardCharsets.UTF_8))
          .as("docs/reference/api/%s.json, which ./solidus api writes", name)
          .isEqualTo(served);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ApiTypes types = new ApiTypes(List.of(packages));
    types.haveNamesOfTheirOwn();
    types.sayWhatTheyTake();
    isWhole(document);
  }

  /**
   * Fails when two operations share an id, when one has no refusals, or one with another body than
   * a problem document, or when an answer is of any content type.
   */
  static void isWhole(JsonNode document) {
    Set<String> ids = new HashSet<>();
    List<String> wrong = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        String id = operation.getValue().path("operationId").asString("");
        if (id.isEmpty() || NUMBERED.matcher(id).matches() || !ids.add(id)) {
          wrong.add(path.getKey() + ": the operationId '" + id + "'");
        }
        JsonNode answers = operation.getValue().path("responses");
        for (String needed : List.of("400", "503", "default")) {
          if (!answers.has(needed)) {
            wrong.add(id + ": no answer " + needed);
          }
        }
        answers
            .properties()
            .forEach(answer -> contents(id + " " + answer.getKey(), answer.getValue(), wrong));
      }
    }
    assertThat(wrong).as("what the OpenAPI document lacks").isEmpty();
  }

  private static void contents(String answer, JsonNode described, List<String> wrong) {
    boolean refusal = !answer.matches(".* [123]\\d\\d");
    List<String> types = List.copyOf(described.path("content").propertyNames());
    if (refusal ? !types.equals(List.of(Problem.MEDIA_TYPE)) : types.contains("*/*")) {
      wrong.add(answer + ": the content types " + types);
    }
  }

  /** Keys in their order and without addresses, so that two runs give one text. */
  private static String text(JsonNode document) {
    ((ObjectNode) document).remove("servers");
    return JSON.writeValueAsString(JSON.convertValue(document, Object.class)) + "\n";
  }

  /** The tree's root, where the launcher is. */
  private static Path root() {
    return Stream.iterate(Path.of("").toAbsolutePath(), Objects::nonNull, Path::getParent)
        .filter(folder -> Files.exists(folder.resolve("solidus")))
        .findFirst()
        .orElseThrow();
  }
}
