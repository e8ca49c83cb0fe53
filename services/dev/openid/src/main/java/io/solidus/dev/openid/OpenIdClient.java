package io.solidus.dev.openid;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Gets tokens as people's programs and services do: by the authorization code flow with a proof key
 * and the login page, or by client credentials.
 */
public final class OpenIdClient {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Pattern CSRF = Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"");

  private final String issuer;
  private final String client;

  /**
   * @param client the client id of the program by which people log in
   */
  public OpenIdClient(String issuer, String client) {
    this.issuer = issuer;
    this.client = client;
  }

  /** What a login gives. */
  public record Tokens(String access, String id) {}

  /**
   * Logs a person in.
   *
   * @param nonce bound into the ID token; empty for none
   * @throws IOException also when the password is wrong
   */
  public Tokens login(String name, String password, String nonce) throws IOException {
    try (HttpClient http =
        HttpClient.newBuilder().connectTimeout(LIMIT).cookieHandler(new CookieManager()).build()) {
      String verifier = random();
      String authorize =
          "/oauth2/authorize?response_type=code&scope=openid&code_challenge_method=S256&client_id="
              + encode(client)
              + "&redirect_uri="
              + encode(OpenIdConfiguration.REDIRECT)
              + "&code_challenge="
              + challenge(verifier)
              + (nonce.isEmpty() ? "" : "&nonce=" + encode(nonce));
      Matcher csrf = CSRF.matcher(send(http, get("/login")).body());
      if (!csrf.find()) {
        throw new IOException("the provider has no login page");
      }
      send(
          http,
          form("/login", Map.of("username", name, "password", password, "_csrf", csrf.group(1))));
      HttpRequest.Builder request = get(authorize);
      String location = send(http, request).headers().firstValue("Location").orElse("");
      Matcher code = Pattern.compile("[?&]code=([^&]+)").matcher(location);
      if (!code.find()) {
        throw new IOException(name + " cannot log in");
      }
      JsonNode tokens =
          token(
              http,
              form(
                  "/oauth2/token",
                  Map.of(
                      "grant_type",
                      "authorization_code",
                      "client_id",
                      client,
                      "code",
                      URLDecoder.decode(code.group(1), StandardCharsets.UTF_8),
                      "redirect_uri",
                      OpenIdConfiguration.REDIRECT,
                      "code_verifier",
                      verifier)));
      return new Tokens(
          tokens.path("access_token").asString(""), tokens.path("id_token").asString(""));
    }
  }

  /** Gets a service's access token by its client credentials. */
  public String clientCredentials(String id, String secret) throws IOException {
    try (HttpClient http = HttpClient.newBuilder().connectTimeout(LIMIT).build()) {
      String basic =
          Base64.getEncoder()
              .encodeToString((encode(id) + ":" + encode(secret)).getBytes(StandardCharsets.UTF_8));
      return token(
              http,
              form("/oauth2/token", Map.of("grant_type", "client_credentials"))
                  .header("Authorization", "Basic " + basic))
          .path("access_token")
          .asString("");
    }
  }

  private HttpRequest.Builder get(String path) {
    return HttpRequest.newBuilder(URI.create(issuer + path)).header("Accept", "text/html");
  }

  private HttpRequest.Builder form(String path, Map<String, String> fields) {
    String body =
        fields.entrySet().stream()
            .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
            .collect(Collectors.joining("&"));
    return HttpRequest.newBuilder(URI.create(issuer + path))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString(body));
  }

  private static JsonNode token(HttpClient http, HttpRequest.Builder request) throws IOException {
    HttpResponse<String> answer = send(http, request);
    if (answer.statusCode() != 200) {
      throw new IOException("the provider refused a token with status " + answer.statusCode());
    }
    return JsonMapper.shared().readTree(answer.body());
  }

  private static HttpResponse<String> send(HttpClient http, HttpRequest.Builder request)
      throws IOException {
    try {
      return http.send(request.timeout(LIMIT).build(), HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static String random() {
    byte[] bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String challenge(String verifier) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
