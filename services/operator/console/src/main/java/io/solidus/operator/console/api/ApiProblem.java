package io.solidus.operator.console.api;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A service refused a call, or did not answer. */
public final class ApiProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final String service;
  private final int status;
  private final String code;
  private final String detail;
  private final @Nullable String traceId;

  private ApiProblem(
      String service, int status, String code, String detail, @Nullable String traceId) {
    super(service + ": " + status + " " + code);
    this.service = service;
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.traceId = traceId;
  }

  /** Reads a problem document (RFC 9457); another body says nothing. */
  static ApiProblem of(String service, int status, byte[] body) {
    try {
      JsonNode problem = JSON.readTree(body);
      return new ApiProblem(
          service,
          status,
          problem.path("code").asString("status-" + status),
          problem.path("detail").asString(""),
          problem.path("traceId").isString() ? problem.path("traceId").asString() : null);
    } catch (JacksonException noProblem) {
      return new ApiProblem(service, status, "status-" + status, "", null);
    }
  }

  /** There was no whole answer, so nobody knows whether the call had an effect. */
  static ApiProblem noAnswer(String service) {
    return new ApiProblem(service, 503, "no-answer", "", null);
  }

  /** The service's name in words. */
  public String service() {
    return service;
  }

  public int status() {
    return status;
  }

  /** Stable, kebab case. */
  public String code() {
    return code;
  }

  /** A sentence of the service; empty if it gave none. */
  public String detail() {
    return detail;
  }

  /** Finds the call in the service's log. */
  public @Nullable String traceId() {
    return traceId;
  }
}
