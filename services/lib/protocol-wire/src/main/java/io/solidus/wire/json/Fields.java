package io.solidus.wire.json;

import io.solidus.protocol.ProtocolException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks that JSON fields are present and lists not too long. */
public final class Fields {
  private static final int MAX_ENTRIES = 128;

  private Fields() {}

  /**
   * Returns a field's value.
   *
   * @throws ProtocolException malformed-request when missing or null
   */
  public static <T> T required(@Nullable T value, String field) {
    if (value == null) {
      throw ProtocolException.malformed("the field '" + field + "' is missing");
    }
    return value;
  }

  /**
   * Decodes every entry of a list.
   *
   * @throws ProtocolException malformed-request when the list or an entry is missing, or there are
   *     more than 128
   */
  public static <A, B> List<B> all(@Nullable List<A> values, String field, Function<A, B> decode) {
    List<A> present = required(values, field);
    if (present.size() > MAX_ENTRIES) {
      throw ProtocolException.malformed("the field '" + field + "' has too many entries");
    }
    return present.stream().map(value -> decode.apply(required(value, field))).toList();
  }
}
