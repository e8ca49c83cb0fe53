package io.solidus.platform.description;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;

/**
 * Gives every required parameter, and every JSON body of a request and of a successful answer, an
 * example. It is made from the schema, so that it cannot be of another form; examples.properties
 * has the values of members whose schema does not say what is in them.
 */
final class Examples implements OpenApiCustomizer {
  private static final String JSON = "application/json";
  private static final String REFERENCE = "#/components/schemas/";
  private static final int DEEPEST = 12;
  private static final int SHORT = 4;
  private static final int RUN = 32;
  private static final long USUAL_MINOR = 2_500;
  private static final double USUAL_NUMBER = 0.5;

  /** A pattern that names all values: {@code ^(?:one|two)$}. */
  private static final Pattern WORDS = Pattern.compile("\\^\\(\\?:([A-Za-z0-9-]+)(\\|.*)?\\)\\$");

  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");

  private final Properties values = read();

  private static Properties read() {
    Properties values = new Properties();
    try (InputStream in = Examples.class.getResourceAsStream("examples.properties")) {
      if (in == null) {
        throw new IllegalStateException("examples.properties is missing");
      }
      values.load(new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return values;
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void customise(OpenAPI api) {
    Map<String, Schema> schemas =
        api.getComponents() == null || api.getComponents().getSchemas() == null
            ? Map.of()
            : api.getComponents().getSchemas();
    if (api.getPaths() != null) {
      api.getPaths()
          .values()
          .forEach(
              path -> path.readOperations().forEach(operation -> describe(operation, schemas)));
    }
  }

  @SuppressWarnings("rawtypes")
  private void describe(Operation operation, Map<String, Schema> schemas) {
    if (operation.getParameters() != null) {
      operation.getParameters().stream()
          .filter(one -> Boolean.TRUE.equals(one.getRequired()) && one.getSchema() != null)
          .forEach(one ->
              one.setExample(new Maker(schemas, true).make("", one.getName(), one.getSchema(), 0)));
    }
    if (operation.getRequestBody() != null) {
      add(operation.getRequestBody().getContent(), new Maker(schemas, true));
    }
    operation
        .getResponses()
        .forEach((status, answer) -> {
          if (status.startsWith("2")) {
            add(answer.getContent(), new Maker(schemas, false));
          }
        });
  }

  private static void add(@Nullable Content content, Maker maker) {
    MediaType json = content == null ? null : content.get(JSON);
    if (json != null && json.getSchema() != null) {
      json.setExample(maker.make("", "", json.getSchema(), 0));
    }
  }

  /** Makes the example of one body; null for a value that cannot be told. */
  @SuppressWarnings("rawtypes")
  private final class Maker {
    private final Map<String, Schema> schemas;
    private final boolean request;
    private int first;

    Maker(Map<String, Schema> schemas, boolean request) {
      this.schemas = schemas;
      this.request = request;
    }

    @Nullable Object make(String owner, String member, Schema<?> schema, int depth) {
      if (depth > DEEPEST) {
        return null;
      }
      if (schema.get$ref() != null) {
        String name = schema.get$ref().substring(REFERENCE.length());
        Schema<?> target = schemas.get(name);
        return target == null ? null : whole(name, member, target, depth);
      }
      Schema<?> either = either(schema);
      if (either != null) {
        return make(owner, member, either, depth + 1);
      }
      return whole(owner, member, schema, depth);
    }

    private static @Nullable Schema<?> either(Schema<?> schema) {
      return Stream.of(schema.getAnyOf(), schema.getOneOf())
          .filter(choices -> choices != null)
          .flatMap(List::stream)
          .filter(choice -> choice.get$ref() != null || !is(choice, "null"))
          .findFirst()
          .orElse(null);
    }

    private @Nullable Object whole(String owner, String member, Schema<?> schema, int depth) {
      if (schema.getEnum() != null && !schema.getEnum().isEmpty()) {
        return schema.getEnum().getFirst();
      }
      if (schema.getProperties() != null) {
        return object(owner, schema, depth);
      }
      if (is(schema, "array") && schema.getItems() != null) {
        return list(owner, member, schema, depth);
      }
      if (is(schema, "object")) {
        return map(owner, member, schema, depth);
      }
      if (is(schema, "integer")) {
        return integer(owner, member, schema);
      }
      if (is(schema, "number")) {
        return number(owner, member, schema);
      }
      if (is(schema, "boolean")) {
        return Boolean.valueOf(value(owner, member, "false"));
      }
      return is(schema, "string") ? text(owner, member, schema) : Map.of();
    }

    /** As many as a short list may have, else as few. */
    private Object list(String owner, String member, Schema<?> schema, int depth) {
      int fewest = schema.getMinItems() == null ? 1 : Math.max(1, schema.getMinItems());
      Integer most = schema.getMaxItems();
      int length = most != null && most <= SHORT ? most : fewest;
      List<Object> items = new ArrayList<>();
      for (int i = 0; i < length; i++) {
        first = i;
        Object item = make(owner, member, schema.getItems(), depth + 1);
        if (item != null) {
          items.add(item);
        }
      }
      first = 0;
      return items;
    }

    private Object object(String name, Schema<?> schema, int depth) {
      Map<String, Object> object = new TreeMap<>();
      List<String> members = members(name, schema);
      boolean one = Integer.valueOf(1).equals(schema.getMaxProperties());
      for (String member : one ? members.subList(0, 1) : members) {
        Schema<?> described = schema.getProperties().get(member);
        Object made = described == null ? null : make(name, member, described, depth + 1);
        if (made != null) {
          object.put(member, made);
        }
      }
      return object;
    }

    /** Those of the list, or all of an answer, or of a request those that it has to have. */
    private List<String> members(String name, Schema<?> schema) {
      Set<String> all = schema.getProperties().keySet();
      String listed = values.getProperty(name);
      if (listed != null) {
        return Stream.of(listed.split(", ", -1)).filter(all::contains).toList();
      }
      return request && schema.getRequired() != null ? schema.getRequired() : new ArrayList<>(all);
    }

    private Object map(String owner, String member, Schema<?> schema, int depth) {
      Object value =
          schema.getAdditionalProperties() instanceof Schema<?> described
              ? make(owner, member, described, depth + 1)
              : null;
      return value == null ? Map.of() : Map.of(values.getProperty(member + ".*", member), value);
    }

    private Object integer(String owner, String member, Schema<?> schema) {
      String usual = member.endsWith("Minor") ? Long.toString(USUAL_MINOR) : "1";
      long made;
      try {
        made = Long.parseLong(value(owner, member, usual));
      } catch (NumberFormatException e) {
        made = Long.parseLong(usual); // the value is that of a text of this name
      }
      return within(BigDecimal.valueOf(made), schema).longValue();
    }

    private Object number(String owner, String member, Schema<?> schema) {
      String usual = Double.toString(USUAL_NUMBER);
      BigDecimal made;
      try {
        made = new BigDecimal(value(owner, member, usual));
      } catch (NumberFormatException e) {
        made = new BigDecimal(usual);
      }
      return within(made, schema);
    }

    private static BigDecimal within(BigDecimal made, Schema<?> schema) {
      BigDecimal low = schema.getMinimum() == null ? made : made.max(schema.getMinimum());
      return schema.getMaximum() == null ? low : low.min(schema.getMaximum());
    }

    private String text(String owner, String member, Schema<?> schema) {
      String found = value(owner, member, "");
      if (!found.isEmpty() && fits(found, schema)) {
        return found;
      }
      if (schema.getFormat() != null) {
        String formatted = formatted(schema.getFormat());
        if (formatted != null) {
          return formatted;
        }
      }
      String pattern = schema.getPattern() == null ? "" : schema.getPattern();
      var words = WORDS.matcher(pattern);
      if (words.matches()) {
        return words.group(1);
      }
      int length = schema.getMaxLength() == null ? 0 : schema.getMaxLength();
      if ("base64url".equals(schema.getContentEncoding())) {
        return bytes(length);
      }
      if (pattern.equals("^[0-9a-f]*$")) {
        return "0".repeat(length);
      }
      return member.isEmpty() ? "text" : member;
    }

    private static boolean fits(String text, Schema<?> schema) {
      return (schema.getMinLength() == null || text.length() >= schema.getMinLength())
          && (schema.getMaxLength() == null || text.length() <= schema.getMaxLength())
          && (schema.getPattern() == null
              || Pattern.compile(schema.getPattern()).matcher(text).find())
          && (schema.getFormat() == null
              || formatted(schema.getFormat()) == null
              || (schema.getFormat().equals("date") && DATE.matcher(text).matches()));
    }

    private static @Nullable String formatted(String format) {
      return switch (format) {
        case "date" -> "2026-11-27";
        case "date-time" -> "2026-11-27T09:00:00Z";
        case "uuid" -> "0b8f4c1e-6f1a-4a57-9a3c-2d5a7c9e1f00";
        default -> null;
      };
    }

    /** Bytes 0, 1, 2 and so on, which nobody takes for a key; other ones in each item of a list. */
    private String bytes(int characters) {
      byte[] bytes = new byte[characters * 3 / 4];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) ((first + i) % RUN);
      }
      return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private String value(String owner, String member, String usual) {
      return values.getProperty(owner + "." + member, values.getProperty(member, usual));
    }
  }

  private static boolean is(Schema<?> schema, String type) {
    return schema.getTypes() != null
        ? schema.getTypes().contains(type)
        : type.equals(schema.getType());
  }
}
