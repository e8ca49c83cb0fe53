package io.solidus.platform.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.platform.tracing.Trace;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@ExtendWith(OutputCaptureExtension.class)
class JsonLogsTest {
  private static final Logger log = LoggerFactory.getLogger(JsonLogsTest.class);
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String SERIAL =
      "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0";
  private static final String KEY = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA";

  @SpringBootConfiguration(proxyBeanMethods = false)
  static class Empty {}

  @AfterEach
  void forget() {
    MDC.remove(Trace.MDC_KEY);
    LoggingSystem.get(getClass().getClassLoader()).cleanUp();
    System.clearProperty("CONSOLE_LOG_STRUCTURED_FORMAT"); // stays set in the JVM otherwise
  }

  @Test
  void everyLineIsOneObjectWithTheTraceAndWithoutSecrets(CapturedOutput output) {
    try (ConfigurableApplicationContext context = start("json-logs")) {
      MDC.put(Trace.MDC_KEY, TRACE);
      log.warn("a peer sent {} and \"quotes\"\nand a second line", SERIAL);
      log.error(
          "failed",
          new IllegalStateException(
              "cannot read key " + KEY, new IllegalArgumentException("Bearer abcdefgh.ijkl.mnop")));
    }
    assertThat(output.getOut()).doesNotContain(SERIAL).doesNotContain(KEY).doesNotContain("ijkl");
    List<JsonNode> lines = output.getOut().lines().map(JsonMapper.shared()::readTree).toList();
    List<JsonNode> mine =
        lines.stream().filter(line -> TRACE.equals(text(line, "trace.id", "trace", "id"))).toList();
    assertThat(mine).hasSize(2);
    assertThat(mine.getFirst().path("message").asString(""))
        .isEqualTo("a peer sent [redacted] and \"quotes\"\nand a second line");
    assertThat(text(mine.getFirst(), "log.level", "log", "level")).isEqualTo("WARN");
    assertThat(text(mine.getFirst(), "service.name", "service", "name"))
        .isEqualTo("solidus-sample");
    assertThat(mine.getLast().toString())
        .contains("IllegalStateException", "JsonLogsTest", "[redacted]");
  }

  @Test
  void linesAreTextWithoutTheProfile(CapturedOutput output) {
    try (ConfigurableApplicationContext context = start("other")) {
      log.warn("plain");
    }
    assertThat(output.getOut()).contains("plain").doesNotContain("{");
  }

  @ParameterizedTest
  @CsvSource({
    SERIAL + ", [redacted]",
    "key=" + KEY + "=;, key=[redacted];",
    "to sld1qpzry9x8gf2tvdw0s3jn54khce6mua7l now, to [redacted] now",
    "12345678901234567890123, [redacted]",
    "trace " + TRACE + ", trace " + TRACE,
    "solidus-validator-solidus-dev-1-0 is slow, solidus-validator-solidus-dev-1-0 is slow",
    "/var/lib/solidus/authority-1/sign-logs/current/sign.log, /var/lib/solidus/authority-1/sign-logs/current/sign.log",
    "at io.solidus.authority.shard.ShardConfiguration.transferQueue, at io.solidus.authority.shard.ShardConfiguration.transferQueue"
  })
  void redactsOnlyTextsThatLookSecret(String text, String left) {
    assertThat(Redaction.redact(text)).isEqualTo(left);
  }

  private static ConfigurableApplicationContext start(String profile) {
    return new SpringApplicationBuilder(Empty.class)
        .web(WebApplicationType.NONE)
        .profiles(profile)
        .properties("spring.application.name=solidus-sample")
        .run();
  }

  /** Reads a field that is written with dots or nested. */
  private static String text(JsonNode line, String flat, String outer, String inner) {
    return line.has(flat)
        ? line.path(flat).asString("")
        : line.path(outer).path(inner).asString("");
  }
}
