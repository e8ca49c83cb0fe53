package io.solidus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import io.solidus.protocol.Family;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Member;
import io.solidus.wire.json.MintRequestJson;
import io.solidus.wire.json.RecoverRequestJson;
import io.solidus.wire.json.RegisterRequestJson;
import io.solidus.wire.json.TransferRequestJson;
import io.solidus.wire.json.WireJson;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What {@link Member} says of the requests is what their reading checks. */
class MemberTest {
  private static final WireSamples SAMPLES = new WireSamples(12);

  static Stream<Arguments> requests() {
    return Stream.of(
        sample(
            TransferRequestJson.of(SAMPLES.transfer(Family.TRANSFER, 1)),
            TransferRequestJson.class,
            TransferRequestJson::toDomain),
        sample(
            TransferRequestJson.of(SAMPLES.transfer(Family.TRANSFER_UNREGULATED, 0)),
            TransferRequestJson.class,
            TransferRequestJson::toDomain),
        sample(
            RegisterRequestJson.of(SAMPLES.register()),
            RegisterRequestJson.class,
            RegisterRequestJson::toDomain),
        sample(
            MintRequestJson.of(SAMPLES.mint()), MintRequestJson.class, MintRequestJson::toDomain),
        sample(
            RecoverRequestJson.of(SAMPLES.recover(4)),
            RecoverRequestJson.class,
            RecoverRequestJson::toDomain));
  }

  private static <T> Arguments sample(T value, Class<T> type, Function<T, ?> toDomain) {
    return Arguments.of(
        type,
        WireJson.write(value),
        (Consumer<String>)
            json -> assertThat(toDomain.apply(WireJson.read(json, type))).isNotNull());
  }

  @ParameterizedTest
  @MethodSource("requests")
  void whatMembersSayIsChecked(Class<?> type, String json, Consumer<String> read) {
    read.accept(json);
    ObjectNode root = (ObjectNode) JsonMapper.shared().readTree(json);
    assertThat(check(root, root, type, read)).isGreaterThan(8);
  }

  /** Checks the members of an object of a request, and those of the objects in it. */
  private static int check(
      ObjectNode root, ObjectNode object, Class<?> type, Consumer<String> read) {
    int checked = 0;
    for (RecordComponent component : type.getRecordComponents()) {
      String name = component.getName();
      Member member = component.getAnnotation(Member.class);
      assertThat(member).as("annotation of %s.%s", type.getSimpleName(), name).isNotNull();
      JsonNode value = object.path(name);
      presence(root, object, name, member, read);
      range(root, object, name, member, read);
      bytes(root, object, name, member, read);
      checked++;
      for (JsonNode inner : value.isArray() ? value : List.of(value)) {
        if (inner instanceof ObjectNode next) {
          checked += inner(root, next, entry(component.getGenericType()), read);
        }
      }
    }
    return checked;
  }

  private static int inner(
      ObjectNode root, ObjectNode object, Class<?> type, Consumer<String> read) {
    if (type.isRecord()) {
      return check(root, object, type, read);
    }
    String name = object.propertyNames().iterator().next();
    Class<?> one =
        Arrays.stream(type.getAnnotation(JsonSubTypes.class).value())
            .filter(any -> any.name().equals(name))
            .findAny()
            .orElseThrow()
            .value();
    return check(root, (ObjectNode) object.path(name), one, read);
  }

  private static Class<?> entry(Type type) {
    return type instanceof ParameterizedType list
        ? (Class<?>) list.getActualTypeArguments()[0]
        : (Class<?>) type;
  }

  private static void presence(
      ObjectNode root, ObjectNode object, String name, Member member, Consumer<String> read) {
    JsonNode present = object.path(name);
    object.remove(name);
    expect(member.optional(), root, read, name + " is missing");
    object.putNull(name);
    expect(member.optional() && member.nullable(), root, read, name + " is null");
    object.set(name, present);
  }

  private static void range(
      ObjectNode root, ObjectNode object, String name, Member member, Consumer<String> read) {
    JsonNode present = object.path(name);
    if (member.min() > Long.MIN_VALUE && !(present.isArray() && member.min() == 0)) {
      object.set(name, sized(present, member.min() - 1));
      expect(false, root, read, name + " is below its limit");
    }
    if (member.max() < Long.MAX_VALUE && !(present.isArray() && present.isEmpty())) {
      object.set(name, sized(present, member.max() + 1));
      expect(false, root, read, name + " is above its limit");
    }
    object.set(name, present);
  }

  /** The number; or a list or a text with so many entries or characters. */
  private static JsonNode sized(JsonNode present, long size) {
    JsonMapper json = JsonMapper.shared();
    if (present instanceof ArrayNode list) {
      ArrayNode sized = json.createArrayNode();
      for (int i = 0; i < size; i++) {
        sized.add(list.get(i % list.size()));
      }
      return sized;
    }
    return json.valueToTree(present.isString() ? "a".repeat(Math.toIntExact(size)) : size);
  }

  private static void bytes(
      ObjectNode root, ObjectNode object, String name, Member member, Consumer<String> read) {
    JsonNode present = object.path(name);
    IntStream.of(member.bytes())
        .flatMap(length -> IntStream.of(length - 1, length + 1))
        .filter(length -> Arrays.stream(member.bytes()).noneMatch(any -> any == length))
        .forEach(length -> {
          String other = Base64Url.encode(new byte[length]);
          if (present instanceof ArrayNode list) {
            ArrayNode changed = list.deepCopy();
            changed.set(0, other);
            object.set(name, changed);
          } else {
            object.put(name, other);
          }
          expect(false, root, read, name + " has " + length + " bytes");
        });
    object.set(name, present);
  }

  private static void expect(
      boolean accepted, ObjectNode root, Consumer<String> read, String change) {
    if (accepted) {
      read.accept(root.toString());
    } else {
      assertThatExceptionOfType(ProtocolException.class)
          .as(change)
          .isThrownBy(() -> read.accept(root.toString()));
    }
  }
}
