package io.solidus.dev.sandbox.webwallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebWalletTest {
  private static final String GATEWAY = "http://127.0.0.1:8080";

  @TempDir private Path folder;

  @Test
  void thePageAndWhatItTrustsAreServedUnderAStrictPolicy() throws Exception {
    Path page = Files.createDirectory(folder.resolve("page"));
    Files.writeString(page.resolve("index.html"), "<!doctype html>");
    Files.writeString(page.resolve("page.js"), "1");
    Files.writeString(folder.resolve("secret"), "not of the page");
    try (WebWallet wallet = WebWallet.start(0, page, Map.of("gateway", GATEWAY), List.of(GATEWAY));
        HttpClient client = HttpClient.newHttpClient()) {
      for (String path : List.of("/", "/page.js", "/network.json", "/nothing")) {
        HttpResponse<String> answer = get(client, wallet, path);
        String policy = answer.headers().firstValue("Content-Security-Policy").orElseThrow();
        assertThat(policy)
            .as(path)
            .contains("default-src 'none'", "connect-src 'self' " + GATEWAY + ";")
            .contains("frame-ancestors 'none'", "require-trusted-types-for 'script'")
            .doesNotContain("unsafe", "*");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
      }
      // WebAssembly where the prover is, and there no calls to anybody
      assertThat(get(client, wallet, "/prover.js").headers().firstValue("Content-Security-Policy"))
          .contains("default-src 'none'; script-src 'wasm-unsafe-eval'");
      assertThat(get(client, wallet, "/").body()).isEqualTo("<!doctype html>");
      assertThat(get(client, wallet, "/page.js").headers().firstValue("Content-Type"))
          .contains("text/javascript");
      assertThat(get(client, wallet, "/network.json").body())
          .isEqualTo("{\"gateway\":\"" + GATEWAY + "\"}");
      assertThat(get(client, wallet, "/%2e%2e/secret").body()).doesNotContain("not of the page");
    }
  }

  private static HttpResponse<String> get(HttpClient client, WebWallet wallet, String path)
      throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + wallet.port() + path);
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }
}
