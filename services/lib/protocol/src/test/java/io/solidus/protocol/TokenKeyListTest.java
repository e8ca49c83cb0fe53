package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokenKeyListTest {
  private static final NetworkId NETWORK = new NetworkId("solidus-test");
  private static final String FIRST = "0a".repeat(342);
  private static final String SECOND = "0b".repeat(342);
  private static final TokenKeyList LIST =
      new TokenKeyList("registration.example", 64, 20_784, List.of(FIRST, SECOND));

  @Test
  @Spec("A-07")
  void readsWhatItWrites() {
    String text = LIST.toNoteText(NETWORK);
    assertThat(text)
        .startsWith(
            "solidus/token-keys/v1\nsolidus-test\nissuer: registration.example\nbatch: 64\n"
                + "first-day: 20784\nkeys: 0a0a");
    assertThat(TokenKeyList.parse(NETWORK, text)).isEqualTo(LIST);
  }

  @Test
  @Spec("A-07")
  void refusesEveryOtherText() {
    String text = LIST.toNoteText(NETWORK);
    for (String other :
        List.of(
            text.replace("batch: 64", "batch: 65"),
            text.replace("batch: 64", "batch: 0"),
            text.replace("batch: 64", "batch: 99999999999"),
            text.replace("0a0a0a", "0A0a0a"),
            text.replace(SECOND, FIRST),
            text.replace(" " + SECOND, "  " + SECOND),
            text.replace("registration.example", "Registration"),
            text + "more: 1\n")) {
      assertThatThrownBy(() -> TokenKeyList.parse(NETWORK, other))
          .isInstanceOf(ProtocolException.class);
    }
    assertThatThrownBy(() -> TokenKeyList.parse(new NetworkId("other"), text))
        .isInstanceOf(ProtocolException.class);
    assertThatThrownBy(() -> new TokenKeyList("a", 1, 1, Collections.nCopies(65, FIRST)))
        .isInstanceOf(ProtocolException.class);
  }
}
