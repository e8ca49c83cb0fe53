package io.solidus.operator.sanctions.screening;

import io.solidus.operator.sanctions.list.EntryKind;
import io.solidus.operator.sanctions.list.ListId;
import io.solidus.platform.audit.AuditLog;
import io.solidus.platform.bank.EveryBank;
import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.json.Member;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.core.Authentication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Screens persons against the lists. Nothing of a request is stored or logged. That somebody
 * screened by hand, and what came of it, is an event; what the registration screens is one there.
 */
@RestController
@Tag(
    name = "Screening",
    description = "Compares persons with the lists. Nothing of a request is stored or logged.")
@RequestMapping("/admin/v1/sanctions")
@EveryBank("the lists are the same for everybody")
public class ScreeningController {
  private static final String SCREENERS =
      "hasAnyRole('"
          + Roles.SANCTIONS_OPERATOR
          + "', '"
          + Roles.KYC_OPERATOR
          + "', '"
          + Roles.SERVICE
          + "')";
  private static final int MAX_NAME_CHARS = 512;
  private static final int MAX_DOCUMENTS = 32;
  private static final int MAX_DOCUMENT_CHARS = 64;
  private static final int MAX_BATCH = 500;

  private final ScreeningService screening;
  private final AuditLog audit;

  ScreeningController(ScreeningService screening, AuditLog audit) {
    this.screening = screening;
    this.audit = audit;
  }

  /**
   * The person to screen.
   *
   * @param fullName in any script and order
   * @param latinName the name as her document writes it in Latin letters; compared beside fullName
   * @param birthDate ISO date; raises or lowers the score of a match
   * @param nationality ISO 3166 code of two letters; raises the score of a match that has it
   * @param gender male or female; lowers the score of a match that has the other
   * @param documentNumbers of her passports and identity cards; who has a listed one is a match
   * @param entities also match organisations
   */
  public record Request(
      @Member @Nullable String fullName,
      @Nullable String latinName,
      @Member(optional = true, format = "date") @Nullable String birthDate,
      @Nullable String nationality,
      @Member(optional = true, pattern = "male|female") @Nullable String gender,
      @Nullable List<@Nullable String> documentNumbers,
      @Nullable Boolean entities) {}

  /**
   * Many persons.
   *
   * @param persons 1 to 500
   * @param entriesSince versions of lists by their ids: only entries that are new or changed since
   *     then are compared. For persons whom a screening against these versions cleared.
   */
  public record Batch(
      @Member(min = 1, max = MAX_BATCH) @Nullable List<@Nullable Request> persons,
      @Nullable Map<String, Long> entriesSince) {}

  /**
   * A line of an explanation.
   *
   * @param part name, birth-date, document, nationality or gender
   * @param asked a part of the person's name in Latin letters; empty for other evidence
   * @param listed the like part of the listed name; empty for other evidence
   * @param how for a name: equal, sound, spelling, consonants, initial, joined, missing; for other
   *     evidence how it agrees
   * @param value for a name the likeness of the two parts, 0 to 1; for other evidence what it adds
   *     to the score
   */
  public record Explanation(String part, String asked, String listed, String how, double value) {}

  /**
   * A match as the API shows it.
   *
   * @param key names the entry, whatever the version of its list
   * @param score of all evidence, 0 to 1
   * @param likeness of the names alone, 0 to 1
   * @param birthYear agrees, close, differs or unknown
   * @param entryDigest changes when the list says something else of the entry
   */
  public record MatchView(
      String key,
      String list,
      String reference,
      String kind,
      String name,
      boolean weakAlias,
      double score,
      double likeness,
      String birthYear,
      String entryDigest,
      List<Explanation> explanation) {}

  /** A list that was searched, and its version. */
  public record Searched(String list, long version) {}

  /**
   * What a screening was made against.
   *
   * @param matcher version of the comparison of names
   * @param threshold the least score of a match
   */
  public record Basis(List<Searched> lists, String matcher, double threshold) {}

  /**
   * The matches, the best first.
   *
   * @param lists those of the basis
   * @param threshold that of the basis
   * @param verdict clear, match or unreadable
   * @param cut whether there are more matches than are shown
   */
  public record Reply(
      List<MatchView> matches,
      List<Searched> lists,
      double threshold,
      Basis basis,
      String verdict,
      boolean cut) {}

  /** The replies in the order of the persons. */
  public record Replies(Basis basis, List<Reply> answers) {}

  @Operation(summary = "Screens one person against the newest lists")
  @PostMapping("/screenings")
  @PreAuthorize(SCREENERS)
  public Reply screen(@RequestBody Request request, Authentication caller) {
    Reply reply = reply(screening.screen(asked(request)));
    recordByHand(caller, "name screened", reply.verdict());
    return reply;
  }

  private void recordByHand(Authentication caller, String kind, String object) {
    if (caller.getAuthorities().stream()
        .noneMatch(role -> ("ROLE_" + Roles.SERVICE).equals(role.getAuthority()))) {
      audit.add(Operator.current().subject(), kind, object);
    }
  }

  /** Screens many persons against the same versions of the lists. */
  @Operation(summary = "Screens up to 500 persons against the same versions of the lists")
  @PostMapping("/screenings/batch")
  @PreAuthorize(SCREENERS)
  public Replies screenAll(@RequestBody Batch batch, Authentication caller) {
    List<Asked> asked = asked(batch);
    List<ScreeningService.Result> results = screening.screen(asked, since(batch.entriesSince()));
    recordByHand(caller, "names screened", results.size() + " names");
    return new Replies(
        basis(results.getFirst().basis()),
        results.stream().map(ScreeningController::reply).toList());
  }

  static List<Asked> asked(Batch batch) {
    List<@Nullable Request> persons = batch.persons();
    if (persons == null || persons.isEmpty() || persons.size() > MAX_BATCH) {
      throw ProtocolException.malformed("persons must have 1 to " + MAX_BATCH + " elements");
    }
    List<Asked> asked = new ArrayList<>(persons.size());
    for (Request request : persons) {
      if (request == null) {
        throw ProtocolException.malformed("an element of persons is null");
      }
      asked.add(asked(request));
    }
    return asked;
  }

  /** What a screening is made against now. */
  @Operation(summary = "What a screening is made against now: list versions, matcher, threshold")
  @GetMapping("/basis")
  @PreAuthorize(
      "hasAnyRole('"
          + Roles.SANCTIONS_OPERATOR
          + "', '"
          + Roles.KYC_OPERATOR
          + "', '"
          + Roles.AUDITOR
          + "', '"
          + Roles.SERVICE
          + "')")
  public Basis basis() {
    return basis(screening.basis());
  }

  private static Asked asked(Request request) {
    String name = name("fullName", request.fullName());
    String latin = request.latinName();
    boolean entities = Boolean.TRUE.equals(request.entities());
    return new Asked(
        latin == null || latin.isBlank() || latin.equals(name)
            ? List.of(name)
            : List.of(name, name("latinName", latin)),
        birthDate(request.birthDate()),
        request.nationality() == null ? "" : request.nationality(),
        gender(request.gender()),
        documents(request.documentNumbers()),
        entities
            ? Set.copyOf(EnumSet.of(EntryKind.INDIVIDUAL, EntryKind.ENTITY))
            : Set.of(EntryKind.INDIVIDUAL));
  }

  private static String name(String field, @Nullable String name) {
    if (name == null || name.isBlank() || name.length() > MAX_NAME_CHARS) {
      throw ProtocolException.malformed(
          field + " must have 1 to " + MAX_NAME_CHARS + " characters");
    }
    return name;
  }

  private static @Nullable LocalDate birthDate(@Nullable String birthDate) {
    if (birthDate == null || birthDate.isEmpty()) {
      return null;
    }
    try {
      return LocalDate.parse(birthDate);
    } catch (DateTimeParseException e) {
      throw ProtocolException.malformed("birthDate is not a date (yyyy-mm-dd)");
    }
  }

  private static String gender(@Nullable String gender) {
    if (gender == null || gender.isEmpty()) {
      return "";
    }
    String lower = gender.toLowerCase(Locale.ROOT);
    if (!lower.equals("male") && !lower.equals("female")) {
      throw ProtocolException.malformed("gender is male, female or absent");
    }
    return lower;
  }

  private static List<String> documents(@Nullable List<@Nullable String> documents) {
    if (documents == null) {
      return List.of();
    }
    if (documents.size() > MAX_DOCUMENTS) {
      throw ProtocolException.malformed(
          "documentNumbers may have " + MAX_DOCUMENTS + " elements at most");
    }
    List<String> numbers = new ArrayList<>(documents.size());
    for (String document : documents) {
      if (document == null || document.isBlank() || document.length() > MAX_DOCUMENT_CHARS) {
        throw ProtocolException.malformed(
            "a document number must have 1 to " + MAX_DOCUMENT_CHARS + " characters");
      }
      numbers.add(document);
    }
    return numbers;
  }

  private static @Nullable Map<ListId, Long> since(@Nullable Map<String, Long> versions) {
    if (versions == null) {
      return null;
    }
    Map<ListId, Long> since = new EnumMap<>(ListId.class);
    versions.forEach((list, version) -> {
      ListId id =
          ListId.of(list)
              .orElseThrow(() ->
                  ProtocolException.malformed("entriesSince names a list that does not exist"));
      if (version == null || version < 0) {
        throw ProtocolException.malformed("entriesSince has a version that is no number");
      }
      since.put(id, version);
    });
    return since;
  }

  private static Reply reply(ScreeningService.Result result) {
    Basis basis = basis(result.basis());
    return new Reply(
        result.matches().stream().map(ScreeningController::view).toList(),
        basis.lists(),
        basis.threshold(),
        basis,
        result.verdict().name().toLowerCase(Locale.ROOT),
        result.cut());
  }

  private static Basis basis(ScreeningService.Basis basis) {
    List<Searched> lists =
        basis.versions().entrySet().stream()
            .filter(head -> head.getValue() > 0)
            .map(head -> new Searched(head.getKey().id(), head.getValue()))
            .sorted(Comparator.comparing(Searched::list))
            .toList();
    return new Basis(lists, basis.matcher(), basis.threshold());
  }

  private static MatchView view(Match match) {
    List<Explanation> explanation =
        Stream.concat(
                match.tokens().stream()
                    .map(token ->
                        new Explanation(
                            "name",
                            token.asked(),
                            token.listed(),
                            token.how(),
                            rounded(token.likeness()))),
                match.evidence().stream()
                    .map(evidence ->
                        new Explanation(
                            evidence.kind(), "", "", evidence.says(), rounded(evidence.effect()))))
            .toList();
    return new MatchView(
        match.list().id() + ':' + match.reference(),
        match.list().id(),
        match.reference(),
        match.kind().name().toLowerCase(Locale.ROOT),
        match.name(),
        match.weakAlias(),
        rounded(match.score()),
        rounded(match.likeness()),
        match.birth().year(),
        match.digest(),
        explanation);
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
