package io.solidus.operator.console.sanctions;

import io.solidus.operator.console.api.Api;
import io.solidus.operator.console.api.Apis;
import io.solidus.operator.console.frame.ConsolePage;
import io.solidus.operator.console.frame.Forms;
import io.solidus.operator.console.frame.NavEntry;
import io.solidus.platform.security.Roles;
import java.time.Instant;
import java.util.HashMap;
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
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** Listed addresses, and the checkpoints that tell everybody which they are. */
@Controller
class AddressController implements ConsolePage {
  private static final String ADDRESSES = "/admin/v1/sanctions/addresses";
  private static final String CHECKPOINTS = "/admin/v1/sanctions/checkpoints";

  private final Apis apis;

  AddressController(Apis apis) {
    this.apis = apis;
  }

  /** A page of addresses. */
  record Page(List<Listed> addresses, @Nullable String next) {}

  /** A listed address. */
  record Listed(
      String key,
      @Nullable String address,
      @Nullable String subject,
      String reason,
      Instant listedAt,
      @Nullable Boolean replaced) {}

  /** A page of checkpoints, the newest first. */
  record Checkpoints(List<Checkpoint> checkpoints, long next) {}

  /** A published version of the list of addresses. */
  record Checkpoint(long version, int size, String listDigest) {}

  @Override
  public List<NavEntry> navigation() {
    return List.of(
        new NavEntry(
                "Rules",
                220,
                "Listed addresses",
                "/addresses",
                Set.of(Roles.SANCTIONS_OPERATOR, Roles.LIST_APPROVER))
            .forCentre(),
        new NavEntry("Rules", 230, "Checkpoints", "/checkpoints", Set.of(Roles.SANCTIONS_OPERATOR))
            .forCentre());
  }

  @GetMapping("/addresses")
  String addresses(@RequestParam(required = false) @Nullable String cursor, Model model) {
    model.addAttribute(
        "page",
        apis.sanctions()
            .get(
                cursor == null ? ADDRESSES : ADDRESSES + "?cursor=" + Api.encode(cursor),
                Page.class));
    return "addresses";
  }

  @PostMapping("/addresses")
  String list(
      @RequestParam(defaultValue = "") String address,
      @RequestParam(defaultValue = "") String subject,
      @RequestParam(defaultValue = "") String reason,
      @RequestParam(defaultValue = "false") boolean replaced,
      @RequestParam(defaultValue = "") String id,
      RedirectAttributes next) {
    Map<String, Object> body = new HashMap<>();
    body.put(address.startsWith("sld1") ? "address" : "apk", address.strip());
    if (!subject.isBlank()) {
      body.put("subject", subject.strip());
    }
    body.put("reason", reason);
    if (replaced) {
      body.put("cause", "replaced");
    }
    return Forms.send(
        next,
        "list-address",
        "/addresses",
        "The listing waits for another person.",
        () -> apis.sanctions().post(ADDRESSES, body, id));
  }

  @PostMapping("/addresses/{key}/delist")
  String delist(
      @PathVariable String key,
      @RequestParam(defaultValue = "") String reason,
      @RequestParam(defaultValue = "") String id,
      RedirectAttributes next) {
    return Forms.send(
        next,
        "delist-" + key,
        "/addresses",
        "The delisting waits for another person.",
        () ->
            apis.sanctions()
                .delete(ADDRESSES + "/" + Api.encode(key) + "?reason=" + Api.encode(reason), id));
  }

  @GetMapping("/checkpoints")
  String checkpoints(@RequestParam(defaultValue = "0") long cursor, Model model) {
    model.addAttribute(
        "page", apis.sanctions().get(CHECKPOINTS + "?cursor=" + cursor, Checkpoints.class));
    return "checkpoints";
  }

  @PostMapping("/checkpoints")
  String publish(RedirectAttributes next) {
    return Forms.send(
        next,
        "",
        "/checkpoints",
        "The newest checkpoint has every accepted address.",
        () -> apis.sanctions().post(CHECKPOINTS, Map.of()));
  }
}
