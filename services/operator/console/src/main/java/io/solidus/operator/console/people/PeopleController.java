package io.solidus.operator.console.people;

import io.solidus.operator.console.api.Api;
import io.solidus.operator.console.api.Apis;
import io.solidus.operator.console.frame.ConsolePage;
import io.solidus.operator.console.frame.NavEntry;
import io.solidus.operator.console.frame.WaitingCounts;
import io.solidus.operator.console.frame.WorkQueue;
import io.solidus.platform.security.Roles;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The queues of cases. */
@Controller
class PeopleController implements ConsolePage {
  private static final Set<String> ROLES = Set.of(Roles.KYC_OPERATOR);
  private static final String CASES = "/admin/v1/kyc/cases";
  private static final String NEWEST = "newest";
  private static final String ALERTS = "/admin/v1/kyc/alerts";
  private static final int PAGE = 50;

  /** The states in words, in the order of the work. */
  private static final Map<String, String> STATES = new LinkedHashMap<>();

  static {
    STATES.put("review", "Matches to review");
    STATES.put("possible-duplicate", "Possible duplicate");
    STATES.put("pending", "Ready to decide");
    STATES.put("pending-screening", "Waits for screening");
    STATES.put("approved", "Approved");
    STATES.put("refused", "Refused");
  }

  private final Apis apis;

  PeopleController(Apis apis) {
    this.apis = apis;
  }

  /** A page of cases. */
  record Page(List<Summary> cases, @Nullable String next) {}

  /** A case in the queue. */
  record Summary(
      String caseId,
      String status,
      @Nullable String bank,
      @Nullable String kind,
      @Nullable String name,
      @Nullable String givenName,
      @Nullable String familyName,
      int matches,
      Instant createdAt,
      @Nullable String decidedBy)
      implements ListedName {

    @Override
    public String toString() {
      return "Summary[" + caseId + "]";
    }
  }

  /** A page of registered persons whom a newer list matches. */
  record Alerts(List<Alert> alerts, @Nullable String next) {}

  /** A registered person with open matches. */
  record Alert(
      String caseId,
      @Nullable String kind,
      @Nullable String name,
      @Nullable String givenName,
      @Nullable String familyName,
      int openMatches)
      implements ListedName {

    @Override
    public String toString() {
      return "Alert[" + caseId + "]";
    }
  }

  /** A state in words. */
  static String words(String status) {
    return STATES.getOrDefault(status, status);
  }

  @Override
  public List<NavEntry> navigation() {
    return List.of(
        new NavEntry("People", 100, "Cases", "/people", ROLES),
        new NavEntry("People", 110, "Listed customers", "/people/alerts", ROLES));
  }

  @Override
  public List<WorkQueue> queues() {
    return List.of(
        queue("Cases with matches to review", 100, "review"),
        queue("Possible duplicates", 110, "possible-duplicate"),
        queue("Cases ready to decide", 120, "pending"),
        queue("Customers whom a newer list matches", 90, "alert"),
        confirming("Matches to confirm", 130, "/people/confirmations", "confirmation"),
        confirming("Steps to accept", 140, "/people/steps", "step"));
  }

  private static WorkQueue queue(String title, int order, String status) {
    String path = status.equals("alert") ? "/people/alerts" : "/people?status=" + status;
    return new WorkQueue(title, order, path, ROLES, apis -> state(apis.registration(), status));
  }

  private static WorkQueue confirming(String title, int order, String path, String status) {
    return new WorkQueue(
        title,
        order,
        path,
        Set.of(Roles.PEOPLE_APPROVER),
        apis -> state(apis.registration(), status));
  }

  private static Supplier<WorkQueue.State> state(Api registration, String status) {
    return WaitingCounts.reader(registration, "/admin/v1/kyc/queues", status::equals);
  }

  @GetMapping("/people")
  String cases(
      @RequestParam(defaultValue = "review") String status,
      @RequestParam(defaultValue = "oldest") String sort,
      @RequestParam(required = false) @Nullable String cursor,
      Model model) {
    String state = STATES.containsKey(status) ? status : "review";
    String order = sort.equals(NEWEST) ? NEWEST : "oldest";
    String path = CASES + "?limit=" + PAGE + "&status=" + state + "&sort=" + order;
    Page page =
        apis.registration()
            .get(cursor == null ? path : path + "&cursor=" + Api.encode(cursor), Page.class);
    model.addAttribute("states", STATES);
    model.addAttribute("status", state);
    model.addAttribute("sort", order);
    model.addAttribute("page", page);
    return "people";
  }

  @GetMapping("/people/alerts")
  String alerts(@RequestParam(required = false) @Nullable String after, Model model) {
    String path = ALERTS + "?limit=" + PAGE;
    model.addAttribute(
        "page",
        apis.registration()
            .get(after == null ? path : path + "&after=" + Api.encode(after), Alerts.class));
    return "people-alerts";
  }
}
