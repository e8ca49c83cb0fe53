package io.solidus.platform.description;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JavaType;
import io.solidus.wire.json.Member;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.AnnotationsUtils;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Says of every record which members have to be present, which may be null, and how long they are
 * ({@link Member}).
 */
final class RecordSchemas implements ModelConverter {
  private static final String REFERENCE = "#/components/schemas/";
  private static final String BASE64_URL = "[A-Za-z0-9_-]";
  private static final String NULL = "null";

  @Override
  @SuppressWarnings("rawtypes")
  public @Nullable Schema resolve(
      AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
    JavaType java = Json31.mapper().constructType(type.getType());
    Class<?> raw = java == null ? Object.class : java.getRawClass();
    JsonTypeInfo info = raw.getDeclaredAnnotation(JsonTypeInfo.class);
    if (info != null && info.include() == JsonTypeInfo.As.WRAPPER_OBJECT) {
      return wrapper(raw, context);
    }
    Schema resolved = chain.hasNext() ? chain.next().resolve(type, context, chain) : null;
    if (raw.isRecord()) {
      Schema<?> model = context.getDefinedModels().get(SchemaNames.of(raw));
      if (model != null && model.getProperties() != null) {
        Set<String> required = new TreeSet<>();
        describe(raw, model, required);
        model.setRequired(required.isEmpty() ? null : List.copyOf(required));
      }
    }
    return resolved;
  }

  /** An object with one member, whose name says which of the types its value is. */
  private static Schema<?> wrapper(Class<?> type, ModelConverterContext context) {
    String name = SchemaNames.of(type);
    JsonSchema model = new JsonSchema();
    model.setTypes(Set.of("object"));
    model.setMinProperties(1);
    model.setMaxProperties(1);
    for (JsonSubTypes.Type one : type.getDeclaredAnnotation(JsonSubTypes.class).value()) {
      context.resolve(new AnnotatedType(one.value()).resolveAsRef(true));
      model.addProperty(one.name(), reference(SchemaNames.of(one.value())));
    }
    context.defineModel(name, model);
    return reference(name);
  }

  private static JsonSchema reference(String name) {
    JsonSchema reference = new JsonSchema();
    reference.set$ref(REFERENCE + name);
    return reference;
  }

  private static void describe(Class<?> type, Schema<?> model, Set<String> required) {
    for (RecordComponent component : type.getRecordComponents()) {
      if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
        describe(component.getType(), model, required);
        continue;
      }
      String name = component.getName();
      Schema<?> property = model.getProperties().get(name);
      if (property == null) {
        continue;
      }
      Member member = component.getAnnotation(Member.class);
      boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
      if (member == null ? !nullable : !member.optional()) {
        required.add(name);
      }
      if (component.getType() == JsonNode.class) {
        model.getProperties().put(name, new JsonSchema()); // any value, null included
        continue;
      }
      // the converters share schemas of simple types between properties
      Schema<?> own = AnnotationsUtils.clone(property, true);
      if (member != null) {
        limit(own, member);
      }
      model
          .getProperties()
          .put(
              name,
              nullable && (member == null || (member.optional() && member.nullable()))
                  ? orNull(own)
                  : own);
    }
  }

  private static Schema<?> orNull(Schema<?> schema) {
    if (schema.get$ref() == null && schema.getAnyOf() == null) {
      if (!is(schema, NULL)) {
        schema.addType(NULL);
      }
      return schema;
    }
    if (schema.getAnyOf() != null) {
      return schema;
    }
    JsonSchema none = new JsonSchema();
    none.setTypes(Set.of(NULL));
    JsonSchema either = new JsonSchema();
    either.setAnyOf(List.of(schema, none));
    return either;
  }

  private static boolean is(Schema<?> schema, String type) {
    return schema.getTypes() != null
        ? schema.getTypes().contains(type)
        : type.equals(schema.getType());
  }

  static void limit(Schema<?> schema, Member member) {
    boolean list = is(schema, "array");
    Schema<?> value = list ? schema.getItems() : schema;
    if (member.bytes().length > 0) {
      base64(value, member.bytes());
    }
    if (member.hexBytes() > 0) {
      length(value, 2 * member.hexBytes(), 2 * member.hexBytes());
      value.setPattern("^[0-9a-f]*$");
    }
    if (!member.pattern().isEmpty()) {
      value.setPattern("^(?:" + member.pattern() + ")$");
    }
    if (!member.format().isEmpty()) {
      value.setFormat(member.format());
    }
    range(schema, member, list);
  }

  private static void range(Schema<?> schema, Member member, boolean list) {
    boolean below = member.min() != Long.MIN_VALUE;
    boolean above = member.max() != Long.MAX_VALUE;
    if (is(schema, "integer") || is(schema, "number")) {
      schema.setMinimum(below ? BigDecimal.valueOf(member.min()) : null);
      schema.setMaximum(above ? BigDecimal.valueOf(member.max()) : null);
    } else if (list) {
      schema.setMinItems(below ? Math.toIntExact(member.min()) : null);
      schema.setMaxItems(above ? Math.toIntExact(member.max()) : null);
    } else if (below || above) {
      schema.setMinLength(below ? Math.toIntExact(member.min()) : null);
      schema.setMaxLength(above ? Math.toIntExact(member.max()) : null);
    }
  }

  private static void base64(Schema<?> schema, int[] bytes) {
    IntStream lengths = Arrays.stream(bytes).map(RecordSchemas::characters).sorted();
    int[] characters = lengths.toArray();
    length(schema, characters[0], characters[characters.length - 1]);
    schema.setContentEncoding("base64url");
    schema.setPattern(
        characters.length == 1
            ? "^" + BASE64_URL + "*$"
            : Arrays.stream(characters)
                .mapToObj(count -> BASE64_URL + "{" + count + "}")
                .collect(Collectors.joining("|", "^(?:", ")$")));
  }

  /** The characters of base64url without padding. */
  private static int characters(int bytes) {
    return (bytes * 4 + 2) / 3;
  }

  private static void length(Schema<?> schema, int min, int max) {
    schema.setMinLength(min);
    schema.setMaxLength(max);
  }
}
