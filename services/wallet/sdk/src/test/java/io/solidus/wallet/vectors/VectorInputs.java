package io.solidus.wallet.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Period;
import io.solidus.protocol.ProtocolException;
import io.solidus.prover.Suite;
import io.solidus.wallet.error.WalletException;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import tools.jackson.databind.JsonNode;

/** Reads the inputs of a case, and compares an answer with what the case says. */
final class VectorInputs {
  private VectorInputs() {}

  /** A refusal that has no code of the platform. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(String error) {
      super(error);
    }
  }

  static Stream<DynamicTest> cases(VectorFile file, String op, Function<JsonNode, String> answer) {
    return file.read()
        .filter(c -> c.path("op").asString().equals(op))
        .map(c ->
            DynamicTest.dynamicTest(op + ": " + c.path("name").asString(), () -> check(c, answer)));
  }

  private static void check(JsonNode c, Function<JsonNode, String> answer) {
    String result;
    try {
      result = answer.apply(c.path("in"));
    } catch (ProtocolException e) {
      assertThat(e.code().code()).isEqualTo(c.path("error").asString(""));
      return;
    } catch (WalletException e) {
      assertThat(e.error().code()).isEqualTo(c.path("error").asString(""));
      return;
    } catch (Refused e) {
      assertThat(e.getMessage()).isEqualTo(c.path("error").asString(""));
      return;
    }
    assertThat(result).isEqualTo(c.path("out").asString(""));
  }

  static Suite suite(JsonNode in) {
    return new Suite(network(in));
  }

  static NetworkId network(JsonNode in) {
    return new NetworkId(text(in, "network"));
  }

  static InputDigest digest(JsonNode in) {
    return InputDigest.of(bytes(in, "d"));
  }

  static Period period(JsonNode in) {
    return new Period((int) number(in, "period"));
  }

  static Amount amount(JsonNode in, String name) {
    return new Amount(number(in, name));
  }

  static FieldElement field(JsonNode in, String name) {
    return FieldElement.of(bytes(in, name));
  }

  static long number(JsonNode in, String name) {
    return Long.parseLong(text(in, name));
  }

  static byte[] bytes(JsonNode in, String name) {
    return HexFormat.of().parseHex(text(in, name));
  }

  static List<String> list(JsonNode in, String name) {
    return StreamSupport.stream(in.path(name).spliterator(), false)
        .map(JsonNode::asString)
        .toList();
  }

  static String text(JsonNode in, String name) {
    if (!in.path(name).isString()) {
      throw new IllegalStateException("no input '" + name + "'");
    }
    return in.path(name).asString();
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
