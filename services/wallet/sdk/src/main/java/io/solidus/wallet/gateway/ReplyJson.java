package io.solidus.wallet.gateway;

import io.solidus.protocol.ProtocolException;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads JSON replies of services. Unknown names are ignored, so that a service can add fields. A
 * used field of the wrong shape is a failure of the service.
 */
final class ReplyJson {
  private static final int MAX_ENTRIES = 1024;
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private ReplyJson() {}

  /**
   * Applies the reader.
   *
   * @throws WalletException {@code gateway-misbehaved} when the reply does not have the expected
   *     shape
   */
  static <T> T read(String what, JsonNode answer, Function<JsonNode, T> reader) {
    try {
      return reader.apply(answer);
    } catch (ProtocolException | IllegalArgumentException | JacksonException e) {
      throw misbehaved(what + " does not have the expected shape", e);
    }
  }

  /**
   * Parses JSON.
   *
   * @throws WalletException {@code gateway-misbehaved} when it is none
   */
  static JsonNode parse(byte[] json) {
    try {
      return JSON.readTree(json);
    } catch (JacksonException e) {
      throw misbehaved("a reply is not JSON", e);
    }
  }

  static JsonNode tree(Object value) {
    return JSON.valueToTree(value);
  }

  static <T> T value(JsonNode node, Class<T> type) {
    return JSON.treeToValue(node, type);
  }

  static String text(JsonNode node, String name) {
    JsonNode value = node.path(name);
    if (!value.isString()) {
      throw new IllegalArgumentException("the field '" + name + "' is missing or not a text");
    }
    return value.asString();
  }

  static long number(JsonNode node, String name) {
    JsonNode value = node.path(name);
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw new IllegalArgumentException(
          "the field '" + name + "' is missing or not a whole number");
    }
    return value.asLong();
  }

  static <T> List<T> each(JsonNode node, String name, Function<JsonNode, T> reader) {
    JsonNode array = node.path(name);
    if (!array.isArray() || array.size() > MAX_ENTRIES) {
      throw new IllegalArgumentException(
          "the field '" + name + "' is not a list of at most " + MAX_ENTRIES + " entries");
    }
    List<T> values = new ArrayList<>();
    for (JsonNode entry : array) {
      values.add(reader.apply(entry));
    }
    return values;
  }

  static List<Integer> numbers(JsonNode node, String name) {
    return each(
        node,
        name,
        entry -> {
          if (!entry.isIntegralNumber() || !entry.canConvertToInt()) {
            throw new IllegalArgumentException(
                "the field '" + name + "' contains an entry that is not a number");
          }
          return entry.asInt();
        });
  }

  static WalletException misbehaved(String detail, @Nullable Throwable cause) {
    return new WalletException(WalletError.GATEWAY_MISBEHAVED, detail, cause);
  }
}
