package io.solidus.dev.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.platform.security.Roles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Attacks every admin route that a service describes as the staff of another bank. A route that is
 * in none of the four kinds fails the test: one with variables, a list, one for the centre alone,
 * or one without any bank's object.
 */
public final class BankRoutes {
  private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");

  private final AdminRoutes routes;
  private final String first;
  private final String second;
  private final Map<String, Named> objects = new HashMap<>();
  private final Map<String, List<String>> lists = new HashMap<>();
  private final Set<String> central = new HashSet<>();
  private final Set<String> open = new HashSet<>();

  private record Named(String first, String second, String missing) {}

  /**
   * @param routes with a body for each
   * @param first a bank with objects
   * @param second a bank with objects, whose staff attack
   */
  public BankRoutes(AdminRoutes routes, String first, String second) {
    this.routes = routes;
    this.first = first;
    this.second = second;
  }

  /**
   * Objects that a variable of routes names.
   *
   * @param first of the first bank
   * @param second of the second one
   * @param missing an id that nothing has
   */
  public BankRoutes object(String variable, String first, String second, String missing) {
    objects.put(variable, new Named(first, second, missing));
    return this;
  }

  /** A list, with texts that the first bank's staff read in it, and the second one's must not. */
  public BankRoutes list(String route, String... texts) {
    lists.put(route, List.of(texts));
    return this;
  }

  /** A route for the centre's staff alone. */
  public BankRoutes central(String route) {
    central.add(route);
    return this;
  }

  /** A route that shows and changes no bank's objects. */
  public BankRoutes open(String route) {
    open.add(route);
    return this;
  }

  /** Attacks every route, then calls each as the owners of the objects. */
  public void attack(RestProbe rest, TestTokens tokens) {
    Map<String, AdminRoutes.Described> described = AdminRoutes.describedRoutes(rest);
    described.forEach((route, each) -> attack(rest, tokens, route, each.bodyType()));
    described.forEach((route, each) -> control(rest, tokens, route, each.bodyType()));
  }

  private void attack(RestProbe rest, TestTokens tokens, String route, String type) {
    List<String> variables = variables(route);
    if (open.contains(route)) {
      return;
    }
    if (central.contains(route)) {
      String token = token(tokens, second, route);
      Answer answer = AdminRoutes.send(rest, route, known(route), type, token);
      assertThat(answer.code()).as(route).isEqualTo("central-staff-only");
      assertThat(answer.status()).as(route).isEqualTo(403);
    } else if (variables.isEmpty()) {
      assertThat(lists).as("lists, or a kind of this new route").containsKey(route);
      Answer answer = call(rest, route, type, Map.of(), token(tokens, second, route));
      assertThat(answer.status()).as(route).isEqualTo(200);
      lists
          .getOrDefault(route, List.of())
          .forEach(text -> assertThat(answer.body()).as(route).doesNotContain(text));
    } else {
      assertThat(objects.keySet()).as("objects for " + route).containsAll(variables);
      JsonNode missing = missing(rest, tokens, route, type, variables);
      for (Map<String, String> values : stolen(variables)) {
        for (String token : tokens(tokens, route)) {
          Answer answer = call(rest, route, type, values, token);
          assertThat(answer.status()).as(route + " " + values).isEqualTo(404);
          assertThat(body(answer)).as(route + " " + values).isEqualTo(missing);
        }
      }
    }
  }

  /** What the same caller reads of objects that do not exist. */
  private JsonNode missing(
      RestProbe rest, TestTokens tokens, String route, String type, List<String> variables) {
    Map<String, String> values = new HashMap<>();
    variables.forEach(name -> values.put(name, named(name).missing()));
    return body(call(rest, route, type, values, token(tokens, second, route)));
  }

  /** All objects of the first bank, and one of it beside own ones. */
  private List<Map<String, String>> stolen(List<String> variables) {
    List<Map<String, String>> all = new ArrayList<>();
    Map<String, String> every = new HashMap<>();
    variables.forEach(name -> every.put(name, named(name).first()));
    all.add(every);
    for (String one : variables) {
      Map<String, String> values = new HashMap<>();
      variables.forEach(
          name -> values.put(name, name.equals(one) ? named(name).first() : named(name).second()));
      all.add(values);
    }
    return all;
  }

  private void control(RestProbe rest, TestTokens tokens, String route, String type) {
    if (central.contains(route) || open.contains(route)) {
      return;
    }
    Map<String, String> values = new HashMap<>();
    variables(route).forEach(name -> values.put(name, named(name).first()));
    Answer answer = call(rest, route, type, values, token(tokens, first, route));
    // other rules may still forbid it, but the door is open
    assertThat(answer.status()).as(route + " of the own bank").isNotIn(401, 500);
    assertThat(answer.body())
        .as(route + " of the own bank")
        .doesNotContain("central-staff-only")
        .doesNotContain("there is no such object");
    lists
        .getOrDefault(route, List.of())
        .forEach(text -> assertThat(answer.body()).as(route + " of the own bank").contains(text));
  }

  private Answer call(
      RestProbe rest, String route, String type, Map<String, String> values, String token) {
    AdminRoutes.Call known = known(route);
    String path =
        VARIABLE
            .matcher(route.substring(route.indexOf(' ') + 1))
            .replaceAll(found -> values.getOrDefault(found.group(1), ""));
    return AdminRoutes.send(
        rest, route, new AdminRoutes.Call(path, known.body(), known.roles()), type, token);
  }

  /** With every role that opens the route, and for reads also the auditor's. */
  private List<String> tokens(TestTokens tokens, String route) {
    String officer = token(tokens, second, route);
    return route.startsWith("GET ")
        ? List.of(officer, tokens.ofBank(second, "auditor-of-" + second, Roles.AUDITOR))
        : List.of(officer);
  }

  private String token(TestTokens tokens, String bank, String route) {
    Set<String> roles = new HashSet<>(known(route).roles());
    if (roles.size() > 1) {
      roles.remove(Roles.AUDITOR); // it would count alone
    }
    return tokens.ofBank(bank, "officer-of-" + bank, roles.toArray(String[]::new));
  }

  private AdminRoutes.Call known(String route) {
    return Objects.requireNonNull(routes.calls().get(route), route);
  }

  private Named named(String variable) {
    return Objects.requireNonNull(objects.get(variable), variable);
  }

  private static JsonNode body(Answer answer) {
    JsonNode body = answer.json();
    return body instanceof ObjectNode object ? object.without("traceId") : body;
  }

  private static List<String> variables(String route) {
    return VARIABLE.matcher(route).results().map((MatchResult found) -> found.group(1)).toList();
  }
}
