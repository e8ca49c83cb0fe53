package io.solidus.operator.console.money;

import io.solidus.operator.console.api.Api;
import io.solidus.operator.console.api.ApiProblem;
import io.solidus.operator.console.api.Apis;
import io.solidus.operator.console.frame.ConsolePage;
import io.solidus.operator.console.frame.Forms;
import io.solidus.operator.console.frame.NavEntry;
import io.solidus.operator.console.frame.Notice;
import io.solidus.operator.console.frame.WorkQueue;
import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import tools.jackson.databind.JsonNode;

/** Money that arrived at the bank, and its reversals. */
@Controller
class FundingPages implements ConsolePage {
  private static final String FUNDINGS = "/admin/v1/fundings";
  private static final String REVERSALS = "/admin/v1/funding-reversals";

  private final Apis apis;

  FundingPages(Apis apis) {
    this.apis = apis;
  }

  /** A funding; lists have no account and no line. */
  record Funding(
      String fundingId,
      @Nullable String bank,
      String status,
      long amountMinor,
      String currency,
      long remainingMinor,
      @Nullable String holderPersonTag,
      @Nullable String accountReference,
      @Nullable StatementLine statementLine,
      String recordedBy,
      Instant recordedAt) {}

  record StatementLine(
      long lineId, String reference, LocalDate bookedOn, long amountMinor, Payer payer) {}

  record Payer(@Nullable String name, @Nullable String account, @Nullable String text) {}

  record FundingList(List<Funding> fundings, @Nullable Long next) {}

  record Reversal(
      long reversalId,
      String fundingId,
      String reason,
      boolean recall,
      String status,
      String proposedBy,
      Instant proposedAt,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {}

  record ReversalList(List<Reversal> reversals, @Nullable Long next) {}

  @Override
  public List<NavEntry> navigation() {
    return List.of(
        new NavEntry(Desk.SECTION, 500, "Fundings", "/fundings", Desk.READS),
        new NavEntry(Desk.SECTION, 560, "Reversals", "/reversals", Desk.READS));
  }

  @Override
  public List<WorkQueue> queues() {
    return List.of(
        Desk.queue(
            "Reversals to decide",
            560,
            "/reversals",
            Desk.APPROVES,
            REVERSALS + "?status=pending",
            "reversals",
            "proposedAt"));
  }

  @GetMapping("/fundings")
  String list(
      @RequestParam(required = false) @Nullable String status,
      @RequestParam(required = false) @Nullable String reference,
      @RequestParam(required = false) @Nullable String from,
      @RequestParam(required = false) @Nullable String to,
      @RequestParam(required = false) @Nullable Long cursor,
      @RequestParam(required = false) @Nullable Long line,
      @RequestParam(required = false) @Nullable String amount,
      Model model) {
    FundingList page =
        apis.issuance()
            .get(
                Desk.path(
                    FUNDINGS,
                    "status",
                    status,
                    "reference",
                    reference,
                    "from",
                    from,
                    "to",
                    to,
                    "cursor",
                    cursor,
                    "limit",
                    Desk.PAGE),
                FundingList.class);
    model.addAttribute("page", page);
    model.addAttribute("status", status);
    model.addAttribute("reference", reference);
    model.addAttribute("from", from);
    model.addAttribute("to", to);
    model.addAttribute("line", line);
    model.addAttribute("amount", amount);
    model.addAttribute(
        "more",
        Desk.path(
            "/fundings",
            "status",
            status,
            "reference",
            reference,
            "from",
            from,
            "to",
            to,
            "cursor",
            page.next()));
    return "fundings";
  }

  @PostMapping("/fundings")
  String record(
      @RequestParam String fundingId,
      @RequestParam String amount,
      @RequestParam String accountReference,
      @RequestParam(required = false) @Nullable Long lineId,
      @RequestParam(defaultValue = "") String bank,
      RedirectAttributes next) {
    OptionalLong minor = Desk.minor(amount);
    if (minor.isEmpty()) {
      return Forms.refuse(
          next,
          Desk.path("/fundings", "line", lineId),
          "The amount is not readable",
          "Write it with two decimals, for example 1234.50.");
    }
    Map<String, Object> funding = new LinkedHashMap<>();
    funding.put("fundingId", fundingId.strip());
    funding.put("amountMinor", minor.getAsLong());
    funding.put("accountReference", accountReference.strip());
    if (lineId != null) {
      funding.put("lineId", lineId);
    }
    if (!bank.isEmpty()) {
      funding.put("bank", bank);
    }
    try {
      show(next, apis.issuance().post(FUNDINGS, funding));
      next.addFlashAttribute("done", "The funding is recorded.");
      next.addFlashAttribute("doneForm", "record-funding");
      return "redirect:/fundings/" + Desk.encode(fundingId.strip());
    } catch (ApiProblem problem) {
      next.addFlashAttribute("notice", Notice.of(problem));
      return "redirect:" + Desk.path("/fundings", "line", lineId);
    }
  }

  /** The access token is shown once, on the next page. */
  private static void show(RedirectAttributes next, JsonNode recorded) {
    next.addFlashAttribute("accessToken", recorded.path("accessToken").asString(""));
  }

  @GetMapping("/fundings/{fundingId}")
  String view(@PathVariable String fundingId, Model model) {
    model.addAttribute("funding", funding(apis.issuance(), fundingId));
    return "funding";
  }

  static Funding funding(Api issuance, String fundingId) {
    return issuance.get(FUNDINGS + "/" + Desk.encode(fundingId), Funding.class);
  }

  @PostMapping("/fundings/{fundingId}/access-token")
  String replaceToken(@PathVariable String fundingId, RedirectAttributes next) {
    return Forms.send(
        next,
        "replace-token",
        "/fundings/" + Desk.encode(fundingId),
        "The access token is replaced; the former one is void.",
        () ->
            show(
                next,
                apis.issuance()
                    .post(FUNDINGS + "/" + Desk.encode(fundingId) + "/access-token", Map.of())));
  }

  @PostMapping("/fundings/{fundingId}/reversals")
  String reverse(
      @PathVariable String fundingId,
      @RequestParam String reason,
      @RequestParam(defaultValue = "false") boolean recall,
      RedirectAttributes next) {
    return Forms.send(
        next,
        "reverse-funding",
        "/fundings/" + Desk.encode(fundingId),
        "The reversal is proposed. A colleague who approves money decides it.",
        () ->
            apis.issuance()
                .post(
                    FUNDINGS + "/" + Desk.encode(fundingId) + "/reversals",
                    Map.of("reason", reason, "recall", recall)));
  }

  @GetMapping("/reversals")
  String reversals(
      @RequestParam(defaultValue = "pending") String status,
      @RequestParam(required = false) @Nullable Long cursor,
      Model model) {
    ReversalList page =
        apis.issuance()
            .get(
                Desk.path(
                    REVERSALS,
                    "status",
                    status.equals("all") ? null : status,
                    "cursor",
                    cursor,
                    "limit",
                    Desk.PAGE),
                ReversalList.class);
    model.addAttribute("page", page);
    model.addAttribute("status", status);
    model.addAttribute("more", Desk.path("/reversals", "status", status, "cursor", page.next()));
    return "reversals";
  }

  @PostMapping("/reversals/{id}/{verdict:approval|refusal}")
  String decide(@PathVariable long id, @PathVariable String verdict, RedirectAttributes next) {
    return Forms.send(
        next,
        "decide-reversal",
        "/reversals",
        verdict.equals("approval")
            ? "The reversal is approved and in the books."
            : "The reversal is refused.",
        () -> apis.issuance().post(REVERSALS + "/" + id + "/" + verdict, Map.of()));
  }
}
