package io.solidus.operator.sanctions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The attack of the audit on the admin API from the wallets' port, with a valid token. */
@Tag("process")
class AdminDoorTest {
  private static final int LIMIT_MILLIS = 10_000;
  private static SanctionsFixture service;

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException {
    service = SanctionsFixture.start(directory, SanctionsFixture.NO_KAFKA);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/admin/v1/sanctions/lists",
        "/admin",
        "/admin/",
        "/v3/api-docs",
        "/v3/api-docs/swagger-config",
        "/v3/api-docs.yaml",
        "/swagger-ui.html",
        "/swagger-ui/index.html",
        "/%61dmin/v1/sanctions/lists",
        "/admin;x=1/v1/sanctions/lists",
        "/./admin/v1/sanctions/lists",
        "/v1/../admin/v1/sanctions/lists",
        "/v1/%2e%2e/admin/v1/sanctions/lists",
        "/v1/..;/admin/v1/sanctions/lists",
        "//admin/v1/sanctions/lists"
      })
  void thePublicPortHasNoAdminApi(String path) throws IOException {
    assertThat(status(service.publicPort(), path, "")).isIn(404, 400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Forwarded-Port: %d",
        "X-Forwarded-Prefix: /admin",
        "X-Original-URL: /admin/v1/sanctions/lists",
        "Forwarded: for=127.0.0.1;host=localhost:%d",
        "Host: localhost:%d"
      })
  void noHeaderOpensTheDoor(String header) throws IOException {
    assertThat(
            status(
                service.publicPort(),
                "/admin/v1/sanctions/lists",
                header.formatted(service.adminPort()) + "\r\n"))
        .isIn(404, 400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/admin/v1/sanctions/lists", "/v3/api-docs", "/swagger-ui/index.html"})
  void theAdminPortHasIt(String path) throws IOException {
    assertThat(status(service.adminPort(), path, "")).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/sanctions/checkpoint", "/actuator/prometheus", "/elsewhere"})
  void theAdminPortHasNothingElse(String path) throws IOException {
    assertThat(status(service.adminPort(), path, "")).isEqualTo(404);
  }

  /** Sends a path unchanged, which no HTTP client does, with an operator's token. */
  private static int status(int port, String path, String header) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(LIMIT_MILLIS);
      String[] operator = service.sanctionsOperator();
      String host = header.startsWith("Host:") ? "" : "Host: localhost\r\n";
      String request =
          "GET %s HTTP/1.1\r\n%s%s%s: %s\r\nConnection: close\r\n\r\n"
              .formatted(path, host, header, operator[0], operator[1]);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      return Integer.parseInt(answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
    }
  }
}
