package io.solidus.dev.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
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
  private static final Path FOLDER = Path.of("docs", "reference", "api");
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(
              SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, SerializationFeature.INDENT_OUTPUT)
          .build();

  private ApiDocument() {}

  /**
   * Fails unless the copy is what the service serves; writes it instead with {@code
   * -Dsolidus.api.update=true}.
   *
   * @param name of the service
   */
  public static void isCommitted(RestProbe rest, String name) {
    String served = text(rest.get("/v3/api-docs").json());
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
