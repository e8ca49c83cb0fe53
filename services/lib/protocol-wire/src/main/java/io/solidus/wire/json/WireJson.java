package io.solidus.wire.json;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/**
 * Reads JSON strictly: no unknown or repeated names, no coercion between numbers and strings,
 * bounded sizes.
 */
@Spec("F-15")
public final class WireJson {
  private static final int MAX_DEPTH = 32;
  private static final int MAX_STRING = 128 * 1024;
  private static final int MAX_NUMBER = 32;
  private static final JsonMapper MAPPER = strict(JsonMapper.builder(factory())).build();

  private WireJson() {}

  /**
   * Reads a value.
   *
   * @throws ProtocolException malformed-request
   */
  public static <T> T read(String json, Class<T> type) {
    try {
      return Fields.required(MAPPER.readValue(json, type), "body");
    } catch (JacksonException e) {
      throw ProtocolException.malformed("the JSON text does not have the expected shape");
    }
  }

  public static String write(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  /** A factory whose parsers limit their input before any of it is bound. */
  public static JsonFactory factory() {
    return JsonFactory.builder()
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(MAX_DEPTH)
                .maxStringLength(MAX_STRING)
                .maxNumberLength(MAX_NUMBER)
                .build())
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .build();
  }

  /** The rules of {@link #read}, for a mapper that a framework builds. */
  public static JsonMapper.Builder strict(JsonMapper.Builder builder) {
    return builder
        .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .withCoercionConfig(
            LogicalType.Textual,
            config -> {
              config.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
              config.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
              config.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
            });
  }
}
