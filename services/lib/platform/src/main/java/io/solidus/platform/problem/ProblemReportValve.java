package io.solidus.platform.problem;

import java.io.IOException;
import java.io.Writer;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.springframework.http.HttpHeaders;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes problem documents for requests that the container refuses before any filter runs, such as
 * an address with an encoded slash or a zero byte. The container's own page is HTML. It creates
 * this class by its name.
 */
public final class ProblemReportValve extends ErrorReportValve {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Override
  protected void report(Request request, Response response, Throwable failure) {
    int status = response.getStatus();
    if (status < 400
        || isUnsupportedHttp(status)
        || response.getContentWritten() > 0
        || !response.setErrorReported()) {
      return;
    }
    Problem problem = ProblemAdvice.ofStatus(status).getBody();
    if (problem == null) {
      return;
    }
    try {
      response.setStatus(problem.status());
      response.setContentType(Problem.MEDIA_TYPE);
      if (ProblemResponses.asksToRetry(problem.status())) {
        response.setHeader(
            HttpHeaders.RETRY_AFTER, ProblemResponses.seconds(ProblemResponses.RETRY_AFTER));
      }
      Writer out = response.getReporter();
      if (out != null) {
        out.write(JSON.writeValueAsString(problem));
        response.finishResponse();
      }
    } catch (IOException | IllegalStateException e) {
      // the client has disconnected
    }
  }

  /**
   * Returns whether the request is of an HTTP version or method that the container does not know.
   * The answer keeps its status and has no body.
   */
  private static boolean isUnsupportedHttp(int status) {
    return status == 501 || status == 505;
  }
}
