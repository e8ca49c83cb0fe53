package io.solidus.dev.fuzz.api;

import io.solidus.dev.fuzz.Seeds;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.MintRequestJson;
import io.solidus.wire.json.RecoverRequestJson;
import io.solidus.wire.json.RegisterRequestJson;
import io.solidus.wire.json.TransferRequestJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Values for a schema: plausible ones, which pass the decoding, and hostile ones. */
final class Values {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int MAX_KNOWN = 200;
  private static final int MAX_NAMED = 8;

  /** Decodable objects by the name of their schema. */
  private static final Map<String, Object> SAMPLES =
      Map.of(
          "TransferRequestJson", TransferRequestJson.of(Seeds.transfer(Family.TRANSFER)),
          "RecoverRequestJson", RecoverRequestJson.of(Seeds.recover()),
          "RegisterRequestJson", RegisterRequestJson.of(Seeds.register()),
          "MintRequestJson", MintRequestJson.of(Seeds.mint()));

  static final List<String> HOSTILE_TEXTS =
      List.of(
          "",
          " ",
          "\u0000",
          "a\u0000b",
          "\ud800",
          "\ufeff",
          "\u202e\u0130\u212a",
          "\ud83d\udc80".repeat(100),
          "a".repeat(5000),
          "null",
          "NaN",
          "-1",
          "0x10",
          "1e309",
          "9223372036854775808",
          "'; DROP TABLE x; --",
          "${jndi:ldap://127.0.0.1/x}",
          "#{T(java.lang.Runtime)}",
          "../../etc/passwd",
          "<script>",
          "%00",
          "%n%s%x",
          "\r\nX-Injected: 1",
          "true",
          "2026-13-45",
          "0000-00-00",
          "0001-01-01",
          "+999999999-01-01",
          "9".repeat(400),
          "{\"a\":1}",
          "AAAA",
          "====",
          "_".repeat(64),
          "F".repeat(64),
          "0".repeat(64));

  private static final List<String> HOSTILE_NUMBERS =
      List.of(
          "0",
          "-0",
          "-1",
          "1",
          "127",
          "128",
          "2147483647",
          "2147483648",
          "-2147483649",
          "9007199254740993",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "1e2",
          "1e400",
          "1.5",
          "0.1",
          "99999999999999999999999999999999",
          "-1e-400",
          "12345678901234567890123456789012345");

  /** A pattern that names all values. */
  private static final Pattern WORDS = Pattern.compile("\\^\\(\\?:[a-z-]+(\\|[a-z-]+)*\\)\\$");

  private final Random random;
  private final List<String> known = new ArrayList<>();
  private final Map<String, List<JsonNode>> byName = new HashMap<>();

  Values(Random random) {
    this.random = random;
    known.add(Seeds.address().encode(new NetworkId(SandboxOptions.NETWORK)));
    known.addAll(
        List.of(
            "un", "ofac", "ofac-alt", "approver-anna", "DE", "EUR", "Ann", "Example", "passport"));
  }

  /** Remembers the texts of an answer, so that later requests use existing ids. */
  void learn(JsonNode answer) {
    answer
        .properties()
        .forEach(member -> {
          if (member.getValue().isString() || member.getValue().isIntegralNumber()) {
            List<JsonNode> before =
                byName.computeIfAbsent(member.getKey(), any -> new ArrayList<>());
            if (before.size() >= MAX_NAMED) {
              before.remove(random.nextInt(MAX_NAMED));
            }
            before.add(member.getValue());
          }
        });
    if (known.size() > MAX_KNOWN) {
      known.remove(10 + random.nextInt(MAX_KNOWN - 10));
    }
    if (answer.isString() && !answer.asString().isEmpty() && answer.asString().length() < 200) {
      known.add(answer.asString());
    } else if (answer.isContainer()) {
      answer.forEach(this::learn);
    }
  }

  /** In most cases a value that a member of this name had in an answer, if there was one. */
  Optional<JsonNode> named(String name) {
    List<JsonNode> found = byName.getOrDefault(name, List.of());
    return found.isEmpty() || random.nextInt(3) == 0
        ? Optional.empty()
        : Optional.of(found.get(random.nextInt(found.size())));
  }

  JsonNode plausible(Route route, JsonNode unresolved, int depth) {
    String name = unresolved.path("$ref").asString("");
    Object sample = SAMPLES.get(name.substring(name.lastIndexOf('/') + 1));
    if (sample != null) {
      return JSON.valueToTree(sample);
    }
    JsonNode schema = route.resolve(unresolved);
    if (depth > 8) {
      return NODES.nullNode();
    }
    if (schema.path("enum").isArray() && !schema.path("enum").isEmpty()) {
      return schema.path("enum").get(random.nextInt(schema.path("enum").size()));
    }
    for (String choice : List.of("oneOf", "anyOf", "allOf")) {
      if (schema.path(choice).isArray() && !schema.path(choice).isEmpty()) {
        return plausible(
            route, schema.path(choice).get(random.nextInt(schema.path(choice).size())), depth + 1);
      }
    }
    return switch (type(schema)) {
      case "object" -> object(route, schema, depth);
      case "array" -> array(route, schema, depth);
      case "integer" -> NODES.numberNode(integer(schema));
      case "number" -> NODES.numberNode(random.nextDouble());
      case "boolean" -> NODES.booleanNode(random.nextBoolean());
      case "null" -> NODES.nullNode();
      default -> NODES.stringNode(text(schema));
    };
  }

  /** A schema's type; OpenAPI 3.1 may state several. */
  private static String type(JsonNode schema) {
    JsonNode type = schema.path("type");
    if (type.isArray()) {
      for (JsonNode one : type) {
        if (!one.asString().equals("null")) {
          return one.asString();
        }
      }
    }
    return type.isString() ? type.asString() : schema.has("properties") ? "object" : "string";
  }

  private ObjectNode object(Route route, JsonNode schema, int depth) {
    ObjectNode out = NODES.objectNode();
    Set<String> required = new HashSet<>();
    schema.path("required").forEach(name -> required.add(name.asString()));
    List<Map.Entry<String, JsonNode>> members =
        new ArrayList<>(schema.path("properties").properties());
    if (schema.path("maxProperties").asInt(0) == 1) {
      members = List.of(members.get(random.nextInt(members.size())));
    }
    for (Map.Entry<String, JsonNode> member : members) {
      boolean left =
          !required.isEmpty() && !required.contains(member.getKey()) && random.nextBoolean();
      if (!left) {
        Optional<JsonNode> value =
            member.getKey().endsWith("Id") ? named(member.getKey()) : Optional.empty();
        out.set(
            member.getKey(), value.orElseGet(() -> plausible(route, member.getValue(), depth + 1)));
      }
    }
    return out;
  }

  private long integer(JsonNode schema) {
    long low = schema.path("minimum").asLong(1);
    return random.nextLong(low, Math.min(schema.path("maximum").asLong(399), low + 399) + 1);
  }

  private ArrayNode array(Route route, JsonNode schema, int depth) {
    ArrayNode out = NODES.arrayNode();
    int low = schema.path("minItems").asInt(0);
    int high = Math.min(schema.path("maxItems").asInt(3), low + 3);
    for (int left = random.nextInt(low, high + 1); left > 0; left--) {
      out.add(plausible(route, schema.path("items"), depth + 1));
    }
    return out;
  }

  private String text(JsonNode schema) {
    int longest = schema.path("maxLength").asInt(0);
    if (schema.path("contentEncoding").asString("").equals("base64url")) {
      return Base64Url.encode(bytes(longest * 3 / 4));
    }
    String pattern = schema.path("pattern").asString("");
    if (WORDS.matcher(pattern).matches()) {
      String[] words = pattern.substring("^(?:".length(), pattern.length() - 2).split("\\|", -1);
      return words[random.nextInt(words.length)];
    }
    if (pattern.equals("^[0-9a-f]*$")) {
      return HexFormat.of().formatHex(bytes(longest / 2));
    }
    return switch (schema.path("format").asString("")) {
      case "date" ->
          "19"
              + (10 + random.nextInt(90))
              + "-0"
              + (1 + random.nextInt(9))
              + "-1"
              + random.nextInt(9);
      case "date-time" -> "2026-01-01T00:00:00Z";
      case "uuid" -> new UUID(random.nextLong(), random.nextLong()).toString();
      default -> text();
    };
  }

  /** A text that may be an id or a value of an operation. */
  String text() {
    int[] sizes = {16, 20, 32, 64, 96, 192, 576, 672, 704, 1200};
    return switch (random.nextInt(6)) {
      case 0 -> Base64Url.encode(bytes(sizes[random.nextInt(sizes.length)]));
      case 1 -> HexFormat.of().formatHex(bytes(32));
      case 2 -> new UUID(random.nextLong(), random.nextLong()).toString();
      case 3 -> Integer.toString(random.nextInt(1, 100));
      default -> known.get(random.nextInt(known.size()));
    };
  }

  private byte[] bytes(int length) {
    byte[] out = new byte[length];
    random.nextBytes(out);
    if (length % 16 == 0) {
      for (int at = 0; at < length; at += 16) {
        out[at] = 0; // field elements and coordinates are below their moduli
      }
    }
    return out;
  }

  String hostileText() {
    return random.nextInt(4) == 0
        ? text()
        : HOSTILE_TEXTS.get(random.nextInt(HOSTILE_TEXTS.size()));
  }

  JsonNode hostile() {
    return switch (random.nextInt(8)) {
      case 0 -> NODES.nullNode();
      case 1 -> NODES.booleanNode(true);
      case 2 -> NODES.objectNode();
      case 3 -> NODES.arrayNode().add(NODES.arrayNode());
      case 4, 5 ->
          JSON.readTree(
              HOSTILE_NUMBERS.get(random.nextInt(HOSTILE_NUMBERS.size())).replace("-0", "0"));
      default -> NODES.stringNode(hostileText());
    };
  }

  /** Changes, removes or adds a value somewhere in a tree. */
  JsonNode spoiled(JsonNode tree) {
    if (!tree.isContainer() || tree.isEmpty()) {
      return hostile();
    }
    if (tree instanceof ObjectNode object) {
      List<String> names = new ArrayList<>(object.propertyNames());
      String name = names.get(random.nextInt(names.size()));
      switch (random.nextInt(7)) {
        case 0 -> object.remove(name);
        case 1 -> object.set(name + "X", hostile());
        case 2 -> object.set("isAdmin", NODES.booleanNode(true));
        default -> object.set(name, spoiled(object.get(name)));
      }
      return object;
    }
    ArrayNode array = (ArrayNode) tree;
    int at = random.nextInt(array.size());
    switch (random.nextInt(4)) {
      case 0 -> array.remove(at);
      case 1 -> {
        for (int i = 0; i < 300; i++) {
          array.add(array.get(at));
        }
      }
      default -> array.set(at, spoiled(array.get(at)));
    }
    return array;
  }
}
