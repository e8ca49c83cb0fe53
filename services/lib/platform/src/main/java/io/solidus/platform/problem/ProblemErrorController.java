package io.solidus.platform.problem;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers requests that no endpoint answered; the container forwards them here. */
@RestController
public class ProblemErrorController implements ErrorController {
  private static final int NOT_FOUND = 404;

  @RequestMapping("/error")
  ResponseEntity<Problem> error(HttpServletRequest request) {
    Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    return ProblemAdvice.ofStatus(status instanceof Integer code ? code : NOT_FOUND);
  }
}
