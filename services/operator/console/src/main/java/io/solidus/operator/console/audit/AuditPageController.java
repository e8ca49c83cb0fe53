package io.solidus.operator.console.audit;

import io.solidus.operator.console.api.Api;
import io.solidus.operator.console.api.ApiProblem;
import io.solidus.operator.console.api.Apis;
import io.solidus.operator.console.frame.ConsolePage;
import io.solidus.operator.console.frame.NavEntry;
import io.solidus.platform.security.Roles;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
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
    return List.of(new NavEntry("Control", 910, "Audit log", "/audit", Set.of(Roles.AUDITOR)));
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

  /** The same events as a file; the service makes CSV safe against formulas. */
  @GetMapping("/audit/download")
  ResponseEntity<byte[]> download(
      @RequestParam(defaultValue = "registration") String service,
      @RequestParam(defaultValue = "csv") String format,
      @RequestParam(defaultValue = "") String actor,
      @RequestParam(defaultValue = "") String kind,
      @RequestParam(defaultValue = "") String object,
      @RequestParam(defaultValue = "") String from,
      @RequestParam(defaultValue = "") String to) {
    String known = SERVICES.containsKey(service) ? service : "registration";
    String form = format.equals("jsonl") ? "jsonl" : "csv";
    byte[] file =
        api(known)
            .bytes(path(known) + "/download?format=" + form + query(actor, kind, object, from, to));
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_OCTET_STREAM)
        .header(
            HttpHeaders.CONTENT_DISPOSITION,
            ContentDisposition.attachment()
                .filename("audit-" + known + "." + form)
                .build()
                .toString())
        .body(file);
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
