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

/** Matches of who pays in or is paid out; their money waits until two persons have decided. */
@Controller
class ScreeningPages implements ConsolePage {
  private static final String SCREENINGS = "/admin/v1/screenings";

  private final Apis apis;

  ScreeningPages(Apis apis) {
    this.apis = apis;
  }

  record Match(String list, String reference, String name, double score) {}

  record Screening(
      long screeningId,
      String subjectKind,
      String subject,
      String name,
      String verdict,
      List<Match> matches,
      Instant screenedAt,
      String status,
      @Nullable String said,
      @Nullable String reason,
      @Nullable String proposedBy,
      @Nullable Instant proposedAt,
      @Nullable String decidedBy) {}

  record ScreeningList(List<Screening> screenings, @Nullable Long next) {}

  @Override
  public List<NavEntry> navigation() {
    return List.of(
        new NavEntry(Desk.SECTION, 560, "Payers and payees", "/screenings", Desk.READS)
            .forCentre());
  }

  @Override
  public List<WorkQueue> queues() {
    return List.of(
        Desk.counted(
                "Payers and payees to look at",
                565,
                "/screenings",
                Desk.OPERATES,
                "screenings-open")
            .forCentre(),
        Desk.counted(
                "Payers and payees to confirm",
                566,
                "/screenings",
                Desk.APPROVES,
                "screenings-proposed")
            .forCentre());
  }

  @GetMapping("/screenings")
  String screenings(
      @RequestParam(defaultValue = "true") boolean open,
      @RequestParam(required = false) @Nullable Long cursor,
      Model model) {
    Api issuance = apis.issuance();
    ScreeningList page =
        issuance.get(
            Desk.path(
                SCREENINGS, "open", open ? "true" : null, "cursor", cursor, "limit", Desk.PAGE),
            ScreeningList.class);
    model.addAttribute("page", page);
    model.addAttribute("open", open);
    model.addAttribute("more", Desk.path("/screenings", "open", open, "cursor", page.next()));
    return "screenings";
  }

  @PostMapping("/screenings/{id}/disposition")
  String propose(
      @PathVariable long id,
      @RequestParam String said,
      @RequestParam String reason,
      RedirectAttributes next) {
    return Forms.send(
        next,
        "screening-" + id,
        "/screenings",
        "It is recorded. A colleague who approves money confirms it.",
        () ->
            apis.issuance()
                .post(
                    SCREENINGS + "/" + id + "/disposition",
                    Map.of("said", said, "reason", reason)));
  }

  @PostMapping("/screenings/{id}/disposition/{verdict:approval|refusal}")
  String decide(@PathVariable long id, @PathVariable String verdict, RedirectAttributes next) {
    return Forms.send(
        next,
        "screening",
        "/screenings",
        verdict.equals("approval") ? "It is confirmed." : "It is open again.",
        () -> apis.issuance().post(SCREENINGS + "/" + id + "/disposition/" + verdict, Map.of()));
  }
}
