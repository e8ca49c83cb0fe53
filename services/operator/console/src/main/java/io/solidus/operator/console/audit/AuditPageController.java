package io.solidus.operator.console.audit;

import io.solidus.operator.console.api.Api;
import io.solidus.operator.console.api.ApiProblem;
import io.solidus.operator.console.api.Apis;
import io.solidus.operator.console.frame.ConsolePage;
import io.solidus.operator.console.frame.NavEntry;
import io.solidus.operator.console.login.LoginNeededException;
import io.solidus.platform.security.Roles;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The events of each service, as its auditors' API gives them. */
@Controller
class AuditPageController implements ConsolePage {
  private static final Map<String, Function<Apis, Api>> SERVICES =
      Map.of(
          "registration", Apis::registration,
          "sanctions", Apis::sanctions,
          "issuance", Apis::issuance);
  private static final int NOT_FOUND = 404;
  private static final List<String> NAMES = List.of("registration", "sanctions", "issuance");

  private final Apis apis;

  AuditPageController(Apis apis) {
    this.apis = apis;
  }

  /** Events, the newest first. */
  record Page(List<Event> events, long next) {}

  /** What somebody did or looked at. */
  record Event(
      @Nullable Long position, Instant at, String actor, String kind, @Nullable String object) {}

  @Override
  public List<NavEntry> navigation() {
    return List.of(
        new NavEntry("Control", 910, "Audit log", "/audit", Set.of(Roles.AUDITOR)).forCentre());
  }

  @GetMapping("/audit")
  String events(
      @RequestParam(defaultValue = "registration") String service,
      @RequestParam(defaultValue = "") String actor,
      @RequestParam(defaultValue = "") String kind,
      @RequestParam(defaultValue = "") String object,
      @RequestParam(defaultValue = "") String from,
      @RequestParam(defaultValue = "") String to,
      @RequestParam(defaultValue = "0") long cursor,
      Model model) {
    String known = SERVICES.containsKey(service) ? service : "registration";
    String query = query(actor, kind, object, from, to);
    model.addAttribute("services", NAMES);
    model.addAttribute("service", known);
    model.addAttribute("actor", actor);
    model.addAttribute("kind", kind);
    model.addAttribute("object", object);
    model.addAttribute("from", from);
    model.addAttribute("to", to);
    model.addAttribute("page", read(known, path(known) + "?limit=100&cursor=" + cursor + query));
    return "audit";
  }

  /**
   * The same events as a file; the service makes CSV safe against formulas. The service gives it in
   * parts. When one of them does not come, the connection is cut, so that the browser reports a
   * failed download instead of keeping a file that looks whole.
   */
  @GetMapping("/audit/download")
  void download(
      @RequestParam(defaultValue = "registration") String service,
      @RequestParam(defaultValue = "csv") String format,
      @RequestParam(defaultValue = "") String actor,
      @RequestParam(defaultValue = "") String kind,
      @RequestParam(defaultValue = "") String object,
      @RequestParam(defaultValue = "") String from,
      @RequestParam(defaultValue = "") String to,
      HttpServletResponse response)
      throws IOException {
    String known = SERVICES.containsKey(service) ? service : "registration";
    String form = format.equals("jsonl") ? "jsonl" : "csv";
    String path = path(known) + "/download?format=" + form + query(actor, kind, object, from, to);
    Api log = api(known);
    Api.Part part = log.part(path, 0);
    response.setContentType(MediaType.APPLICATION_OCTET_STREAM_VALUE);
    response.setHeader(
        HttpHeaders.CONTENT_DISPOSITION,
        ContentDisposition.attachment().filename("audit-" + known + "." + form).build().toString());
    OutputStream out = response.getOutputStream();
    out.write(part.body());
    while (part.next() > 0) {
      try {
        part = log.part(path, part.next());
      } catch (ApiProblem | LoginNeededException cut) {
        response.flushBuffer();
        throw new IOException("the audit log ended before its last part", cut);
      }
      int rows = form.equals("csv") ? afterFirstLine(part.body()) : 0;
      out.write(part.body(), rows, part.body().length - rows);
    }
  }

  /** Each part of a CSV file begins with the names of the columns. */
  private static int afterFirstLine(byte[] part) {
    int at = 0;
    while (at < part.length && part[at] != '\n') {
      at++;
    }
    return Math.min(at + 1, part.length);
  }

  /** Null for a service whose log cannot be searched. */
  private @Nullable Page read(String service, String path) {
    try {
      return api(service).get(path, Page.class);
    } catch (ApiProblem problem) {
      if (problem.status() == NOT_FOUND) {
        return null;
      }
      throw problem;
    }
  }

  private Api api(String service) {
    return SERVICES.getOrDefault(service, Apis::registration).apply(apis);
  }

  private static String path(String service) {
    return "/admin/v1/" + service + "/events";
  }

  private static String query(String actor, String kind, String object, String from, String to) {
    StringBuilder query = new StringBuilder();
    Map.of("actor", actor, "kind", kind, "object", object, "from", from, "to", to)
        .forEach((name, value) -> {
          if (!value.isBlank()) {
            query.append('&').append(name).append('=').append(Api.encode(value.strip()));
          }
        });
    return query.toString();
  }
}
