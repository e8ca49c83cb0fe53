package io.solidus.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.solidus.dev.fuzz.Hostile;
import io.solidus.dev.fuzz.Seeds;
import io.solidus.protocol.Family;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.MintRequestJson;
import io.solidus.wire.json.PartialSignatureJson;
import io.solidus.wire.json.RecoverRequestJson;
import io.solidus.wire.json.RegisterRequestJson;
import io.solidus.wire.json.TransferRequestJson;
import io.solidus.wire.json.WireJson;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** JSON codecs: a decoded value, written and read again, is equal. */
class WireJsonFuzzTest {
  private static final List<UnaryOperator<String>> FORMS =
      List.of(
          t ->
              WireJson.write(
                  TransferRequestJson.of(WireJson.read(t, TransferRequestJson.class).toDomain())),
          t ->
              WireJson.write(
                  RecoverRequestJson.of(WireJson.read(t, RecoverRequestJson.class).toDomain())),
          t ->
              WireJson.write(
                  RegisterRequestJson.of(WireJson.read(t, RegisterRequestJson.class).toDomain())),
          t ->
              WireJson.write(
                  MintRequestJson.of(WireJson.read(t, MintRequestJson.class).toDomain())),
          t ->
              WireJson.write(
                  PartialSignatureJson.of(
                      WireJson.read(t, PartialSignatureJson.class).toDomain())));

  private static List<String> good() {
    return List.of(
        WireJson.write(TransferRequestJson.of(Seeds.transfer(Family.TRANSFER))),
        WireJson.write(RecoverRequestJson.of(Seeds.recover())),
        WireJson.write(RegisterRequestJson.of(Seeds.register())),
        WireJson.write(MintRequestJson.of(Seeds.mint())),
        WireJson.write(PartialSignatureJson.of(Seeds.partial(3))));
  }

  static Stream<String> texts() {
    return Stream.concat(
        good().stream(),
        Stream.of(
            WireJson.write(TransferRequestJson.of(Seeds.transfer(Family.PAY_8))),
            "",
            "null",
            "{}",
            "[]",
            "{\"statement\":null}",
            "[".repeat(5000),
            "{\"a\":".repeat(200),
            "{\"authority\":1e400}",
            "{\"authority\":\"1\",\"authority\":2}",
            "{\"authority\":99999999999999999999999999999999999}"));
  }

  @MethodSource("texts")
  @FuzzTest
  void readsTexts(@NotNull String text) {
    for (UnaryOperator<String> form : FORMS) {
      Hostile.decoded(text.length(), ProtocolException.class, () -> form.apply(text))
          .ifPresent(again -> assertThat(form.apply(again)).isEqualTo(again));
    }
  }

  static Stream<Arguments> insertions() {
    return Stream.of(
        Arguments.of(0, 5, 0, "null"),
        Arguments.of(1, 30, 4, "\\u0000"),
        Arguments.of(2, 14, 1, "-"));
  }

  /** Inputs close to well-formed texts: one part removed, one part inserted. */
  @MethodSource("insertions")
  @FuzzTest
  void readsChangedTexts(int which, int offset, int cut, @NotNull String inserted) {
    String text = good().get(Math.floorMod(which, FORMS.size()));
    int from = Math.floorMod(offset, text.length());
    int to = Math.min(text.length(), from + Math.floorMod(cut, 64));
    readsTexts(text.substring(0, from) + inserted + text.substring(to));
  }

  static Stream<String> base64() {
    return Stream.of("", "AA", "AB", "AA==", "A", "-_8", "+/8", "AA\n", "\u00e9A");
  }

  @MethodSource("base64")
  @FuzzTest
  void base64HasOneForm(@NotNull String text) {
    Hostile.decoded(text.length(), ProtocolException.class, () -> Base64Url.decode(text, "field"))
        .ifPresent(bytes -> assertThat(Base64Url.encode(bytes)).isEqualTo(text));
  }

  @Test
  void seedsAreWellFormed() {
    for (int i = 0; i < FORMS.size(); i++) {
      assertThat(FORMS.get(i).apply(good().get(i))).isEqualTo(good().get(i));
    }
  }
}
