package io.solidus.operator.console.money;

import io.solidus.operator.console.api.Apis;
import io.solidus.operator.console.frame.ConsolePage;
import io.solidus.operator.console.frame.Forms;
import io.solidus.operator.console.frame.NavEntry;
import io.solidus.operator.console.frame.WorkQueue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** Money that goes back to bank accounts: payouts, corrected payees, and batches for the bank. */
@Controller
class PayoutPages implements ConsolePage {
  private static final String PAYOUTS = "/admin/v1/redemptions";
  private static final String BATCHES = "/admin/v1/payout-batches";
  private static final String CORRECTIONS = "/admin/v1/payee-corrections";

  /** A choice of the page: accepted payouts that no batch takes. */
  private static final String HELD = "held";

  private final Apis apis;

  PayoutPages(Apis apis) {
    this.apis = apis;
  }

  record Payout(
      String leadSerial,
      @Nullable String bank,
      String status,
      int attempt,
      @Nullable String statusReason,
      Instant statusAt,
      @Nullable String batchId,
      long amountMinor,
      String currency,
      String endToEndId,
      Instant acceptedAt,
      String creditorName,
      String iban,
      boolean ibanValid,
      @Nullable String hold,
      String reference) {
    /** Whether no batch takes it until its payee is corrected. */
    public boolean held() {
      return !ibanValid || "agent-unknown".equals(hold) || "iban-invalid".equals(hold);
    }
  }

  record PayoutList(List<Payout> redemptions, @Nullable Long next) {}

  record Batch(
      String batchId,
      @Nullable String bank,
      String status,
      int count,
      long totalMinor,
      String currency,
      String proposedBy,
      Instant proposedAt,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {}

  record BatchList(List<Batch> batches, @Nullable Long next) {}

  record BatchWithPayouts(Batch batch, List<Payout> payouts) {}

  record Correction(
      long correctionId,
      String leadSerial,
      String creditorName,
      String iban,
      String reason,
      String status,
      String proposedBy,
      Instant proposedAt,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {}

  record CorrectionList(List<Correction> corrections, @Nullable Long next) {}

  @Override
  public List<NavEntry> navigation() {
    return List.of(
        new NavEntry(Desk.SECTION, 520, "Payouts", "/payouts", Desk.READS),
        new NavEntry(Desk.SECTION, 530, "Corrected payees", "/payees", Desk.READS),
        new NavEntry(Desk.SECTION, 540, "Batches", "/batches", Desk.READS));
  }

  @Override
  public List<WorkQueue> queues() {
    return List.of(
        Desk.counted(
            "Payouts whose payee is to be corrected",
            520,
            "/payouts?status=" + HELD,
            Desk.OPERATES,
            "payouts-held"),
        Desk.counted(
            "Payouts that the bank refused",
            521,
            "/payouts?status=failed",
            Desk.OPERATES,
            "payouts-failed"),
        Desk.counted(
            "Payouts that came back",
            522,
            "/payouts?status=returned",
            Desk.OPERATES,
            "payouts-returned"),
        Desk.counted(
            "Corrected payees to decide", 530, "/payees", Desk.APPROVES, "payee-corrections"),
        Desk.queue(
            "Batches to release",
            540,
            "/batches",
            Desk.APPROVES,
            BATCHES + "?status=pending",
            "batches",
            "proposedAt"));
  }

  @GetMapping("/payouts")
  String payouts(
      @RequestParam(defaultValue = "accepted") String status,
      @RequestParam(required = false) @Nullable Long cursor,
      Model model) {
    PayoutList page =
        apis.issuance()
            .get(
                Desk.path(
                    PAYOUTS,
                    "status",
                    status.equals("all") || status.equals(HELD) ? null : status,
                    "held",
                    status.equals(HELD) ? "true" : null,
                    "cursor",
                    cursor,
                    "limit",
                    Desk.PAGE),
                PayoutList.class);
    model.addAttribute("page", page);
    model.addAttribute("status", status);
    model.addAttribute("more", Desk.path("/payouts", "status", status, "cursor", page.next()));
    return "payouts";
  }

  @PostMapping("/payouts/{lead}/again")
  String again(@PathVariable String lead, @RequestParam String status, RedirectAttributes next) {
    return Forms.send(
        next,
        "again",
        Desk.path("/payouts", "status", status),
        "The payout waits for the next batch.",
        () ->
            apis.issuance()
                .post(
                    PAYOUTS + "/" + Desk.encode(lead) + "/outcome", Map.of("status", "accepted")));
  }

  @PostMapping("/payouts/{lead}/payee")
  String correct(
      @PathVariable String lead,
      @RequestParam String creditorName,
      @RequestParam String iban,
      @RequestParam String reason,
      RedirectAttributes next) {
    return Forms.send(
        next,
        "payee-" + lead,
        "/payouts",
        "The payee is proposed. A colleague who approves money decides it.",
        () ->
            apis.issuance()
                .post(
                    PAYOUTS + "/" + Desk.encode(lead) + "/payee",
                    Map.of("creditorName", creditorName, "iban", iban, "reason", reason)));
  }

  @GetMapping("/payees")
  String corrections(
      @RequestParam(defaultValue = "pending") String status,
      @RequestParam(required = false) @Nullable Long cursor,
      Model model) {
    CorrectionList page =
        apis.issuance()
            .get(
                Desk.path(
                    CORRECTIONS,
                    "status",
                    status.equals("all") ? null : status,
                    "cursor",
                    cursor,
                    "limit",
                    Desk.PAGE),
                CorrectionList.class);
    model.addAttribute("page", page);
    model.addAttribute("status", status);
    model.addAttribute("more", Desk.path("/payees", "status", status, "cursor", page.next()));
    return "payees";
  }

  @PostMapping("/payees/{id}/{verdict:approval|refusal}")
  String decideCorrection(
      @PathVariable long id, @PathVariable String verdict, RedirectAttributes next) {
    return Forms.send(
        next,
        "decide-payee",
        "/payees",
        verdict.equals("approval") ? "The payee is corrected." : "The correction is refused.",
        () -> apis.issuance().post(CORRECTIONS + "/" + id + "/" + verdict, Map.of()));
  }

  @GetMapping("/batches")
  String batches(
      @RequestParam(defaultValue = "all") String status,
      @RequestParam(required = false) @Nullable Long cursor,
      Model model) {
    BatchList page =
        apis.issuance()
            .get(
                Desk.path(
                    BATCHES,
                    "status",
                    status.equals("all") ? null : status,
                    "cursor",
                    cursor,
                    "limit",
                    Desk.PAGE),
                BatchList.class);
    model.addAttribute("page", page);
    model.addAttribute("status", status);
    model.addAttribute("more", Desk.path("/batches", "status", status, "cursor", page.next()));
    return "batches";
  }

  @PostMapping("/batches")
  String propose(@RequestParam(defaultValue = "") String bank, RedirectAttributes next) {
    return Forms.send(
        next,
        "propose-batch",
        "/batches",
        "The batch is proposed. A colleague who approves money releases it.",
        () -> apis.issuance().post(BATCHES, bank.isEmpty() ? Map.of() : Map.of("bank", bank)));
  }

  @GetMapping("/batches/{batchId}")
  String batch(@PathVariable String batchId, Model model) {
    model.addAttribute(
        "it", apis.issuance().get(BATCHES + "/" + Desk.encode(batchId), BatchWithPayouts.class));
    return "batch";
  }

  @PostMapping("/batches/{batchId}/{verdict:release|withdrawal}")
  String decideBatch(
      @PathVariable String batchId, @PathVariable String verdict, RedirectAttributes next) {
    return Forms.send(
        next,
        "decide-batch",
        "/batches/" + Desk.encode(batchId),
        verdict.equals("release")
            ? "The batch is released. Its file is ready for the bank."
            : "The batch is withdrawn. Its payouts wait for another one.",
        () -> apis.issuance().post(BATCHES + "/" + Desk.encode(batchId) + "/" + verdict, Map.of()));
  }

  @GetMapping("/batches/{batchId}/file")
  ResponseEntity<byte[]> file(@PathVariable String batchId) {
    byte[] file = apis.issuance().bytes(BATCHES + "/" + Desk.encode(batchId) + "/message");
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_XML)
        .cacheControl(CacheControl.noStore())
        .header(
            HttpHeaders.CONTENT_DISPOSITION,
            ContentDisposition.attachment().filename(batchId + ".xml").build().toString())
        .body(file);
  }
}
