package io.solidus.platform.tracing;

import io.opentelemetry.api.common.AttributeKey;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * All that a span or its source may say. Values come from small sets that the code knows; the
 * shapes are narrow enough that no serial number, core, digest, key, address, tag or internet
 * address can have one of them.
 */
public enum Label {
  SERVICE("service.name", "solidus-[a-z-]{1,24}"),
  AUTHORITY("solidus.authority", "[0-9]{1,3}"),
  SHARD("solidus.shard", "[0-9]{1,4}"),
  /** Of a batch: what is in it. */
  KIND("solidus.kind", "[a-z-]{1,20}"),
  SIZE("solidus.batch.size", "[0-9]{1,3}"),
  /** A stable code: of a refusal, of a call's status. */
  OUTCOME("solidus.outcome", "[a-z-]{1,32}|[A-Z_]{1,24}"),
  METHOD("http.request.method", "GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|other"),
  /** The pattern of a route, never a path: its parts are words or names of variables. */
  ROUTE("http.route", "(/([a-z][a-z-]{0,20}|v[0-9]|\\{[A-Za-z]{1,20}\\}))+|none"),
  STATUS("http.response.status_code", "[0-9]{3}");

  private static final Map<String, Label> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toMap(l -> l.key.getKey(), Function.identity()));

  private final AttributeKey<String> key;
  private final Pattern shape;

  Label(String name, String shape) {
    this.key = AttributeKey.stringKey(name);
    this.shape = Pattern.compile(shape);
  }

  AttributeKey<String> key() {
    return key;
  }

  /**
   * Whether an attribute may leave: its name is one of these, it is a text, and the text has the
   * name's shape.
   */
  static boolean allows(AttributeKey<?> attribute, Object value) {
    Label label = BY_NAME.get(attribute.getKey());
    return label != null && value instanceof String text && label.shape.matcher(text).matches();
  }
}
