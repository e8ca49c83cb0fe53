package io.solidus.operator.sanctions.screening;

import io.solidus.platform.security.Roles;
import io.solidus.protocol.ProtocolException;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Screens a person's name against the lists. Nothing of a request is stored or logged. */
@RestController
@RequestMapping("/admin/v1/sanctions/screenings")
public class ScreeningController {
  private static final int MAX_NAME_CHARS = 512;

  private final ScreeningService screening;

  ScreeningController(ScreeningService screening) {
    this.screening = screening;
  }

  /**
   * The person to screen.
   *
   * @param fullName in any script and order
   * @param birthDate ISO date; its year ranks the matches
   * @param nationality not used, because lists have nationalities as free text
   * @param entities also match organisations
   */
  public record Request(
      @Nullable String fullName,
      @Nullable String birthDate,
      @Nullable String nationality,
      @Nullable Boolean entities) {}

  /**
   * A match as the API shows it.
   *
   * @param score likeness of the names alone, 0 to 1
   * @param birthYear agrees, close, differs or unknown
   */
  public record MatchView(
      String list,
      String reference,
      String kind,
      String name,
      boolean weakAlias,
      double score,
      String birthYear) {}

  /** A list that was searched, and its version. */
  public record Searched(String list, long version) {}

  /** The matches, the best first. */
  public record Reply(List<MatchView> matches, List<Searched> lists, double threshold) {}

  @PostMapping
  @PreAuthorize(
      "hasAnyRole('"
          + Roles.SANCTIONS_OPERATOR
          + "', '"
          + Roles.KYC_OPERATOR
          + "', '"
          + Roles.SERVICE
          + "')")
  public Reply screen(@RequestBody Request request) {
    String name = request.fullName();
    if (name == null || name.isBlank() || name.length() > MAX_NAME_CHARS) {
      throw ProtocolException.malformed(
          "fullName must have 1 to " + MAX_NAME_CHARS + " characters");
    }
    boolean entities = Boolean.TRUE.equals(request.entities());
    ScreeningService.Result result =
        screening.screen(name, birthYear(request.birthDate()), entities);
    List<Searched> lists =
        result.versions().entrySet().stream()
            .filter(head -> head.getValue() > 0)
            .map(head -> new Searched(head.getKey().id(), head.getValue()))
            .sorted(Comparator.comparing(Searched::list))
            .toList();
    return new Reply(
        result.matches().stream().map(ScreeningController::view).toList(),
        lists,
        result.threshold());
  }

  private static @Nullable Integer birthYear(@Nullable String birthDate) {
    if (birthDate == null || birthDate.isEmpty()) {
      return null;
    }
    try {
      return LocalDate.parse(birthDate).getYear();
    } catch (DateTimeParseException e) {
      throw ProtocolException.malformed("birthDate is not a date (yyyy-mm-dd)");
    }
  }

  private static MatchView view(Match match) {
    return new MatchView(
        match.list().id(),
        match.reference(),
        match.kind().name().toLowerCase(Locale.ROOT),
        match.name(),
        match.weakAlias(),
        Math.round(match.score() * 1000) / 1000.0,
        match.birthYear().id());
  }
}
