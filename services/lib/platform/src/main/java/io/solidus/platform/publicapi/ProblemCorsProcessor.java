package io.solidus.platform.publicapi;

import io.solidus.platform.problem.Problem;
import io.solidus.platform.problem.ProblemResponses;
import io.solidus.protocol.RejectionCode;
import java.io.IOException;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.cors.DefaultCorsProcessor;
import tools.jackson.databind.json.JsonMapper;

/** Refuses origins without leave with a problem document. */
final class ProblemCorsProcessor extends DefaultCorsProcessor {
  private final JsonMapper json;

  ProblemCorsProcessor(JsonMapper json) {
    this.json = json;
  }

  @Override
  protected void rejectRequest(ServerHttpResponse response) throws IOException {
    response.setStatusCode(HttpStatus.FORBIDDEN);
    response.getHeaders().setContentType(MediaType.parseMediaType(Problem.MEDIA_TYPE));
    response
        .getBody()
        .write(
            json.writeValueAsBytes(
                Problem.of(
                    RejectionCode.FORBIDDEN,
                    "pages of this origin may not call this API",
                    ProblemResponses.traceId())));
    response.flush();
  }
}
