package io.solidus.platform.problem;

import java.io.IOException;
import java.io.Writer;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import tools.jackson.databind.json.JsonMapper;

/**
 * Problem documents for what the container itself refuses before any filter runs, such as an
 * address with an encoded slash or a zero byte; its own page would be HTML. The container makes it
 * by its name.
 */
public final class ProblemReportValve extends ErrorReportValve {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Override
  protected void report(Request request, Response response, Throwable failure) {
    int status = response.getStatus();
    if (status < 400
        || isOfTheProtocol(status)
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
      Writer out = response.getReporter();
      if (out != null) {
        out.write(JSON.writeValueAsString(problem));
        response.finishResponse();
      }
    } catch (IOException | IllegalStateException gone) {
      // nobody is left to be told
    }
  }

  /**
   * 501 and 505 answer what is no request of a version that is spoken here; they keep their status
   * and have no body.
   */
  private static boolean isOfTheProtocol(int status) {
    return status == 501 || status == 505;
  }
}
