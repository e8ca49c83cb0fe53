package io.solidus.wallet.vectors;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Objects of JSON whose members keep their order. */
final class Json {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Json() {}

  static Map<String, @Nullable Object> object(Object... namesAndValues) {
    Map<String, @Nullable Object> out = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      out.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return out;
  }

  /** The object with one member changed or added. */
  static Map<String, @Nullable Object> with(
      Map<String, @Nullable Object> object, String name, @Nullable Object value) {
    Map<String, @Nullable Object> out = new LinkedHashMap<>(object);
    out.put(name, value);
    return out;
  }

  static String text(Object json) {
    return MAPPER.writeValueAsString(json);
  }

  static JsonNode read(String text) {
    return MAPPER.readTree(text);
  }
}
