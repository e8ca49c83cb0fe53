package io.solidus.platform.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSecretsTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  /** The example of the specification's libraries. */
  @Test
  void signsAsTheSpecificationSays() {
    assertThat(sign(SECRET)).isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  @Test
  void signsByBothSecretsWhileOneIsReplaced() {
    String other = "whsec_" + "A".repeat(32);
    assertThat(sign(other + "\n" + SECRET + "\n")).isEqualTo(sign(other) + " " + sign(SECRET));
  }

  private static String sign(String secrets) {
    return WebhookSecrets.parse(secrets)
        .sign(
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            Instant.ofEpochSecond(1_614_265_330),
            "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "whsec_",
        "whsec_c2hvcnQ=",
        "whsec_not base64 at all, not base64 at all",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\nwhsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\nwhsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      })
  void saysWhichSecretIsUnusableAndNotWhatItIs(String text, @TempDir Path dir) throws Exception {
    Path file = Files.writeString(dir.resolve("secret"), text);
    assertThatThrownBy(() -> WebhookSecrets.read("chat", file))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the webhook chat")
        .hasNoCause();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://host/",
        "https:///path",
        "https://user@host/",
        "https://host/#part",
        "host/path",
        "file:/etc/passwd"
      })
  void callsWebAddressesOnly(String url, @TempDir Path dir) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WebhookProperties.Target(URI.create(url), dir, List.of()));
  }

  @Test
  void pausesGrowToAnHour() {
    assertThat(List.of(0, 1, 2, 3, 7, 8, 100).stream().map(WebhookTarget::pause))
        .containsExactly(
            Duration.ofSeconds(15),
            Duration.ofSeconds(30),
            Duration.ofMinutes(1),
            Duration.ofMinutes(2),
            Duration.ofMinutes(32),
            Duration.ofHours(1),
            Duration.ofHours(1));
  }
}
