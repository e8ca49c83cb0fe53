package io.solidus.loadtest.gatling;

import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.responseTimeInMillis;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * Calls routes, and records their latency and the code of a refusal's problem document (RFC 9457).
 */
final class RouteCall {
  static final String PHASE = "phase";

  private static final String STATUS = "status";
  private static final String MILLIS = "millis";
  private static final String ANSWER = "answer";
  private static final String TAG = "etag";
  private static final String RETRY_AFTER = "retryAfter";
  private static final Set<Integer> FINE = Set.of(200, 201, 304);
  private static final int LONGEST_WAIT_SECONDS = 10;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Measurements measured;

  RouteCall(Measurements measured) {
    this.measured = measured;
  }

  ChainBuilder call(String route, HttpRequestActionBuilder request) {
    return call(
        route, request, FINE.stream().mapToInt(Integer::intValue).boxed().toArray(Integer[]::new));
  }

  /** A call with the statuses that are not a refusal. */
  ChainBuilder call(String route, HttpRequestActionBuilder request, Integer... expected) {
    return exec(session ->
            session.removeAll(STATUS, MILLIS, ANSWER, TAG, RETRY_AFTER).markAsSucceeded())
        .exec(
            request.check(
                status().saveAs(STATUS),
                responseTimeInMillis().saveAs(MILLIS),
                header("ETag").optional().saveAs(TAG),
                header("Retry-After").optional().saveAs(RETRY_AFTER),
                bodyString().saveAs(ANSWER),
                status().in(expected)))
        .exec(session -> heard(route, session, Set.of(expected)));
  }

  private Session heard(String route, Session session, Set<Integer> expected) {
    String phase = session.getString(PHASE);
    if (!session.contains(STATUS)) {
      measured.refused(phase, "unreachable");
    } else {
      measured.answered(phase, route, session.getInt(MILLIS));
      if (!expected.contains(session.getInt(STATUS))) {
        measured.refused(phase, code(session));
      }
    }
    return session.markAsSucceeded();
  }

  private static String code(Session session) {
    JsonNode code = json(session).path("code");
    if (code.isString()) {
      return code.asString();
    }
    return session.getInt(STATUS) >= 500 ? "unavailable" : "wrong-answer";
  }

  /** Counts an answer with the right status and wrong content. */
  void wrongAnswer(Session session) {
    measured.refused(session.getString(PHASE), "wrong-answer");
  }

  static int statusOf(Session session) {
    return session.contains(STATUS) ? session.getInt(STATUS) : 0;
  }

  static boolean fine(Session session) {
    return FINE.contains(statusOf(session));
  }

  /** The last answer's body; a missing node if it is not JSON. */
  static JsonNode json(Session session) {
    try {
      JsonNode node = session.contains(ANSWER) ? JSON.readTree(session.getString(ANSWER)) : null;
      return node == null ? MissingNode.getInstance() : node;
    } catch (JacksonException e) {
      return MissingNode.getInstance();
    }
  }

  static String text(Session session) {
    return session.contains(ANSWER) ? session.getString(ANSWER) : "";
  }

  /** The last answer's entity tag; empty without one. */
  static String tag(Session session) {
    return session.contains(TAG) ? session.getString(TAG) : "";
  }

  /** Seconds to wait before the same request is sent again; 0 if it must not be repeated. */
  static int retryAfter(Session session) {
    int status = statusOf(session);
    if (status != 429 && status != 503) {
      return 0;
    }
    try {
      int seconds =
          session.contains(RETRY_AFTER) ? Integer.parseInt(session.getString(RETRY_AFTER)) : 1;
      return Math.clamp(seconds, 1, LONGEST_WAIT_SECONDS);
    } catch (NumberFormatException e) {
      return 1;
    }
  }
}
