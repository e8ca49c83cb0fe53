package io.solidus.operator.console;

import java.io.IOException;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** As much of a browser as the console needs without a script: cookies, redirects, forms. */
final class Browser implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int REDIRECTS = 12;
  private static final Pattern CSRF = Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"");

  private final CookieManager cookies = new CookieManager();
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(LIMIT).cookieHandler(cookies).build();
  private final String console;
  private @Nullable HttpResponse<String> last;

  Browser(String console) {
    this.console = console;
  }

  /** Follows redirects until a page comes. */
  HttpResponse<String> open(String path) throws IOException {
    return follow(get(path));
  }

  /** Logs in at the provider's page, to which {@code path} leads. */
  HttpResponse<String> login(String path, String name, String password) throws IOException {
    open(path);
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("username", name);
    fields.put("password", password);
    return follow(post("/login", fields));
  }

  /** One request, without following. */
  HttpResponse<String> get(String path) throws IOException {
    return send(HttpRequest.newBuilder(at(path)).GET());
  }

  HttpResponse<String> getAsHtmx(String path) throws IOException {
    return send(HttpRequest.newBuilder(at(path)).header("HX-Request", "true").GET());
  }

  /** Posts a form with the token of the page that was opened last, without following. */
  HttpResponse<String> post(String path, Map<String, String> fields) throws IOException {
    Map<String, String> all = new LinkedHashMap<>(fields);
    Matcher csrf = CSRF.matcher(page().body());
    if (csrf.find()) {
      all.put("_csrf", csrf.group(1));
    }
    return postWithoutToken(path, all);
  }

  HttpResponse<String> postWithoutToken(String path, Map<String, String> fields)
      throws IOException {
    String body =
        fields.entrySet().stream()
            .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
            .collect(Collectors.joining("&"));
    return send(
        HttpRequest.newBuilder(at(path))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Referer", page().uri().toString())
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  HttpResponse<String> follow(HttpResponse<String> answer) throws IOException {
    HttpResponse<String> page = answer;
    for (int i = 0; i < REDIRECTS && page.statusCode() / 100 == 3; i++) {
      page =
          get(page.uri().resolve(page.headers().firstValue("Location").orElseThrow()).toString());
    }
    return page;
  }

  private HttpResponse<String> page() {
    return Objects.requireNonNull(last, "no page was opened");
  }

  /** The value of a cookie; empty if there is none. */
  String cookie(String name) {
    return cookies.getCookieStore().getCookies().stream()
        .filter(cookie -> cookie.getName().equals(name))
        .map(HttpCookie::getValue)
        .findFirst()
        .orElse("");
  }

  /** Relative to the page that was opened last, as a browser takes it; the console at first. */
  private URI at(String path) {
    HttpResponse<String> from = last;
    return from == null || path.startsWith("http")
        ? URI.create(console).resolve(path)
        : from.uri().resolve(path);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
    try {
      HttpResponse<String> answer =
          http.send(
              request.header("Accept", "text/html").timeout(LIMIT).build(),
              HttpResponse.BodyHandlers.ofString());
      last = answer;
      return answer;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    http.close();
  }
}
