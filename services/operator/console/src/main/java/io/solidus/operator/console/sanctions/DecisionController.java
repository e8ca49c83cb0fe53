package io.solidus.operator.console.sanctions;

import io.solidus.operator.console.api.Api;
import io.solidus.operator.console.api.ApiProblem;
import io.solidus.operator.console.api.Apis;
import io.solidus.operator.console.frame.ConsolePage;
import io.solidus.operator.console.frame.Forms;
import io.solidus.operator.console.frame.NavEntry;
import io.solidus.operator.console.frame.WaitingCounts;
import io.solidus.operator.console.frame.WorkQueue;
import io.solidus.platform.security.Roles;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import tools.jackson.databind.JsonNode;

/** What somebody proposed about lists, addresses and policies, and a second person decides. */
@Controller
class DecisionController implements ConsolePage {
  private static final String APPROVALS = "/admin/v1/approvals";
  private static final Set<String> ROLES =
      Set.of(
          Roles.LIST_APPROVER,
          Roles.RULES_APPROVER,
          Roles.SANCTIONS_OPERATOR,
          Roles.POLICY_OPERATOR);
  private static final int NOT_FOUND = 404;
  private static final Set<String> STATES = Set.of("pending", "approved", "refused");

  private final Apis apis;
  private final Clock clock;

  DecisionController(Apis apis, Clock clock) {
    this.apis = apis;
    this.clock = clock;
  }

  /** A page of proposals. */
  record Page(List<Proposal> proposals, long next) {}

  /** A page of policies, the newest first. */
  record Policies(List<Policy> policies) {}

  /** A page of what an import changes. */
  record Delta(List<Change> changes, @Nullable String next) {}

  /** An entry that an import adds, removes or changes. */
  record Change(String reference, String change, List<Entry> before, List<Entry> after) {}

  /** Which customers an import would hit. */
  record Customers(long screened, long hit, List<String> cases, Instant foundAt) {}

  /** An entry of a list. */
  record Entry(
      String kind,
      List<String> names,
      List<String> weakNames,
      List<Years> birthYears,
      @Nullable Details details) {

    /** The entry in one line, so that a change can be seen. */
    public String line() {
      StringBuilder line = new StringBuilder(String.join("; ", names));
      if (!weakNames.isEmpty()) {
        line.append("; weak: ").append(String.join("; ", weakNames));
      }
      birthYears.forEach(years ->
          line.append("; born ")
              .append(years.from())
              .append(years.from() == years.to() ? "" : "–" + years.to()));
      if (details != null) {
        details.birthDates().forEach(date -> line.append("; born ").append(date));
        details.documents().forEach(number -> line.append("; document ").append(number));
        details.nationalities().forEach(country -> line.append("; ").append(country));
        line.append(details.gender().isEmpty() ? "" : "; " + details.gender());
      }
      return line.toString();
    }
  }

  /** Years of birth. */
  record Years(int from, int to) {}

  /** What a list says besides names. */
  record Details(
      List<String> birthDates, List<String> documents, List<String> nationalities, String gender) {}

  @Override
  public List<NavEntry> navigation() {
    return List.of(new NavEntry("Rules", 200, "Decisions", "/decisions", ROLES).forCentre());
  }

  @Override
  public List<WorkQueue> queues() {
    return List.of(
        queue("Lists and addresses to decide", 200, Roles.LIST_APPROVER),
        queue("Policies to decide", 210, Roles.RULES_APPROVER));
  }

  private static WorkQueue queue(String title, int order, String role) {
    return new WorkQueue(
            title,
            order,
            "/decisions",
            Set.of(role),
            apis ->
                WaitingCounts.reader(
                    apis.sanctions(),
                    APPROVALS + "/queues",
                    kind -> Proposal.roles(kind).contains(role)))
        .forCentre();
  }

  @GetMapping("/decisions")
  String list(
      @RequestParam(defaultValue = "pending") String state,
      @RequestParam(defaultValue = "0") long cursor,
      Model model) {
    String known = STATES.contains(state) ? state : "pending";
    model.addAttribute("state", known);
    model.addAttribute(
        "page",
        apis.sanctions().get(APPROVALS + "?state=" + known + "&cursor=" + cursor, Page.class));
    return "decisions";
  }

  @GetMapping("/decisions/{id}")
  String one(@PathVariable UUID id, @RequestParam(defaultValue = "") String cursor, Model model) {
    Api sanctions = apis.sanctions();
    Proposal proposal = sanctions.get(APPROVALS + "/" + id, Proposal.class);
    model.addAttribute("proposal", proposal);
    if (proposal.kind().equals("list-import")) {
      model.addAttribute("delta", delta(sanctions, proposal, cursor));
      model.addAttribute("customers", customers(sanctions, proposal));
    }
    if (proposal.kind().equals("policy")) {
      List<Policy> policies = sanctions.get("/admin/v1/policies", Policies.class).policies();
      model.addAttribute(
          "differences",
          Policy.against(Policy.inForce(policies, clock.instant()), proposal.payload()));
    }
    return "decision";
  }

  /** Null until the registration has compared its customers with the file. */
  private static @Nullable Customers customers(Api sanctions, Proposal proposal) {
    try {
      return sanctions.get(
          "/admin/v1/sanctions/imports/" + proposal.id() + "/customers", Customers.class);
    } catch (ApiProblem problem) {
      if (problem.status() == NOT_FOUND) {
        return null;
      }
      throw problem;
    }
  }

  private static Delta delta(Api sanctions, Proposal proposal, String cursor) {
    return sanctions.get(
        "/admin/v1/sanctions/lists/"
            + Api.encode(proposal.text("list"))
            + "/imports/"
            + proposal.id()
            + "/delta?cursor="
            + Api.encode(cursor),
        Delta.class);
  }

  @PostMapping("/decisions/{id}/approve")
  String approve(
      @PathVariable UUID id,
      @RequestParam(defaultValue = "") String confirmation,
      RedirectAttributes next) {
    Map<String, Object> body = new HashMap<>();
    if (!confirmation.isBlank()) {
      body.put("confirmation", confirmation.strip());
    }
    return Forms.send(
        next,
        "approve",
        "/decisions/" + id,
        "The proposal is accepted.",
        () -> apis.sanctions().post(APPROVALS + "/" + id, body));
  }

  @PostMapping("/decisions/{id}/refuse")
  String refuse(
      @PathVariable UUID id,
      @RequestParam(defaultValue = "") String reason,
      RedirectAttributes next) {
    return Forms.send(
        next,
        "refuse",
        "/decisions/" + id,
        "The proposal is refused.",
        () -> apis.sanctions().post(APPROVALS + "/" + id + "/refusal", Map.of("reason", reason)));
  }

  /** The page of a proposal that was just made. */
  static String path(JsonNode proposal) {
    return "/decisions/" + UUID.fromString(proposal.path("id").asString());
  }
}
