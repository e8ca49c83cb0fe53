package io.solidus.operator.console.sanctions;

import io.solidus.operator.console.api.Api;
import io.solidus.operator.console.api.ApiProblem;
import io.solidus.operator.console.api.Apis;
import io.solidus.operator.console.frame.ConsolePage;
import io.solidus.operator.console.frame.Forms;
import io.solidus.operator.console.frame.NavEntry;
import io.solidus.operator.console.frame.Notice;
import io.solidus.platform.security.Roles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import tools.jackson.databind.JsonNode;

/** The sanction lists, their versions, and imports of new files. */
@Controller
class ListController implements ConsolePage {
  private static final String LISTS = "/admin/v1/sanctions/lists";
  private static final Map<String, String> NAMES = new LinkedHashMap<>();

  static {
    NAMES.put("un", "UN consolidated list (XML)");
    NAMES.put("ofac", "OFAC SDN list (SDN.CSV)");
    NAMES.put("ofac-alt", "OFAC alternate names (ALT.CSV)");
  }

  private final Apis apis;

  ListController(Apis apis) {
    this.apis = apis;
  }

  /** The newest version of every list. */
  record Lists(List<Version> lists) {}

  /** Versions of a list, the newest first. */
  record Versions(List<Version> versions, long next) {}

  /** A version of a list. */
  record Version(
      String list,
      long version,
      String fileDigest,
      String published,
      int entries,
      int names,
      int malformed,
      String importedBy,
      Instant importedAt,
      @Nullable String acceptedBy) {}

  @Override
  public List<NavEntry> navigation() {
    return List.of(
        new NavEntry("Rules", 210, "Lists", "/lists", Set.of(Roles.SANCTIONS_OPERATOR))
            .forCentre());
  }

  @GetMapping("/lists")
  String lists(Model model) {
    model.addAttribute("names", NAMES);
    model.addAttribute("lists", apis.sanctions().get(LISTS, Lists.class).lists());
    return "lists";
  }

  @GetMapping("/lists/{list}")
  String versions(
      @PathVariable String list, @RequestParam(defaultValue = "0") long cursor, Model model) {
    model.addAttribute("list", list);
    model.addAttribute("title", NAMES.getOrDefault(list, list));
    model.addAttribute(
        "page",
        apis.sanctions()
            .get(LISTS + "/" + Api.encode(list) + "/versions?cursor=" + cursor, Versions.class));
    return "list-versions";
  }

  @PostMapping("/lists/import")
  String propose(
      @RequestParam(defaultValue = "") String list,
      @RequestParam(defaultValue = "") String reason,
      @RequestParam MultipartFile file,
      RedirectAttributes next) {
    if (!NAMES.containsKey(list) || file.isEmpty()) {
      return Forms.refuse(
          next, "/lists", "Nothing was sent yet", "Choose a list and a file that is not empty.");
    }
    String query = reason.isBlank() ? "" : "?reason=" + Api.encode(reason.strip());
    try {
      JsonNode imported =
          apis.sanctions()
              .postFile(
                  LISTS + "/" + list + "/imports" + query,
                  "application/octet-stream",
                  () -> open(file));
      next.addFlashAttribute("doneForm", "import");
      if (!imported.path("proposal").isObject()) {
        next.addFlashAttribute("done", "This file is the version in force already.");
        return "redirect:/lists";
      }
      next.addFlashAttribute(
          "done", "The file waits for another person. Until she accepts it, nothing changes.");
      return "redirect:" + DecisionController.path(imported.path("proposal"));
    } catch (ApiProblem problem) {
      next.addFlashAttribute("notice", notice(problem));
      return "redirect:/lists";
    }
  }

  private static Notice notice(ApiProblem problem) {
    Notice plain = Notice.of(problem);
    return problem.code().equals("list-needs-reason")
        ? new Notice(
            "Something speaks against this file",
            plain.detail(),
            "If the file is right, choose it again and say why in the field for the reason.",
            plain.code(),
            plain.trace())
        : plain;
  }

  private static InputStream open(MultipartFile file) {
    try {
      return file.getInputStream();
    } catch (IOException e) {
      throw new UncheckedIOException("an uploaded file cannot be read", e);
    }
  }
}
