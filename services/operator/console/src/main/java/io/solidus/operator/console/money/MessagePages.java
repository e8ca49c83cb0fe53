package io.solidus.operator.console.money;

import io.solidus.operator.console.api.Api;
import io.solidus.operator.console.api.Apis;
import io.solidus.operator.console.frame.ConsolePage;
import io.solidus.operator.console.frame.Forms;
import io.solidus.operator.console.frame.NavEntry;
import io.solidus.operator.console.frame.WorkQueue;
import java.time.Instant;
import java.time.LocalDate;
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

/** Messages of the bank that one person handed in and another books, and what takes them back. */
@Controller
class MessagePages implements ConsolePage {
  private static final String MESSAGES = "/admin/v1/bank/messages";
  private static final String REVERSALS = "/admin/v1/bank/message-reversals";

  private final Apis apis;

  MessagePages(Apis apis) {
    this.apis = apis;
  }

  record Message(
      long uploadId,
      String type,
      String messageId,
      String status,
      String proposedBy,
      Instant proposedAt,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {}

  record MessageList(List<Message> messages, @Nullable Long next) {}

  record Sum(String name, long count, long sumMinor) {}

  record NewLine(
      String reference,
      boolean credit,
      long amountMinor,
      LocalDate bookedOn,
      String name,
      @Nullable String subject) {}

  record Payout(String endToEndId, String entry, long amountMinor) {}

  record NewDifference(String name, String subject, long amountMinor) {}

  record Preview(
      @Nullable LocalDate day,
      @Nullable Long openingMinor,
      @Nullable Long closingMinor,
      int pending,
      int skipped,
      @Nullable Long unexplainedMinor,
      List<Sum> sums,
      List<Sum> entries,
      List<NewLine> lines,
      List<Payout> payouts,
      List<NewDifference> differences) {}

  record WithPreview(Message message, String previewDigest, Preview preview, @Nullable Long next) {}

  record Reversal(
      long reversalId,
      long uploadId,
      String type,
      String messageId,
      String reason,
      String status,
      String proposedBy,
      Instant proposedAt) {}

  record ReversalList(List<Reversal> reversals, @Nullable Long next) {}

  @Override
  public List<NavEntry> navigation() {
    return List.of(
        new NavEntry(Desk.SECTION, 552, "Bank messages", "/bank/messages", Desk.READS).forCentre());
  }

  @Override
  public List<WorkQueue> queues() {
    return List.of(
        Desk.queue(
                "Bank messages to decide",
                552,
                "/bank/messages",
                Desk.APPROVES,
                MESSAGES + "?status=pending",
                "messages",
                "proposedAt")
            .forCentre(),
        Desk.queue(
                "Reversals of bank messages",
                553,
                "/bank/messages",
                Desk.APPROVES,
                REVERSALS + "?status=pending",
                "reversals",
                "proposedAt")
            .forCentre());
  }

  @GetMapping("/bank/messages")
  String messages(
      @RequestParam(defaultValue = "pending") String status,
      @RequestParam(required = false) @Nullable Long cursor,
      Model model) {
    Api issuance = apis.issuance();
    MessageList page =
        issuance.get(
            Desk.path(
                MESSAGES,
                "status",
                status.equals("all") ? null : status,
                "cursor",
                cursor,
                "limit",
                Desk.PAGE),
            MessageList.class);
    model.addAttribute("page", page);
    model.addAttribute("status", status);
    model.addAttribute(
        "reversals",
        issuance.get(REVERSALS + "?status=pending&limit=" + Desk.PAGE, ReversalList.class));
    model.addAttribute(
        "more", Desk.path("/bank/messages", "status", status, "cursor", page.next()));
    return "bank-messages";
  }

  /**
   * A message.
   *
   * @param shown the digest of the preview whose first rows were shown: pages of two previews are
   *     none that anybody has seen
   */
  @GetMapping("/bank/messages/{id}")
  String message(
      @PathVariable long id,
      @RequestParam(required = false) @Nullable Long cursor,
      @RequestParam(required = false) @Nullable String shown,
      Model model) {
    Api issuance = apis.issuance();
    WithPreview it =
        issuance.get(Desk.path(MESSAGES + "/" + id, "cursor", cursor), WithPreview.class);
    String seen = shown == null ? it.previewDigest() : shown;
    model.addAttribute("it", it);
    model.addAttribute("seen", seen);
    model.addAttribute("first", cursor == null || cursor == 0);
    model.addAttribute(
        "more", Desk.path("/bank/messages/" + id, "cursor", it.next(), "shown", seen));
    model.addAttribute("currency", Desk.currency(issuance));
    return "bank-message";
  }

  @PostMapping("/bank/messages/{id}/{verdict:approval|refusal}")
  String decide(
      @PathVariable long id,
      @PathVariable String verdict,
      @RequestParam(defaultValue = "") String previewDigest,
      RedirectAttributes next) {
    return Forms.send(
        next,
        "message",
        "/bank/messages/" + id,
        verdict.equals("approval") ? "The message is booked." : "The message is refused.",
        () ->
            apis.issuance()
                .post(
                    MESSAGES + "/" + id + "/" + verdict,
                    verdict.equals("approval")
                        ? Map.of("previewDigest", previewDigest)
                        : Map.of()));
  }

  @PostMapping("/bank/messages/{id}/reversals")
  String reverse(@PathVariable long id, @RequestParam String reason, RedirectAttributes next) {
    return Forms.send(
        next,
        "reverse-message",
        "/bank/messages/" + id,
        "The reversal is proposed. A colleague who approves money decides it.",
        () -> apis.issuance().post(MESSAGES + "/" + id + "/reversals", Map.of("reason", reason)));
  }

  @PostMapping("/bank/message-reversals/{id}/{verdict:approval|refusal}")
  String decideReversal(
      @PathVariable long id, @PathVariable String verdict, RedirectAttributes next) {
    return Forms.send(
        next,
        "message-reversal",
        "/bank/messages",
        verdict.equals("approval")
            ? "What the message did is taken back."
            : "The reversal is refused.",
        () -> apis.issuance().post(REVERSALS + "/" + id + "/" + verdict, Map.of()));
  }
}
