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

/** Screening of a person's name. Nothing of a request is stored or logged. */
@RestController
@RequestMapping("/admin/v1/sanctions/screenings")
public class ScreeningController {
  private static final int MAX_NAME_CHARS = 512;

  private final Screening screening;

  ScreeningController(Screening screening) {
    this.screening = screening;
  }

  /**
   * @param fullName in any script and order
   * @param birthDate ISO date; its year ranks the matches
   * @param nationality accepted and not used: the lists write nationalities as free text
   * @param entities also match organisations
   */
  public record Request(
      @Nullable String fullName,
      @Nullable String birthDate,
      @Nullable String nationality,
      @Nullable Boolean entities) {}

  /**
   * @param score 0 to 1, of the names alone
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

  /** The version of a list that was searched. */
  public record Searched(String list, long version) {}

  /** The best match first. */
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
      throw ProtocolException.malformed("fullName has 1 to " + MAX_NAME_CHARS + " characters");
    }
    boolean entities = Boolean.TRUE.equals(request.entities());
    Screening.Result result = screening.screen(name, birthYear(request.birthDate()), entities);
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
