package io.solidus.operator.console.money;

import io.solidus.operator.console.api.Api;
import io.solidus.operator.console.api.Apis;
import io.solidus.operator.console.frame.ConsolePage;
import io.solidus.operator.console.frame.Forms;
import io.solidus.operator.console.frame.NavEntry;
import io.solidus.operator.console.frame.WorkQueue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** Mints that wait for two approvers, and the approver's key in her browser. */
@Controller
class MintPages implements ConsolePage {
  private static final String MINTS = "/admin/v1/mints";

  private final Apis apis;

  MintPages(Apis apis) {
    this.apis = apis;
  }

  record Mint(
      String mintId,
      String status,
      String fundingId,
      long valueMinor,
      String currency,
      Statement statement,
      List<Approval> approvals,
      Instant requestedAt,
      @Nullable String reason) {
    /** Who approved, in one text; nobody's if none has. */
    public String approvers() {
      return approvals.isEmpty()
          ? "nobody yet"
          : String.join(", ", approvals.stream().map(Approval::approver).toList());
    }
  }

  record Statement(String mintId, long valueMinor, Coin coin) {}

  record Coin(String cm, String k) {}

  record Approval(String approver) {}

  record MintList(List<Mint> mints, @Nullable Long next) {}

  @Override
  public List<NavEntry> navigation() {
    return List.of(
        new NavEntry(Desk.SECTION, 510, "Mints", "/mints", Desk.READS),
        new NavEntry(Desk.SECTION, 590, "My signing key", "/my-key", Desk.APPROVES));
  }

  @Override
  public List<WorkQueue> queues() {
    return List.of(
        Desk.queue(
            "Mints to approve",
            510,
            "/mints",
            Desk.APPROVES,
            MINTS + "?status=awaiting-approval",
            "mints",
            "requestedAt"));
  }

  @GetMapping("/mints")
  String list(
      @RequestParam(defaultValue = "awaiting-approval") String status,
      @RequestParam(required = false) @Nullable Long cursor,
      Model model) {
    Api issuance = apis.issuance();
    MintList page =
        issuance.get(
            Desk.path(
                MINTS,
                "status",
                status.equals("all") ? null : status,
                "cursor",
                cursor,
                "limit",
                Desk.PAGE),
            MintList.class);
    model.addAttribute("page", page);
    model.addAttribute("status", status);
    model.addAttribute("more", Desk.path("/mints", "status", status, "cursor", page.next()));
    return "mints";
  }

  @GetMapping("/mints/{mintId}")
  String view(@PathVariable String mintId, Model model) {
    Api issuance = apis.issuance();
    Mint mint = issuance.get(MINTS + "/" + Desk.encode(mintId), Mint.class);
    model.addAttribute("mint", mint);
    model.addAttribute("funding", FundingPages.funding(issuance, mint.fundingId()));
    return "mint";
  }

  @PostMapping("/mints/{mintId}/approvals")
  String approve(
      @PathVariable String mintId,
      @RequestParam String approver,
      @RequestParam String signature,
      RedirectAttributes next) {
    return Forms.send(
        next,
        "approve-mint",
        "/mints/" + Desk.encode(mintId),
        "Your approval is taken.",
        () ->
            apis.issuance()
                .post(
                    MINTS + "/" + Desk.encode(mintId) + "/approvals",
                    Map.of("approver", approver, "signature", signature)));
  }

  @PostMapping("/mints/{mintId}/refusal")
  String refuse(@PathVariable String mintId, @RequestParam String reason, RedirectAttributes next) {
    return Forms.send(
        next,
        "refuse-mint",
        "/mints/" + Desk.encode(mintId),
        "The mint is refused. Its value is free again.",
        () ->
            apis.issuance()
                .post(MINTS + "/" + Desk.encode(mintId) + "/refusal", Map.of("reason", reason)));
  }

  /** The key is the browser's; the console's server never has it. */
  @GetMapping("/my-key")
  String key() {
    return "my-key";
  }
}
