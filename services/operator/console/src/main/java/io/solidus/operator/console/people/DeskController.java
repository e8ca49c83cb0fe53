package io.solidus.operator.console.people;

import io.solidus.operator.console.api.Api;
import io.solidus.operator.console.api.ApiProblem;
import io.solidus.operator.console.api.Apis;
import io.solidus.operator.console.frame.ConsolePage;
import io.solidus.operator.console.frame.NavEntry;
import io.solidus.operator.console.frame.Notice;
import io.solidus.platform.security.Roles;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Search, and what waits for a second person. */
@Controller
class DeskController implements ConsolePage {
  private static final String KYC = "/admin/v1/kyc/";
  private static final String MINE = "mine";
  private static final List<String> FIELDS =
      List.of("name", "birthDate", "documentNumber", "nationality", "address", "caseId");

  private final Apis apis;

  DeskController(Apis apis) {
    this.apis = apis;
  }

  /** At most 50 cases. */
  record Found(List<PeopleController.Summary> cases, boolean cut) {}

  /** A page of steps that wait. */
  record Steps(List<Waiting> steps, @Nullable String next) {}

  /** A step that waits for another person. */
  record Waiting(
      String caseId,
      @Nullable String kind,
      @Nullable String name,
      @Nullable String givenName,
      @Nullable String familyName,
      CaseFile.Step step)
      implements ListedName {

    @Override
    public String toString() {
      return "Waiting[" + caseId + "]";
    }
  }

  @Override
  public List<NavEntry> navigation() {
    Set<String> officers = Set.of(Roles.KYC_OPERATOR);
    Set<String> both = Set.of(Roles.KYC_OPERATOR, Roles.PEOPLE_APPROVER);
    return List.of(
        new NavEntry("People", 105, "Search", "/people/search", officers),
        new NavEntry("People", 120, "Matches to confirm", "/people/confirmations", both),
        new NavEntry("People", 130, "Steps to accept", "/people/steps", both));
  }

  @GetMapping("/people/search")
  String search() {
    return "people-search";
  }

  /** What is searched for is in the body, never in an address. */
  @PostMapping("/people/search")
  String found(@RequestParam Map<String, String> fields, Model model) {
    Map<String, Object> query = new HashMap<>();
    for (String field : FIELDS) {
      String value = fields.getOrDefault(field, "").strip();
      if (!value.isEmpty()) {
        query.put(field, value);
      }
    }
    if (fields.containsKey(MINE)) {
      query = Map.of(MINE, true);
    }
    model.addAttribute("asked", fields);
    try {
      model.addAttribute("found", apis.registration().post(KYC + "search", query, Found.class));
    } catch (ApiProblem problem) {
      model.addAttribute("notice", Notice.of(problem));
    }
    return "people-search";
  }

  @GetMapping("/people/confirmations")
  String confirmations(@RequestParam(required = false) @Nullable String after, Model model) {
    model.addAttribute(
        "page",
        apis.registration().get(page("confirmations", after), PeopleController.Alerts.class));
    return "people-confirmations";
  }

  @GetMapping("/people/steps")
  String steps(@RequestParam(required = false) @Nullable String after, Model model) {
    model.addAttribute("page", apis.registration().get(page("steps", after), Steps.class));
    return "people-steps";
  }

  private static String page(String what, @Nullable String after) {
    String path = KYC + what + "?limit=50";
    return after == null ? path : path + "&after=" + Api.encode(after);
  }
}
