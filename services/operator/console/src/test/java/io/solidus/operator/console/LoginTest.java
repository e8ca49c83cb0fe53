package io.solidus.operator.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.solidus.operator.console.frame.Together;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Login, session, headers and logout, with a real OpenID provider. */
@Tag("process")
class LoginTest {
  private static ConsoleFixture console;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    console = new ConsoleFixture(directory);
  }

  @AfterAll
  static void stop() {
    console.close();
  }

  @BeforeEach
  void today() {
    console.clock.reset();
  }

  @Test
  void withoutLoginEveryPageLeadsToTheProvider() throws IOException {
    for (String path : pages()) {
      try (Browser stranger = new Browser(console.url)) {
        HttpResponse<String> answer = stranger.get(path);
        assertThat(answer.statusCode()).as(path).isEqualTo(302);
        assertThat(location(answer)).as(path).isEqualTo("/oauth2/authorization/console");
        String asked = location(stranger.get(location(answer)));
        assertThat(asked)
            .contains("code_challenge_method=S256")
            .contains("code_challenge=")
            .contains("state=")
            .contains("nonce=");
      }
    }
  }

  @Test
  void afterTheLoginThePageComesThatWasAskedFor() throws IOException {
    try (Browser kim = new Browser(console.url)) {
      HttpResponse<String> page = kim.login("/health?a=b", "kim", ConsoleFixture.PASSWORD);
      assertThat(page.uri().getPath()).isEqualTo("/health");
      assertThat(page.uri().getQuery()).isEqualTo("a=b");
      assertThat(page.body()).contains("Logged in as <bdi>kim</bdi>");
    }
  }

  @Test
  void theSessionIsRenewedAtTheLogin() throws IOException {
    try (Browser kim = new Browser(console.url)) {
      kim.get("/");
      String before = kim.cookie(ConsoleFixture.COOKIE);
      kim.login("/", "kim", ConsoleFixture.PASSWORD);
      assertThat(before).isNotEmpty();
      assertThat(kim.cookie(ConsoleFixture.COOKIE)).isNotEmpty().isNotEqualTo(before);
    }
  }

  @Test
  void theCookieIsOutOfReachOfScriptsAndOtherSites() throws IOException {
    try (Browser stranger = new Browser(console.url)) {
      assertThat(stranger.get("/").headers().firstValue("Set-Cookie").orElse(""))
          .contains("HttpOnly")
          .contains("SameSite=Lax");
    }
  }

  @Test
  void everyAnswerHasThePolicyAndIsStoredNowhere() throws IOException {
    try (Browser kim = console.loggedIn("kim");
        Browser stranger = new Browser(console.url)) {
      Set<String> paths = new TreeSet<>(pages());
      paths.addAll(List.of("/no-such-page", "/oauth2/authorization/console", "/logged-out"));
      for (String path : paths) {
        for (HttpResponse<String> answer : List.of(kim.get(path), stranger.get(path))) {
          assertThat(header(answer, "Content-Security-Policy"))
              .as(path)
              .contains("default-src 'none'")
              .contains("script-src 'self'")
              .contains("frame-ancestors 'none'")
              .contains("base-uri 'none'")
              .doesNotContain("unsafe");
          assertThat(header(answer, "Cache-Control")).as(path).contains("no-store");
          assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
          assertThat(header(answer, "X-Frame-Options")).isEqualTo("DENY");
          assertThat(header(answer, "Referrer-Policy")).isEqualTo("same-origin");
          assertThat(answer.body())
              .as(path)
              .doesNotContain("<script>")
              .doesNotContain("<style")
              .doesNotContainPattern("\\son[a-z]+=")
              .doesNotContain("style=");
        }
      }
    }
  }

  @Test
  void aFormWithoutItsTokenIsRefused() throws IOException {
    try (Browser kim = console.loggedIn("kim")) {
      HttpResponse<String> answer = kim.postWithoutToken("/logout", Map.of());
      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(answer.body()).contains("form-expired");
      assertThat(kim.get("/").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aFormOfAnEndedSessionComesBackAfterTheLogin() throws IOException {
    try (Browser kim = console.loggedIn("kim")) {
      kim.open("/health");
      console.clock.move(Duration.ofMinutes(16));
      HttpResponse<String> answer = kim.post("/policies/halt", Map.of("reason", "half filled"));
      assertThat(answer.statusCode()).isEqualTo(302);
      assertThat(location(answer)).isEqualTo("/oauth2/authorization/console");
      HttpResponse<String> back = kim.follow(answer);
      assertThat(back.uri().getPath()).isEqualTo("/health");
      assertThat(back.body()).contains("Nothing was sent yet");
    }
  }

  @Test
  void whoLogsOutTooLateIsLoggedOut() throws IOException {
    try (Browser kim = console.loggedIn("kim")) {
      kim.open("/health");
      console.clock.move(Duration.ofMinutes(16));
      assertThat(location(kim.post("/logout", Map.of()))).isEqualTo("/logged-out");
    }
  }

  @Test
  void aPageThatRenewsItselfKeepsNoSession() throws IOException {
    try (Browser kim = console.loggedIn("kim")) {
      console.clock.move(Duration.ofMinutes(9));
      assertThat(kim.getAsHtmx("/live/health").statusCode()).isEqualTo(200);
      console.clock.move(Duration.ofMinutes(9));
      HttpResponse<String> answer = kim.getAsHtmx("/live/health");
      assertThat(answer.statusCode()).isEqualTo(401);
      assertThat(header(answer, "HX-Refresh")).isEqualTo("true");
    }
  }

  @Test
  void aSessionEndsHoweverMuchItIsUsed() throws IOException {
    try (Browser kim = console.loggedIn("kim")) {
      for (int minutes = 0; minutes < 8 * 60; minutes += 10) {
        console.clock.move(Duration.ofMinutes(10));
        kim.get("/logged-out");
      }
      console.clock.move(Duration.ofMinutes(1));
      assertThat(kim.get("/health").statusCode()).isEqualTo(302);
    }
  }

  @Test
  void logoutEndsTheSessionHereAndAtTheProvider() throws IOException {
    try (Browser kim = console.loggedIn("kim")) {
      String before = kim.cookie(ConsoleFixture.COOKIE);
      kim.open("/health");
      HttpResponse<String> answer = kim.post("/logout", Map.of());
      assertThat(location(answer)).contains("/connect/logout").contains("id_token_hint=");
      HttpResponse<String> out = kim.follow(answer);
      assertThat(out.uri().getPath()).isEqualTo("/logged-out");
      assertThat(out.body()).contains("You are logged out");
      // the provider asks for the password again
      assertThat(kim.open("/health").body()).contains("name=\"password\"");
      assertThat(before).isNotEmpty();
    }
  }

  @Test
  void aStrangerCannotEndUpOnAnotherSite() throws IOException {
    try (Browser kim = new Browser(console.url)) {
      HttpResponse<String> page =
          kim.login(console.url + "//evil.example/", "kim", ConsoleFixture.PASSWORD);
      assertThat(page.uri().getHost()).isEqualTo("127.0.0.1");
    }
  }

  @Test
  void aLoginThatIsOldOrOfAnotherBrowserIsExplained() throws IOException {
    try (Browser stranger = new Browser(console.url)) {
      stranger.get("/");
      for (String answer :
          List.of("?code=made-up&state=made-up", "?state=", "?error=access_denied&state=made-up")) {
        HttpResponse<String> page = stranger.get("/login/oauth2/code/console" + answer);
        assertThat(page.statusCode()).as(answer).isEqualTo(400);
        assertThat(page.body())
            .contains("login-too-old")
            .contains("<a class=\"button\" href=\"/oauth2/authorization/console\">Log in</a>")
            .doesNotContain("made-up");
      }
    }
  }

  @Test
  void whoDoesNotLogInIsToldSo() throws IOException {
    try (Browser kim = new Browser(console.url)) {
      kim.get("/");
      String state = parameter(location(kim.get("/oauth2/authorization/console")), "state");
      HttpResponse<String> page =
          kim.get("/login/oauth2/code/console?error=access_denied&state=" + state);
      assertThat(page.statusCode()).isEqualTo(400);
      assertThat(page.body()).contains("login-cancelled");
    }
  }

  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void aProviderThatIsAwayIsSaidInTime(@TempDir Path directory, CapturedOutput log)
      throws Exception {
    // it accepts connections and never answers
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        ConsoleFixture waiting =
            new ConsoleFixture(
                directory,
                Duration.ofMinutes(10),
                Map.of(
                    "solidus.console.login.issuer-uri",
                    "http://127.0.0.1:" + silent.getLocalPort(),
                    "solidus.console.login.timeout",
                    "2s"))) {
      List<Supplier<HttpResponse<String>>> logins = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        logins.add(() -> {
          try (Browser kim = new Browser(waiting.url)) {
            return kim.open("/fundings");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
      }
      long begin = System.nanoTime();
      for (HttpResponse<String> page : Together.all(logins)) {
        assertThat(page.statusCode()).isEqualTo(503);
        assertThat(header(page, "Retry-After")).isEqualTo("30");
        assertThat(header(page, "Content-Security-Policy")).contains("default-src 'none'");
        assertThat(page.body())
            .contains("The login service does not answer")
            .contains("provider-unavailable")
            .contains(">Log in</a>");
      }
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(8));
      assertThat(log.getAll().split("the OpenID provider cannot be used: ", -1))
          .as("once for each try, not for each login")
          .hasSizeBetween(2, 5);
    }
  }

  @Test
  void aProviderThatGivesNoTokenIsSaid(@TempDir Path directory) throws Exception {
    HttpServer provider =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String issuer = "http://127.0.0.1:" + provider.getAddress().getPort();
    provider.createContext(
        "/",
        exchange -> {
          boolean discovery = exchange.getRequestURI().getPath().startsWith("/.well-known");
          byte[] body =
              (discovery
                      ? "{'issuer':'%1$s','authorization_endpoint':'%1$s/a','token_endpoint':'%1$s/t','jwks_uri':'%1$s/k','subject_types_supported':['public'],'response_types_supported':['code'],'id_token_signing_alg_values_supported':['RS256']}"
                          .formatted(issuer)
                          .replace('\'', '"')
                      : "{}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(discovery ? 200 : 502, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    provider.start();
    try (ConsoleFixture half =
            new ConsoleFixture(
                directory,
                Duration.ofMinutes(10),
                Map.of("solidus.console.login.issuer-uri", issuer));
        Browser kim = new Browser(half.url)) {
      kim.get("/fundings");
      String state = parameter(location(kim.get("/oauth2/authorization/console")), "state");
      HttpResponse<String> page = kim.get("/login/oauth2/code/console?code=c&state=" + state);
      assertThat(page.statusCode()).isEqualTo(503);
      assertThat(header(page, "Retry-After")).isEqualTo("30");
      assertThat(page.body()).contains("provider-unavailable");
    } finally {
      provider.stop(0);
    }
  }

  private static String parameter(String address, String name) {
    Matcher found = Pattern.compile("[?&]" + name + "=([^&]+)").matcher(address);
    assertThat(found.find()).as(address).isTrue();
    return found.group(1);
  }

  private static String location(HttpResponse<String> answer) {
    return header(answer, "Location");
  }

  private static String header(HttpResponse<String> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  /** Every page without a variable in its address, so that a new page is tested too. */
  private static Set<String> pages() {
    return console
        .context()
        .getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
        .getHandlerMethods()
        .keySet()
        .stream()
        .filter(route -> route.getMethodsCondition().getMethods().contains(RequestMethod.GET))
        .flatMap(route -> route.getPatternValues().stream())
        .filter(path -> !path.contains("{") && !path.startsWith("/log"))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
