package io.solidus.operator.console.money;

import io.solidus.operator.console.api.Api;
import io.solidus.operator.console.api.Apis;
import io.solidus.operator.console.frame.ConsolePage;
import io.solidus.operator.console.frame.Forms;
import io.solidus.operator.console.frame.NavEntry;
import io.solidus.operator.console.frame.WorkQueue;
import java.time.Instant;
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

/** Lines of the bank that nothing explains, and what two persons say that they are for. */
@Controller
class AssignmentPages implements ConsolePage {
  private static final String ASSIGNMENTS = "/admin/v1/bank/assignments";

  private final Apis apis;

  AssignmentPages(Apis apis) {
    this.apis = apis;
  }

  record OpenLine(BankPages.Line line, long openMinor) {}

  record OpenLineList(List<OpenLine> lines, @Nullable Long next) {}

  record Assignment(
      long assignmentId,
      String kind,
      @Nullable Long creditLineId,
      @Nullable Long debitLineId,
      @Nullable String fundingId,
      @Nullable String leadSerial,
      long amountMinor,
      String reason,
      String status,
      String proposedBy,
      Instant proposedAt,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {}

  record AssignmentList(List<Assignment> assignments, @Nullable Long next) {}

  /** What a form says; empty fields are left out. */
  record Proposal(
      String kind,
      @Nullable String creditLineId,
      @Nullable String debitLineId,
      @Nullable String fundingId,
      @Nullable String leadSerial,
      @Nullable String amount,
      String reason) {
    Map<String, Object> body() {
      Map<String, Object> body = new LinkedHashMap<>();
      body.put("kind", kind);
      body.put("reason", reason);
      put(body, "creditLineId", creditLineId);
      put(body, "debitLineId", debitLineId);
      put(body, "fundingId", fundingId);
      put(body, "leadSerial", leadSerial);
      OptionalLong minor = Desk.minor(amount);
      if (minor.isPresent()) {
        body.put("amountMinor", minor.getAsLong());
      }
      return body;
    }

    /** Whether an amount was written that is none. */
    boolean hasUnreadableAmount() {
      return amount != null && !amount.isBlank() && Desk.minor(amount).isEmpty();
    }

    private static void put(Map<String, Object> body, String name, @Nullable String value) {
      if (value != null && !value.isBlank()) {
        body.put(name, value.strip());
      }
    }
  }

  @Override
  public List<NavEntry> navigation() {
    return List.of(
        new NavEntry(Desk.SECTION, 555, "Unexplained lines", "/lines", Desk.READS).forCentre());
  }

  @Override
  public List<WorkQueue> queues() {
    return List.of(
        Desk.queue(
                "Assignments to decide",
                555,
                "/lines",
                Desk.APPROVES,
                ASSIGNMENTS + "?status=pending",
                "assignments",
                "proposedAt")
            .forCentre());
  }

  @GetMapping("/lines")
  String lines(
      @RequestParam(defaultValue = "pending") String status,
      @RequestParam(required = false) @Nullable Long cursor,
      @RequestParam(required = false) @Nullable Long lineCursor,
      Model model) {
    Api issuance = apis.issuance();
    OpenLineList open =
        issuance.get(
            Desk.path("/admin/v1/bank/open-lines", "cursor", lineCursor, "limit", Desk.PAGE),
            OpenLineList.class);
    AssignmentList page =
        issuance.get(
            Desk.path(
                ASSIGNMENTS,
                "status",
                status.equals("all") ? null : status,
                "cursor",
                cursor,
                "limit",
                Desk.PAGE),
            AssignmentList.class);
    model.addAttribute("open", open);
    model.addAttribute("page", page);
    model.addAttribute("status", status);
    model.addAttribute("currency", Desk.currency(issuance));
    model.addAttribute("more", Desk.path("/lines", "status", status, "cursor", page.next()));
    model.addAttribute("moreLines", Desk.path("/lines", "lineCursor", open.next()));
    return "lines";
  }

  @PostMapping("/lines/assignments")
  String propose(Proposal proposal, RedirectAttributes next) {
    if (proposal.hasUnreadableAmount()) {
      return Forms.refuse(
          next,
          "/lines",
          "The amount is not readable",
          "Write it with two decimals, for example 1234.50, or leave it empty.");
    }
    return Forms.send(
        next,
        "assign",
        "/lines",
        "The assignment is proposed. A colleague who approves money decides it.",
        () -> apis.issuance().post(ASSIGNMENTS, proposal.body()));
  }

  @PostMapping("/lines/assignments/{id}/{verdict:approval|refusal}")
  String decide(@PathVariable long id, @PathVariable String verdict, RedirectAttributes next) {
    return Forms.send(
        next,
        "decide-assignment",
        "/lines",
        verdict.equals("approval")
            ? "The assignment is approved and in the books."
            : "The assignment is refused.",
        () -> apis.issuance().post(ASSIGNMENTS + "/" + id + "/" + verdict, Map.of()));
  }
}
