package io.solidus.platform.publicapi;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublicApiPropertiesTest {
  private static final Instant MAY = Instant.parse("2027-05-01T00:00:00Z");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*",
        "https://wallet.example",
        "https://wallet.example:8443",
        "http://localhost:5173",
        "http://127.0.0.1",
        "capacitor://localhost"
      })
  void takesOrigins(String origin) {
    assertThatNoException().isThrownBy(() -> of(origin));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "https://*.example",
        "https://wallet.example/",
        "https://wallet.example/path",
        "https://user@wallet.example",
        "http://wallet.example",
        "wallet.example"
      })
  void refusesWhatIsNoOriginAndPlainHttpOfOthers(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(text))
        .withMessageContaining("solidus.public-api.allowed-origins");
  }

  @Test
  void everyOriginStandsAlone() {
    assertThatIllegalArgumentException().isThrownBy(() -> of("*", "https://wallet.example"));
  }

  @Test
  void aSunsetIsAnnouncedBefore() {
    assertThatNoException().isThrownBy(() -> sunset(MAY, MAY));
    assertThatNoException().isThrownBy(() -> sunset(MAY, null));
    assertThatIllegalArgumentException().isThrownBy(() -> sunset(MAY, MAY.minusSeconds(1)));
    assertThatIllegalArgumentException().isThrownBy(() -> sunset(null, MAY));
  }

  private static PublicApiProperties of(String... origins) {
    return new PublicApiProperties(List.of(origins), null, null, null);
  }

  private static PublicApiProperties sunset(
      @Nullable Instant deprecated, @Nullable Instant sunset) {
    return new PublicApiProperties(List.of(), deprecated, sunset, null);
  }
}
