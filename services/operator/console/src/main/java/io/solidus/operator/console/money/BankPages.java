package io.solidus.operator.console.money;

import io.solidus.operator.console.api.Api;
import io.solidus.operator.console.api.ApiProblem;
import io.solidus.operator.console.api.Apis;
import io.solidus.operator.console.frame.ConsolePage;
import io.solidus.operator.console.frame.Forms;
import io.solidus.operator.console.frame.NavEntry;
import io.solidus.operator.console.frame.Notice;
import io.solidus.operator.console.frame.WorkQueue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import tools.jackson.databind.JsonNode;

/** What the bank says, and whether the books say the same. */
@Controller
class BankPages implements ConsolePage {
  private static final String BANK = "/admin/v1/bank";
  private static final int NOT_FOUND = 404;

  private final Apis apis;
  private final Clock clock;

  BankPages(Apis apis, Clock clock) {
    this.apis = apis;
    this.clock = clock;
  }

  record Statement(
      LocalDate day,
      String messageId,
      String statementId,
      long openingMinor,
      long closingMinor,
      long booksMinor,
      long unexplainedMinor,
      int pending,
      String importedBy,
      Instant importedAt) {}

  record StatementList(List<Statement> statements, @Nullable Long next) {}

  record Line(
      long lineId,
      String reference,
      boolean credit,
      long amountMinor,
      LocalDate bookedOn,
      @Nullable String endToEndId,
      String name,
      @Nullable String subject,
      @Nullable String counterparty,
      @Nullable String account,
      @Nullable String text) {}

  record LineList(List<Line> lines, @Nullable Long next) {}

  record Difference(
      long differenceId,
      String name,
      @Nullable Long lineId,
      String subject,
      long amountMinor,
      Instant noticedAt,
      @Nullable String closedBy,
      @Nullable Instant closedAt,
      @Nullable String note) {}

  record DifferenceList(List<Difference> differences, @Nullable Long next) {}

  record Supply(
      String currency,
      long issuedMinor,
      long redeemedMinor,
      long outstandingMinor,
      long bankBalanceMinor) {}

  record Balance(String account, long openingMinor, long closingMinor) {}

  record Kind(String kind, long count, long sumMinor) {}

  record Day(LocalDate day, String currency, List<Balance> accounts, List<Kind> entries) {}

  record Totals(
      int authority,
      long mintedMinor,
      long withdrawnMinor,
      long mintedInAllMinor,
      long withdrawnInAllMinor,
      long pastDeskMinor) {}

  record DayTotals(List<Totals> authorities) {}

  @Override
  public List<NavEntry> navigation() {
    return List.of(
        new NavEntry(Desk.SECTION, 550, "Bank", "/bank", Desk.READS).forCentre(),
        new NavEntry(Desk.SECTION, 570, "Books", "/books", Desk.READS).forCentre());
  }

  @Override
  public List<WorkQueue> queues() {
    return List.of(
        Desk.queue(
                "Differences with the bank",
                550,
                "/bank",
                Desk.READS,
                BANK + "/differences?open=true",
                "differences",
                "noticedAt")
            .forCentre());
  }

  @GetMapping("/bank")
  String bank(
      @RequestParam(defaultValue = "true") boolean open,
      @RequestParam(required = false) @Nullable Long cursor,
      Model model) {
    Api issuance = apis.issuance();
    DifferenceList differences =
        issuance.get(
            Desk.path(
                BANK + "/differences",
                "open",
                open ? "true" : null,
                "cursor",
                cursor,
                "limit",
                Desk.PAGE),
            DifferenceList.class);
    model.addAttribute("differences", differences);
    model.addAttribute("open", open);
    model.addAttribute("more", Desk.path("/bank", "open", open, "cursor", differences.next()));
    model.addAttribute(
        "statements",
        issuance
            .get(Desk.path(BANK + "/statements", "limit", 200), StatementList.class)
            .statements()
            .reversed());
    model.addAttribute("currency", Desk.currency(issuance));
    return "bank";
  }

  @PostMapping("/bank/messages")
  String message(@RequestParam MultipartFile file, RedirectAttributes next) {
    if (file.isEmpty()) {
      return Forms.refuse(
          next, "/bank", "No file was chosen", "Choose the XML file that the bank sent.");
    }
    try {
      JsonNode taken =
          apis.issuance().postFile(BANK + "/messages", "application/xml", () -> open(file));
      JsonNode upload = taken.path("message").path("message").path("uploadId");
      if (upload.isNumber()) {
        next.addFlashAttribute("done", "The message is handed in. Another person has it booked.");
        return "redirect:/bank/messages/" + upload.asLong();
      }
      next.addFlashAttribute(
          "taken",
          taken.path("heldPage").isNumber()
              ? "Page %d of a statement waits for the others. Hand in those too; then it is one message."
                  .formatted(taken.path("heldPage").asLong())
              : said(taken));
    } catch (ApiProblem problem) {
      next.addFlashAttribute("notice", Notice.of(problem));
    }
    return "redirect:/bank";
  }

  private static String said(JsonNode taken) {
    return "%s %s %s, with %d booked movements."
        .formatted(
            taken.path("type").asString(""),
            taken.path("messageId").asString(""),
            taken.path("repeated").asBoolean(false)
                ? "was taken before; nothing changed"
                : "is taken",
            taken.path("lines").asInt(0));
  }

  private static InputStream open(MultipartFile file) {
    try {
      return file.getInputStream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @PostMapping("/bank/differences/{id}/closing")
  String close(@PathVariable long id, @RequestParam String note, RedirectAttributes next) {
    return Forms.send(
        next,
        "close-" + id,
        "/bank",
        "The difference is closed.",
        () -> apis.issuance().post(BANK + "/differences/" + id + "/closing", Map.of("note", note)));
  }

  @GetMapping("/bank/statements/{day}")
  String statement(
      @PathVariable @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate day,
      @RequestParam(required = false) @Nullable Long cursor,
      Model model) {
    Api issuance = apis.issuance();
    LineList lines =
        issuance.get(
            Desk.path(BANK + "/statements/" + day + "/lines", "cursor", cursor, "limit", Desk.PAGE),
            LineList.class);
    model.addAttribute("it", issuance.get(BANK + "/statements/" + day, Statement.class));
    model.addAttribute("lines", lines);
    model.addAttribute("currency", Desk.currency(issuance));
    model.addAttribute("more", Desk.path("/bank/statements/" + day, "cursor", lines.next()));
    return "statement";
  }

  @GetMapping("/books")
  String books(
      @RequestParam(required = false) @DateTimeFormat(iso = DateTimeFormat.ISO.DATE)
          @Nullable LocalDate day,
      Model model) {
    Api issuance = apis.issuance();
    LocalDate shown = day == null ? LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC) : day;
    model.addAttribute("supply", issuance.get("/admin/v1/supply", Supply.class));
    model.addAttribute("day", issuance.get("/admin/v1/books/days/" + shown, Day.class));
    model.addAttribute("statement", statementOf(issuance, shown));
    model.addAttribute(
        "totals",
        issuance.get("/admin/v1/authority-totals/" + shown, DayTotals.class).authorities());
    return "books";
  }

  private static @Nullable Statement statementOf(Api issuance, LocalDate day) {
    try {
      return issuance.get(BANK + "/statements/" + day, Statement.class);
    } catch (ApiProblem problem) {
      if (problem.status() == NOT_FOUND) {
        return null;
      }
      throw problem;
    }
  }
}
