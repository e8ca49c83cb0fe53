package io.solidus.operator.console.frame;

import io.solidus.operator.console.login.LoginFailure;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** Pages for what no controller answered, and those of a login that ended. */
@Controller
class ErrorPage implements ErrorController {

  @RequestMapping("/error")
  String error(HttpServletRequest request, Model model) {
    Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    LoginFailure login = LoginFailure.of(request);
    model.addAttribute(
        "problem",
        login == null
            ? notice(status instanceof Integer s ? s : 404)
            : new Notice(login.title(), "", login.next(), login.code(), null));
    return "problem";
  }

  @GetMapping("/logged-out")
  String loggedOut() {
    return "logged-out";
  }

  private static Notice notice(int status) {
    return switch (status) {
      case 403 ->
          new Notice(
              "This form is older than your login",
              "Nothing was sent.",
              "Open the page again. Your entries are filled in again, except files.",
              "form-expired",
              null);
      case 404 ->
          new Notice("There is no such page", "", "Use the navigation.", "page-not-found", null);
      case 413 ->
          new Notice(
              "The file is too large",
              "Nothing was sent.",
              "Choose a smaller file.",
              "file-too-large",
              null);
      default ->
          new Notice(
              status < 500 ? "The browser sent something unexpected" : "The console failed",
              "",
              "Go back and try again. If it fails again, tell your administrator.",
              "status-" + status,
              null);
    };
  }
}
