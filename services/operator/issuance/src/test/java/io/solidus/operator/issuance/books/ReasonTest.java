package io.solidus.operator.issuance.books;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.ProtocolException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReasonTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "two\r\nlines\tand more", "\ud83d\ude00"})
  void textIsAReason(String reason) {
    assertThatNoException().isThrownBy(() -> Reason.require(reason));
  }

  /** A database that gets U+0000 fails, and the service with it. */
  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\0b", "a\u001bb", "a\ud83d"})
  void whatNobodyCanReadIsNone(String reason) {
    assertThatThrownBy(() -> Reason.require(reason))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("reason");
  }
}
