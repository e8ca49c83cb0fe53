package io.solidus.dev.fuzz.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One operation of an API from its OpenAPI document.
 *
 * @param document the whole document, to resolve references
 * @param contentType of the body; null without a body
 * @param body schema of the body; null without a body
 * @param example of the body; missing without one
 */
record Route(
    String service,
    int port,
    String method,
    String path,
    List<Parameter> parameters,
    @Nullable String contentType,
    @Nullable JsonNode body,
    JsonNode example,
    JsonNode document) {

  /**
   * A parameter.
   *
   * @param in path, query, header or cookie
   * @param example missing without one
   */
  record Parameter(String name, String in, boolean required, JsonNode schema, JsonNode example) {}

  /** All operations of a document, without streams of events, which do not end with a request. */
  static List<Route> of(String service, int port, int adminPort, JsonNode document) {
    List<Route> routes = new ArrayList<>();
    document
        .path("paths")
        .properties()
        .forEach(path ->
            path.getValue().properties().stream()
                .filter(operation -> !isStream(operation.getValue()))
                .forEach(operation ->
                    routes.add(
                        route(
                            service,
                            isAdmin(path.getKey()) ? adminPort : port,
                            path.getKey(),
                            operation.getKey(),
                            operation.getValue(),
                            document))));
    return routes;
  }

  private static boolean isStream(JsonNode operation) {
    return operation.path("responses").path("200").path("content").has("text/event-stream");
  }

  private static Route route(
      String service, int port, String path, String method, JsonNode operation, JsonNode document) {
    List<Parameter> parameters = new ArrayList<>();
    for (JsonNode p : operation.path("parameters")) {
      parameters.add(
          new Parameter(
              p.path("name").asString(),
              p.path("in").asString(),
              p.path("required").asBoolean(false),
              p.path("schema"),
              p.path("example")));
    }
    for (JsonNode requirement : operation.path("security")) {
      for (String name : requirement.propertyNames()) {
        JsonNode scheme = document.path("components").path("securitySchemes").path(name);
        if (scheme.path("in").asString("").equals("header")) {
          parameters.add(
              new Parameter(
                  scheme.path("name").asString(),
                  "header",
                  false,
                  scheme.path("no schema"),
                  scheme.path("no example")));
        }
      }
    }
    String contentType = null;
    JsonNode body = null;
    JsonNode example = operation.path("no example");
    for (var content : operation.path("requestBody").path("content").properties()) {
      contentType = content.getKey();
      body = content.getValue().path("schema");
      example = content.getValue().path("example");
    }
    return new Route(
        service,
        port,
        method.toUpperCase(Locale.ROOT),
        path,
        parameters,
        contentType,
        body,
        example,
        document);
  }

  boolean isAdmin() {
    return isAdmin(path);
  }

  private static boolean isAdmin(String path) {
    return path.startsWith("/admin");
  }

  String name() {
    return service + " " + method + " " + path;
  }

  /** Resolves the reference of a schema. */
  JsonNode resolve(JsonNode schema) {
    JsonNode at = schema;
    for (int hops = 0; hops < 10 && at.path("$ref").isString(); hops++) {
      at = document.at(at.path("$ref").asString().substring(1));
    }
    return at;
  }
}
