package io.solidus.operator.console.sanctions;

import io.solidus.platform.security.Roles;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What somebody proposed to the sanctions service and somebody else decides. */
record Proposal(
    String id,
    String kind,
    JsonNode payload,
    String proposedBy,
    Instant proposedAt,
    Instant expiresAt,
    String state,
    @Nullable String decidedBy,
    @Nullable Instant decidedAt,
    @Nullable JsonNode outcome) {

  private static final Map<String, String> KINDS =
      Map.of(
          "list-import", "Import of a list",
          "address-listing", "Listing of an address",
          "address-delisting", "Delisting of an address",
          "policy", "Policy",
          "policy-halt", "Halt of the network",
          "policy-halt-lifting", "End of the halt");

  private static final Map<String, String> OBJECTIONS =
      Map.of(
          "no-end-mark", "The file has no end mark: the download may be cut.",
          "older-publication",
              "The file is older than the list in force, or does not say when it was published.",
          "future-publication", "The file says that it was published after tomorrow.",
          "removes-many", "The file removes more than 2 % of the entries in force.",
          "changes-many", "The file changes more than 20 % of the entries in force.",
          "many-malformed", "Many entries of the file cannot be read.");

  /** Its kind in words. */
  public String title() {
    return KINDS.getOrDefault(kind, kind);
  }

  public boolean isPending() {
    return state.equals("pending");
  }

  /** The roles whose domain it is. */
  public Set<String> roles() {
    return roles(kind);
  }

  /** The roles whose domain a kind is. */
  static Set<String> roles(String kind) {
    return kind.startsWith("policy")
        ? Set.of(Roles.RULES_APPROVER, Roles.POLICY_OPERATOR)
        : Set.of(Roles.LIST_APPROVER, Roles.SANCTIONS_OPERATOR);
  }

  /** A text of the payload; empty if there is none. */
  public String text(String field) {
    return payload.path(field).asString("");
  }

  /** A number of the payload; 0 if there is none. */
  public long number(String field) {
    return payload.path(field).asLong(0);
  }

  /** What speaks against a list's file, in words. */
  public List<String> objections() {
    List<String> words = new ArrayList<>();
    payload
        .path("objections")
        .forEach(code -> words.add(OBJECTIONS.getOrDefault(code.asString(""), code.asString(""))));
    return words;
  }

  /** Whether the approver has to say why it is right although something speaks against it. */
  public boolean needsConfirmation() {
    return kind.equals("policy-halt") || payload.path("objections").size() > 0;
  }

  /** What the decision led to, field by field, in words. */
  public Map<String, String> results() {
    Map<String, String> results = new LinkedHashMap<>();
    if (outcome != null) {
      outcome.forEachEntry((field, value) -> {
        if (value.isValueNode() && !value.isNull()) {
          results.put(words(field), value.asString());
        }
      });
    }
    return results;
  }

  /** A field's name such as fileDigest in words: File digest. */
  private static String words(String field) {
    String apart = field.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    return Character.toUpperCase(apart.charAt(0)) + apart.substring(1);
  }
}
