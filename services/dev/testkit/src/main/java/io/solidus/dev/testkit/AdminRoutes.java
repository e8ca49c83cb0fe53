package io.solidus.dev.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.platform.security.Roles;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Attacks every admin route that a service describes with tokens that must not open it. A route
 * that the description has and the test does not know fails it, and so does the reverse.
 */
public final class AdminRoutes {
  private final Map<String, Call> calls = new LinkedHashMap<>();

  /**
   * A call that is refused for nothing but its token.
   *
   * @param path with values in place of variables
   * @param body empty for none
   * @param roles that may call it; of a GET also the auditor
   */
  record Call(String path, String body, Set<String> roles) {}

  /**
   * What the description says of an operation.
   *
   * @param bodyType content type of its body; empty for none
   */
  record Described(String bodyType, Set<String> roles) {}

  /**
   * Adds a route.
   *
   * @param route as in the description: {@code GET /admin/v1/mints/{mintId}}
   * @param path of a call, with values in place of variables
   * @param body of the right form, because another one is refused before the role is checked; null
   *     for none
   */
  public AdminRoutes with(String route, String path, @Nullable String body, String... roles) {
    Set<String> allowed = new HashSet<>(Set.of(roles));
    if (route.startsWith("GET ")) {
      allowed.add(Roles.AUDITOR);
    }
    calls.put(route, new Call(path, body == null ? "" : body, allowed));
    return this;
  }

  /** Adds a route without variables, whose body, if it has one, may be empty. */
  public AdminRoutes plain(String route, String... roles) {
    String body = route.startsWith("POST ") ? "{}" : null;
    return with(route, route.substring(route.indexOf(' ') + 1), body, roles);
  }

  /** The calls by route. */
  Map<String, Call> calls() {
    return calls;
  }

  /** Attacks every route. */
  public void attack(RestProbe rest, TestTokens tokens) {
    Map<String, Described> described = describedRoutes(rest);
    assertThat(described.keySet())
        .as("admin routes of the description, and those that this test knows how to call")
        .containsExactlyInAnyOrderElementsOf(calls.keySet());
    calls.forEach((route, call) -> {
      Described operation = Objects.requireNonNull(described.get(route));
      assertThat(operation.roles())
          .as(route + ": x-roles of the description")
          .isEqualTo(call.roles());
      String[] roles = call.roles().toArray(String[]::new);
      bad(tokens, roles)
          .forEach((kind, token) -> {
            Answer answer = send(rest, route, call, operation.bodyType(), token);
            assertThat(answer.status()).as(route + " with " + kind).isEqualTo(401);
            assertThat(answer.code()).as(route + " with " + kind).isEqualTo("unauthorized");
          });
      wrong(call.roles())
          .forEach(held -> {
            String token = tokens.token("nobody", held.toArray(String[]::new));
            Answer answer = send(rest, route, call, operation.bodyType(), token);
            assertThat(answer.status()).as(route + " as " + held).isEqualTo(403);
            assertThat(answer.code()).as(route + " as " + held).isEqualTo("forbidden");
          });
      for (String role : roles) {
        Answer answer = send(rest, route, call, operation.bodyType(), tokens.token("nobody", role));
        assertThat(answer.status()).as(route + " as " + role).isNotIn(401, 403, 500);
      }
    });
  }

  /** Every admin operation of the description, whose security it checks. */
  static Map<String, Described> describedRoutes(RestProbe rest) {
    JsonNode document = rest.get("/v3/api-docs").json();
    assertThat(document.at("/info/title").asString("")).startsWith("Solidus ");
    assertThat(document.at("/components/securitySchemes/bearer/scheme").asString(""))
        .isEqualTo("bearer");
    Map<String, Described> routes = new TreeMap<>();
    document
        .path("paths")
        .properties()
        .forEach(path ->
            path.getValue()
                .properties()
                .forEach(operation -> {
                  String route = operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey();
                  boolean admin = path.getKey().startsWith("/admin");
                  String security = operation.getValue().path("security").toString();
                  if (admin) {
                    assertThat(security).as(route).isEqualTo("[{\"bearer\":[]}]");
                    routes.put(
                        route,
                        new Described(
                            operation.getValue().at("/requestBody/content").propertyNames().stream()
                                .findFirst()
                                .orElse(""),
                            operation
                                .getValue()
                                .path("x-roles")
                                .valueStream()
                                .map(role -> role.asString())
                                .collect(Collectors.toSet())));
                  } else {
                    assertThat(security).as(route).doesNotContain("bearer");
                  }
                }));
    return routes;
  }

  private static Map<String, @Nullable String> bad(TestTokens tokens, String... roles) {
    Map<String, @Nullable String> bad = new LinkedHashMap<>();
    bad.put("no token", null);
    bad.put("nonsense", "nonsense");
    bad.put("an expired token", tokens.expired("nobody", roles));
    bad.put("a token without end", tokens.withoutExpiry("nobody", roles));
    bad.put("an unsigned token", tokens.unsigned("nobody", roles));
    bad.put("an ID token", tokens.idToken("nobody", roles));
    bad.put("a token of another type", tokens.ofType("JWT", "nobody", roles));
    bad.put("a token for another audience", tokens.forOtherAudience("nobody", roles));
    bad.put("a token of another issuer", TestTokens.create().token("nobody", roles));
    return bad;
  }

  /** Sets of roles that open a route to nobody. */
  private static List<Set<String>> wrong(Set<String> allowed) {
    Stream<Set<String>> single =
        Stream.concat(Stream.of("admin", "ROLE_approver"), Roles.all().stream())
            .filter(role -> !allowed.contains(role) && !opens(role, allowed))
            .map(Set::of);
    // these two count alone, whatever else a token has
    Stream<Set<String>> alone =
        Stream.of(Roles.SERVICE, Roles.AUDITOR)
            .filter(role -> !allowed.contains(role))
            .map(role -> {
              Set<String> all = new HashSet<>(Roles.all());
              all.removeIf(other ->
                  !other.equals(role) && Set.of(Roles.SERVICE, Roles.AUDITOR).contains(other));
              return all;
            });
    return Stream.concat(Stream.of(Set.<String>of()), Stream.concat(single, alone)).toList();
  }

  /** The role approver has every approver's role. */
  private static boolean opens(String role, Set<String> allowed) {
    return role.equals(Roles.APPROVER) && allowed.stream().anyMatch(Roles.approvers()::contains);
  }

  static Answer send(RestProbe rest, String route, Call call, String type, @Nullable String token) {
    BodyPublisher body =
        call.body().isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(call.body());
    List<String> headers = new ArrayList<>();
    if (token != null) {
      headers.addAll(List.of("Authorization", "Bearer " + token));
    }
    if (!type.isEmpty()) {
      headers.addAll(List.of("Content-Type", type));
    }
    return rest.exchange(
        route.substring(0, route.indexOf(' ')), call.path(), body, headers.toArray(String[]::new));
  }
}
