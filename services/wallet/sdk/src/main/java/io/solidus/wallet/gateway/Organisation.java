package io.solidus.wallet.gateway;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The company, association or public body that registers. The wallet sends these details to the
 * registration service once, which checks them, and does not store them.
 *
 * @param details the JSON object of the specification's formats, member by member
 * @param bank id of the bank whose customer it becomes; null where there is one bank
 */
public record Organisation(Map<String, @Nullable Object> details, @Nullable String bank)
    implements Applicant {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  public Organisation {
    details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
  }

  /**
   * Reads the details.
   *
   * @throws IllegalArgumentException when {@code text} is no JSON object
   */
  @SuppressWarnings("unchecked")
  public static Organisation ofJson(String text, @Nullable String bank) {
    JsonNode node;
    try {
      node = JSON.readTree(text);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("an organisation is a JSON object", e);
    }
    if (!node.isObject()) {
      throw new IllegalArgumentException("an organisation is a JSON object");
    }
    return new Organisation(JSON.treeToValue(node, Map.class), bank);
  }

  @Override
  public String toString() {
    return "Organisation[redacted]";
  }
}
