package io.solidus.operator.console.sanctions;

import io.solidus.operator.console.api.Apis;
import io.solidus.operator.console.frame.ConsolePage;
import io.solidus.operator.console.frame.Forms;
import io.solidus.operator.console.frame.NavEntry;
import io.solidus.platform.security.Roles;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Policies by month, proposals with a preview, and the halt. */
@Controller
class PolicyController implements ConsolePage {
  private static final String POLICIES = "/admin/v1/policies";
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int SHOWN = 24;

  private final Apis apis;
  private final Clock clock;

  PolicyController(Apis apis, Clock clock) {
    this.apis = apis;
    this.clock = clock;
  }

  @Override
  public List<NavEntry> navigation() {
    Set<String> roles = Set.of(Roles.POLICY_OPERATOR, Roles.RULES_APPROVER);
    return List.of(
        new NavEntry("Rules", 240, "Policies", "/policies", roles).forCentre(),
        new NavEntry("Rules", 250, "Halt", "/policies/halt", roles).forCentre());
  }

  @GetMapping("/policies")
  String policies(Model model) {
    fill(model);
    return "policies";
  }

  @GetMapping("/policies/halt")
  String halt(Model model) {
    List<Policy> policies = read();
    model.addAttribute("halted", !policies.isEmpty() && policies.getFirst().isHalt());
    return "policy-halt";
  }

  /** What a proposal would change against what is in force; nothing is sent to the service. */
  @PostMapping("/policies/preview")
  String preview(@RequestParam Map<String, String> fields, Model model) {
    try {
      JsonNode proposed = JSON.valueToTree(limits(fields));
      model.addAttribute(
          "differences", Policy.against(Policy.inForce(read(), clock.instant()), proposed));
      model.addAttribute("takesEffect", fields.getOrDefault("effective", "now"));
      model.addAttribute("month", fields.getOrDefault("month", ""));
    } catch (ArithmeticException | NumberFormatException | DateTimeException wrong) {
      model.addAttribute("wrong", true);
    }
    return "policy-parts :: preview";
  }

  @PostMapping("/policies")
  String propose(@RequestParam Map<String, String> fields, RedirectAttributes next) {
    Map<String, Object> limits;
    try {
      limits = limits(fields);
    } catch (ArithmeticException | NumberFormatException | DateTimeException wrong) {
      return Forms.refuse(
          next,
          "/policies",
          "Nothing was sent yet",
          "Write amounts like 1000.00, the number of transfers like 100, and the month like"
              + " 2026-12.");
    }
    return Forms.send(
        next,
        "policy",
        "/policies",
        "The policy waits for another person, under Decisions.",
        () -> apis.sanctions().post(POLICIES, limits, fields.getOrDefault("id", "")));
  }

  @PostMapping("/policies/halt")
  String proposeHalt(
      @RequestParam(defaultValue = "") String reason,
      @RequestParam(defaultValue = "0") long delay,
      @RequestParam(defaultValue = "") String understood,
      @RequestParam(defaultValue = "") String id,
      RedirectAttributes next) {
    if (!understood.equals("yes")) {
      return Forms.refuse(
          next,
          "/policies/halt",
          "Nothing was sent yet",
          "Confirm that you want to stop payments.");
    }
    return Forms.send(
        next,
        "halt",
        "/policies/halt",
        "The halt waits for another person, under Decisions.",
        () ->
            apis.sanctions()
                .post(
                    POLICIES + "/halt", Map.of("reason", reason, "effectiveInSeconds", delay), id));
  }

  @PostMapping("/policies/halt/lifting")
  String proposeLifting(
      @RequestParam(defaultValue = "") String reason,
      @RequestParam(defaultValue = "") String id,
      RedirectAttributes next) {
    return Forms.send(
        next,
        "lifting",
        "/policies/halt",
        "The end of the halt waits for another person, under Decisions.",
        () -> apis.sanctions().post(POLICIES + "/halt/lifting", Map.of("reason", reason), id));
  }

  private void fill(Model model) {
    List<Policy> policies = read();
    Policy inForce = Policy.inForce(policies, clock.instant());
    YearMonth now = YearMonth.from(clock.instant().atZone(ZoneOffset.UTC));
    model.addAttribute("policies", policies.stream().limit(SHOWN).toList());
    model.addAttribute("inForce", inForce);
    model.addAttribute("amounts", Policy.AMOUNTS);
    model.addAttribute("months", List.of(now, now.plusMonths(1)));
  }

  private List<Policy> read() {
    return apis.sanctions().get(POLICIES, DecisionController.Policies.class).policies();
  }

  /**
   * The body of a proposal.
   *
   * @throws ArithmeticException when an amount has more than two decimals
   */
  private static Map<String, Object> limits(Map<String, String> fields) {
    YearMonth month = YearMonth.parse(fields.getOrDefault("month", ""));
    Map<String, Object> body = new HashMap<>();
    body.put("period", month.getYear() * 100 + month.getMonthValue());
    for (String amount : Policy.AMOUNTS.keySet()) {
      body.put(
          amount,
          new BigDecimal(fields.getOrDefault(amount, "").strip())
              .movePointRight(2)
              .longValueExact());
    }
    body.put(
        "maxTransfersPerPeriod",
        Integer.parseInt(fields.getOrDefault("maxTransfersPerPeriod", "").strip()));
    if (fields.getOrDefault("effective", "").equals("month")) {
      body.put("effectiveAtMillis", Policy.firstMillis(month));
    }
    String reason = fields.getOrDefault("reason", "").strip();
    if (!reason.isEmpty()) {
      body.put("reason", reason);
    }
    return body;
  }
}
