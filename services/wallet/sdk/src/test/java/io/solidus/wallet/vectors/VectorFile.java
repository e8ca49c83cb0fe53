package io.solidus.wallet.vectors;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A file of vectors in prover-native/vectors, in the form that doc.go there describes. */
final class VectorFile {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private record Case(String op, String name, Map<String, Object> in, String key, String result) {}

  private final String name;
  private final String about;
  private final List<Case> cases = new ArrayList<>();

  VectorFile(String name, String about) {
    this.name = name;
    this.about = about;
  }

  void good(String op, String name, Map<String, Object> in, String out) {
    cases.add(new Case(op, name, in, "out", out));
  }

  void bad(String op, String name, Map<String, Object> in, String error) {
    cases.add(new Case(op, name, in, "error", error));
  }

  /** Inputs by name: texts, lower-case hexadecimal, decimal numbers, lists of these. */
  static Map<String, Object> in(Object... namesAndValues) {
    Map<String, Object> in = new TreeMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      Object value = namesAndValues[i + 1];
      in.put((String) namesAndValues[i], value instanceof List ? value : value.toString());
    }
    return in;
  }

  /** The file's text: by operation, accepted cases first, then by name. */
  String text() {
    Set<String> names = new HashSet<>();
    List<Map<String, Object>> all =
        cases.stream()
            .sorted(
                Comparator.comparing(Case::op)
                    .thenComparing(c -> c.key().equals("out") ? "" : c.result())
                    .thenComparing(Case::name))
            .map(c -> {
              if (!names.add(c.op() + " " + c.name())) {
                throw new IllegalStateException("two cases are named " + c.op() + " " + c.name());
              }
              Map<String, Object> json = new LinkedHashMap<>();
              json.put("name", c.name());
              json.put("op", c.op());
              json.put("in", c.in());
              json.put(c.key(), c.result());
              return json;
            })
            .toList();
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("name", name);
    file.put("about", about);
    file.put("cases", all);
    StringBuilder out = new StringBuilder();
    write(out, file, "\n");
    return out.append('\n').toString();
  }

  /** One member or entry a line, indented by one space a level, as Go's encoder does. */
  private static void write(StringBuilder out, Object value, String line) {
    String inner = line + " ";
    if (value instanceof Map<?, ?> map) {
      String separator = "{";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.append(separator).append(inner).append(JSON.writeValueAsString(entry.getKey()));
        write(out.append(": "), entry.getValue(), inner);
        separator = ",";
      }
      out.append(line).append('}');
    } else if (value instanceof List<?> list) {
      String separator = "[";
      for (Object entry : list) {
        write(out.append(separator).append(inner), entry, inner);
        separator = ",";
      }
      out.append(line).append(']');
    } else {
      out.append(JSON.writeValueAsString(value));
    }
  }

  Path path() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isDirectory(at.resolve("prover-native/vectors"))) {
        return at.resolve("prover-native/vectors/" + name + ".json");
      }
    }
    throw new IllegalStateException("the test does not run inside the source tree");
  }

  String committed() {
    try {
      return Files.readString(path(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void replace() {
    try {
      Files.writeString(path(), text(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The committed cases. */
  Stream<JsonNode> read() {
    return StreamSupport.stream(JSON.readTree(committed()).path("cases").spliterator(), false);
  }
}
