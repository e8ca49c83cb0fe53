package io.solidus.operator.console.frame;

import io.solidus.operator.console.api.ApiProblem;
import io.solidus.operator.console.login.LoginNeededException;
import io.solidus.operator.console.login.ReturnPath;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.ui.ExtendedModelMap;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.servlet.ModelAndView;

/** Shows what a page did not foresee: a problem of a service, or an ended login. */
@ControllerAdvice
class Problems {
  private static final int SESSION_SECONDS = 600;
  private static final int UNAVAILABLE = 503;
  private static final String RETRY_SECONDS = "30";

  private final Frame frame;

  Problems(Frame frame) {
    this.frame = frame;
  }

  @ExceptionHandler
  ModelAndView problem(
      ApiProblem problem, HttpServletRequest request, HttpServletResponse response) {
    ModelAndView page = new ModelAndView("problem");
    ExtendedModelMap model = new ExtendedModelMap();
    frame.frame(request, model);
    page.addAllObjects(model);
    page.addObject("problem", Notice.of(problem));
    page.setStatus(HttpStatusCode.valueOf(problem.status()));
    if (problem.status() == UNAVAILABLE) {
      response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
    }
    return page;
  }

  @ExceptionHandler
  void login(LoginNeededException ended, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    ReturnPath.toLogin(request, response, SESSION_SECONDS);
  }
}
