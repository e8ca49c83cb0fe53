package io.solidus.platform.tracing;

import io.opentelemetry.api.common.AttributeKey;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The allowed attributes of spans and their resource. Values come from small sets that the code
 * defines. Each format is so narrow that no serial number, core, digest, key, address, tag or
 * internet address has it.
 */
enum SpanAttribute {
  SERVICE("service.name", "solidus-[a-z-]{1,24}"),
  AUTHORITY("solidus.authority", "[0-9]{1,3}"),
  SHARD("solidus.shard", "[0-9]{1,4}"),
  /** The kind of request in a batch. */
  KIND("solidus.kind", "[a-z-]{1,20}"),
  SIZE("solidus.batch.size", "[0-9]{1,3}"),
  /** A stable code: of a refusal, or of the status of a call. */
  OUTCOME("solidus.outcome", "[a-z-]{1,32}|[A-Z_]{1,24}"),
  METHOD("http.request.method", "GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|other"),
  /** The pattern of a route, never a path. Its parts are words or names of variables. */
  ROUTE("http.route", "(/([a-z][a-z-]{0,20}|v[0-9]|\\{[A-Za-z]{1,20}\\}))+|none"),
  STATUS("http.response.status_code", "[0-9]{3}");

  private static final Map<String, SpanAttribute> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toMap(a -> a.attribute, Function.identity()));

  private final String attribute;
  private final Pattern format;

  SpanAttribute(String attribute, String format) {
    this.attribute = attribute;
    this.format = Pattern.compile(format);
  }

  AttributeKey<String> key() {
    return AttributeKey.stringKey(attribute);
  }

  /**
   * Returns whether an attribute may be exported: its name is one of these, and its value is a text
   * of the name's format.
   */
  static boolean allows(AttributeKey<?> attribute, Object value) {
    SpanAttribute allowed = BY_NAME.get(attribute.getKey());
    return allowed != null
        && value instanceof String text
        && allowed.format.matcher(text).matches();
  }
}
