package io.solidus.dev.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.solidus.wire.json.Member;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** The checks of OpenAPI documents find what was wrong with them. */
class ApiDocumentTest {
  private static final String WHOLE =
      """
      {"paths": {"/v1/mints": {
        "post": {"operationId": "requestMint", "responses": {
          "202": {"content": {"application/json": {}}},
          "400": {"content": {"application/problem+json": {}}},
          "503": {"content": {"application/problem+json": {}}},
          "default": {"content": {"application/problem+json": {}}}}}}}}
      """;

  private static void check(String document) {
    ApiDocument.isWhole(JsonMapper.shared().readTree(document));
  }

  @Test
  void aWholeDocumentPasses() {
    assertThatCode(() -> check(WHOLE)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "requestMint|submit_1",
        "requestMint|",
        "202\": {\"content\": {\"application/json|202\": {\"content\": {\"*/*",
        "400\": {\"content\": {\"application/problem+json|400\": {\"content\": {\"*/*",
        "\"400\"|\"401\"",
        "\"503\"|\"504\"",
        "\"default\"|\"500\"",
      })
  void aDefectOfTheDocumentIsFound(String change) {
    String[] parts = change.split("\\|", -1);
    String defective = WHOLE.replace(parts[0], parts[1]);
    assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> check(defective));
  }

  @Test
  void twoOperationsOfOneIdAreFound() {
    String operation = WHOLE.substring(WHOLE.indexOf("\"post\""), WHOLE.lastIndexOf("}}}"));
    String twice = WHOLE.replace("\"post\"", operation.replace("post", "get") + ", \"post\"");
    assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> check(twice));
  }

  record Question(@Member(bytes = 32) @Nullable String core) {}

  record ApiDocumentTestQuestion(@Nullable String name, @Member @Nullable List<String> texts) {}

  @RestController
  static class Calls {
    @PostMapping("/v1/first")
    Question first(@RequestBody Question body) {
      return body;
    }

    @PostMapping("/v1/second")
    void second(@RequestBody ApiDocumentTestQuestion body) {}
  }

  @Test
  void aMemberThatSaysNothingIsFound() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> new ApiTypes(List.of(getClass().getPackageName())).sayWhatTheyTake())
        .withMessageContaining("ApiDocumentTestQuestion.name")
        .withMessageContaining("ApiDocumentTestQuestion.texts")
        .withMessageNotContaining("core");
  }

  @Test
  void twoTypesOfOneNameAreFound() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> new ApiTypes(List.of(getClass().getPackageName())).haveNamesOfTheirOwn())
        .withMessageContaining("$Question");
  }
}
