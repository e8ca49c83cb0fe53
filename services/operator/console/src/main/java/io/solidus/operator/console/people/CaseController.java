package io.solidus.operator.console.people;

import io.solidus.operator.console.api.Api;
import io.solidus.operator.console.api.Apis;
import io.solidus.operator.console.frame.Forms;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
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
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The file of a case and what is decided on it. The registration records every view. */
@Controller
@RequestMapping("/people/{id}")
class CaseController {
  /** Closes a registration, whose person then registers again. */
  private static final String PHRASE_LOST = "phrase-lost";

  private final Apis apis;

  CaseController(Apis apis) {
    this.apis = apis;
  }

  /** A case beside each other case that may be of the same person. */
  record SideBySide(CaseFile file, List<CaseFile> others) {}

  @GetMapping
  String file(@PathVariable UUID id, Model model) {
    CaseFile file = apis.registration().get(path(id), CaseFile.class);
    model.addAttribute("file", file);
    model.addAttribute("state", PeopleController.words(file.status()));
    model.addAttribute("codes", RefusalCode.values());
    model.addAttribute("read", RefusalCode.textOf(file.refusalCode()));
    return "case";
  }

  @GetMapping("/duplicates")
  String duplicates(@PathVariable UUID id, Model model) {
    model.addAttribute("both", apis.registration().get(path(id) + "/duplicates", SideBySide.class));
    return "case-duplicates";
  }

  /**
   * What is held of the person, to hand to her.
   *
   * @param member the place, from 1, of one of the people behind an organisation; null for all
   */
  @GetMapping("/export")
  ResponseEntity<byte[]> export(
      @PathVariable UUID id, @RequestParam(required = false) @Nullable Integer member) {
    String path = path(id) + "/export" + (member == null ? "" : "?member=" + member);
    return ResponseEntity.ok()
        .header(
            HttpHeaders.CONTENT_DISPOSITION,
            ContentDisposition.attachment().filename(id + ".json").build().toString())
        .contentType(MediaType.APPLICATION_JSON)
        .cacheControl(CacheControl.noStore())
        .body(apis.registration().bytes(path));
  }

  @PostMapping("/approve")
  String approve(
      @PathVariable UUID id,
      @RequestParam(defaultValue = "") String reason,
      @RequestParam(defaultValue = "false") boolean organisation,
      RedirectAttributes next) {
    return send(
        next,
        id,
        "approve",
        organisation
            ? "Your approval is recorded. With those of two officers the organisation is registered."
            : "The case is approved.",
        "/approve",
        reason(reason));
  }

  @PostMapping("/refuse")
  String refuse(
      @PathVariable UUID id,
      @RequestParam(defaultValue = "") String code,
      @RequestParam(defaultValue = "") String reason,
      RedirectAttributes next) {
    Map<String, Object> body = reason(reason);
    body.put("code", code);
    return send(next, id, "refuse", "The case is refused.", "/refuse", body);
  }

  @PostMapping("/dispositions")
  String dispose(
      @PathVariable UUID id,
      @RequestParam(defaultValue = "") String form,
      @RequestParam(defaultValue = "") String key,
      @RequestParam(defaultValue = "") String entryDigest,
      @RequestParam(defaultValue = "") String verdict,
      @RequestParam(defaultValue = "") String reason,
      RedirectAttributes next) {
    return send(
        next,
        id,
        form,
        "What you found out about the match is recorded.",
        "/dispositions",
        disposition(key, entryDigest, verdict, reason));
  }

  @PostMapping("/confirmations")
  String confirm(
      @PathVariable UUID id,
      @RequestParam(defaultValue = "") String form,
      @RequestParam(defaultValue = "") String key,
      @RequestParam(defaultValue = "") String entryDigest,
      @RequestParam(defaultValue = "") String verdict,
      @RequestParam(defaultValue = "") String reason,
      RedirectAttributes next) {
    return send(
        next,
        id,
        form,
        "Your word on the match is recorded.",
        "/dispositions/confirm",
        disposition(key, entryDigest, verdict, reason));
  }

  @PostMapping("/duplicates/{other}")
  String duplicate(
      @PathVariable UUID id,
      @PathVariable UUID other,
      @RequestParam(defaultValue = "") String verdict,
      @RequestParam(defaultValue = "") String reason,
      RedirectAttributes next) {
    Map<String, Object> body = reason(reason);
    body.put("verdict", verdict);
    return Forms.send(
        next,
        "duplicate-" + other,
        "/people/" + id + "/duplicates",
        "Your verdict is recorded. It counts when a second officer agrees.",
        () -> apis.registration().post(path(id) + "/duplicates/" + other, body));
  }

  @PostMapping("/changes")
  String propose(
      @PathVariable UUID id, @RequestParam Map<String, String> fields, RedirectAttributes next) {
    Map<String, Object> body = reason(fields.getOrDefault("reason", ""));
    if (fields.containsKey("legalName")) {
      Optional<String> mistake = OrganisationForm.mistake(fields);
      if (mistake.isPresent()) {
        return Forms.refuse(
            next,
            "/people/" + id,
            "The owners and representatives are not readable",
            mistake.get());
      }
      body.put("organisation", OrganisationForm.body(fields));
    } else {
      body.put("person", person(fields));
    }
    return send(next, id, "change", "The change waits for another officer.", "/changes", body);
  }

  private static Map<String, Object> person(Map<String, String> fields) {
    Map<String, Object> person = new HashMap<>();
    for (String field :
        List.of("givenName", "familyName", "birthDate", "nationality", "documentNumber")) {
      person.put(field, fields.getOrDefault(field, "").strip());
    }
    String latin = fields.getOrDefault("latinName", "").strip();
    if (!latin.isEmpty()) {
      person.put("latinName", latin);
    }
    return person;
  }

  @PostMapping("/changes/{change}/{verdict}")
  String decideChange(
      @PathVariable UUID id,
      @PathVariable UUID change,
      @PathVariable String verdict,
      RedirectAttributes next) {
    boolean accept = verdict.equals("accept");
    return send(
        next,
        id,
        "",
        accept ? "The new details count." : "The change is refused.",
        "/changes/" + change + (accept ? "/accept" : "/refuse"),
        Map.of());
  }

  @PostMapping("/claim")
  String claim(
      @PathVariable UUID id,
      @RequestParam(defaultValue = "false") boolean takeOver,
      RedirectAttributes next) {
    return send(
        next,
        id,
        "",
        "The case is yours for half an hour.",
        "/claim",
        Map.of("takeOver", takeOver));
  }

  @PostMapping("/release")
  String release(@PathVariable UUID id, RedirectAttributes next) {
    return send(next, id, "", "The case is free for others.", "/release", Map.of());
  }

  @PostMapping("/steps")
  String step(
      @PathVariable UUID id,
      @RequestParam(defaultValue = "") String kind,
      @RequestParam(defaultValue = "") String reason,
      RedirectAttributes next) {
    Map<String, Object> body = reason(reason);
    if (kind.equals(PHRASE_LOST)) {
      body.put("kind", "close");
      body.put("cause", PHRASE_LOST);
    } else {
      body.put("kind", kind);
    }
    return send(next, id, "step", "The step waits for an approver.", "/steps", body);
  }

  @PostMapping("/steps/{step}/{verdict}")
  String decideStep(
      @PathVariable UUID id,
      @PathVariable UUID step,
      @PathVariable String verdict,
      RedirectAttributes next) {
    boolean accept = verdict.equals("accept");
    return send(
        next,
        id,
        "",
        accept ? "The step is done." : "The step is refused.",
        "/steps/" + step + (accept ? "/accept" : "/refuse"),
        Map.of());
  }

  private String send(
      RedirectAttributes next,
      UUID id,
      String form,
      String done,
      String path,
      Map<String, Object> body) {
    Api registration = apis.registration();
    return Forms.send(
        next, form, "/people/" + id, done, () -> registration.post(path(id) + path, body));
  }

  private static Map<String, Object> disposition(
      String key, String entryDigest, String verdict, String reason) {
    Map<String, Object> body = reason(reason);
    body.put("key", key);
    body.put("entryDigest", entryDigest);
    body.put("verdict", verdict);
    return body;
  }

  /** An empty reason is left out: the registration says where one is needed. */
  private static Map<String, Object> reason(@Nullable String reason) {
    Map<String, Object> body = new HashMap<>();
    if (reason != null && !reason.isBlank()) {
      body.put("reason", reason.strip());
    }
    return body;
  }

  private static String path(UUID id) {
    return "/admin/v1/kyc/cases/" + id;
  }
}
