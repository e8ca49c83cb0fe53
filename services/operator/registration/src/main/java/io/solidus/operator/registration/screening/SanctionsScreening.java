package io.solidus.operator.registration.screening;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.solidus.operator.registration.person.Applicant;
import io.solidus.platform.security.BearerToken;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Client of the sanctions service. Only a well-formed answer with status 200 counts, because a
 * missing answer must never clear a person.
 */
public final class SanctionsScreening implements Screening, AutoCloseable {
  private static final int MAX_ANSWER_BYTES = 256 * 1024;
  private static final int MAX_BATCH_BYTES = 16 * 1024 * 1024;

  private final SanctionsCalls calls;
  private final SanctionsCalls.Limits one;
  private final SanctionsCalls.Limits several;
  private final SanctionsCalls.Limits many;
  private final Set<String> requiredLists;

  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Batch(List<ScreenedName> persons, @Nullable Map<String, Long> entriesSince) {}

  private record Basis(
      @Nullable List<ScreeningBasis.@Nullable ListVersion> lists,
      @Nullable String matcher,
      @Nullable Double threshold) {}

  private record Answer(
      @Nullable Basis basis,
      @Nullable String verdict,
      @Nullable Boolean cut,
      @Nullable List<@Nullable ScreeningMatch> matches) {}

  private record Answers(@Nullable List<@Nullable Answer> answers) {}

  /**
   * Creates the client.
   *
   * @param http closed with this client
   * @param base URL of the sanctions service
   * @param token of this service; null when network rules protect the sanctions service
   * @param timeout of a whole call for one person
   * @param batchTimeout of a whole call for {@link #MAX_BATCH} persons
   * @param requiredLists lists that a screening must have searched, else its answer is rejected
   */
  public SanctionsScreening(
      HttpClient http,
      URI base,
      @Nullable BearerToken token,
      Duration timeout,
      Duration batchTimeout,
      Set<String> requiredLists) {
    this.calls = new SanctionsCalls(http, base, token);
    this.one = new SanctionsCalls.Limits(timeout, MAX_ANSWER_BYTES);
    this.several = new SanctionsCalls.Limits(timeout, MAX_BATCH_BYTES);
    this.many = new SanctionsCalls.Limits(batchTimeout, MAX_BATCH_BYTES);
    this.requiredLists = Set.copyOf(requiredLists);
  }

  @Override
  public ScreeningResult screen(Applicant applicant) {
    List<ScreenedName> names = ScreenedName.of(applicant);
    return names.size() == 1
        ? result(calls.post("screenings", names.getFirst(), one, Answer.class))
        : ScreeningResult.ofAll(names, results(names, null, several));
  }

  @Override
  public List<ScreeningResult> screenAll(
      List<? extends Applicant> applicants, @Nullable ScreeningBasis since) {
    if (applicants.size() > MAX_BATCH) {
      throw new IllegalArgumentException("more than " + MAX_BATCH + " applicants");
    }
    List<ScreeningResult> all = new ArrayList<>();
    for (List<Applicant> call : ScreenedName.calls(applicants, MAX_BATCH)) {
      List<List<ScreenedName>> names = call.stream().map(ScreenedName::of).toList();
      Iterator<ScreeningResult> results =
          results(names.stream().flatMap(List::stream).toList(), since, many).iterator();
      for (List<ScreenedName> each : names) {
        List<ScreeningResult> own = each.stream().map(name -> results.next()).toList();
        all.add(each.size() == 1 ? own.getFirst() : ScreeningResult.ofAll(each, own));
      }
    }
    return all;
  }

  private List<ScreeningResult> results(
      List<ScreenedName> names, @Nullable ScreeningBasis since, SanctionsCalls.Limits limits) {
    Batch body = new Batch(names, since == null ? null : since.versions());
    List<@Nullable Answer> answers =
        calls.post("screenings/batch", body, limits, Answers.class).answers();
    if (answers == null || answers.size() != names.size()) {
      throw SanctionsCalls.incomplete();
    }
    List<ScreeningResult> results = new ArrayList<>();
    answers.forEach(answer -> results.add(result(answer)));
    return results;
  }

  @Override
  public ScreeningBasis basis() {
    return basis(calls.get("basis", one, Basis.class));
  }

  private ScreeningResult result(@Nullable Answer answer) {
    if (answer == null || answer.matches() == null) {
      throw SanctionsCalls.incomplete();
    }
    List<ScreeningMatch> matches = new ArrayList<>();
    for (ScreeningMatch match : answer.matches()) {
      if (!isComplete(match)) {
        throw SanctionsCalls.incomplete();
      }
      matches.add(match);
    }
    ScreeningBasis basis = basis(answer.basis());
    if (Boolean.TRUE.equals(answer.cut())) {
      matches.add(ScreeningMatch.reason(ScreeningMatch.MORE, "cut", basis));
    }
    ScreeningResult.Verdict verdict = verdict(String.valueOf(answer.verdict()), matches);
    if (verdict == ScreeningResult.Verdict.UNREADABLE) {
      matches.add(ScreeningMatch.reason(ScreeningMatch.UNREADABLE, "name", basis));
    }
    return new ScreeningResult(basis, verdict, matches);
  }

  /** A verdict that this service does not know clears nobody. */
  private static ScreeningResult.Verdict verdict(String verdict, List<ScreeningMatch> matches) {
    return switch (verdict) {
      case "clear", "match" -> {
        if (verdict.equals("match") && matches.isEmpty()) {
          throw SanctionsCalls.incomplete();
        }
        yield matches.isEmpty() ? ScreeningResult.Verdict.CLEAR : ScreeningResult.Verdict.MATCH;
      }
      case "unreadable" -> ScreeningResult.Verdict.UNREADABLE;
      default -> throw SanctionsCalls.incomplete();
    };
  }

  private ScreeningBasis basis(@Nullable Basis basis) {
    if (basis == null
        || basis.lists() == null
        || basis.matcher() == null
        || basis.threshold() == null) {
      throw SanctionsCalls.incomplete();
    }
    List<ScreeningBasis.ListVersion> lists = new ArrayList<>();
    for (ScreeningBasis.ListVersion each : basis.lists()) {
      if (each == null || each.list() == null) {
        throw SanctionsCalls.incomplete();
      }
      lists.add(each);
    }
    Set<String> searched =
        lists.stream().map(ScreeningBasis.ListVersion::list).collect(Collectors.toSet());
    if (!searched.containsAll(requiredLists)) {
      throw new ScreeningUnavailableException(
          "the sanctions service did not search every required list");
    }
    return new ScreeningBasis(lists, basis.matcher(), basis.threshold());
  }

  private static boolean isComplete(@Nullable ScreeningMatch match) {
    return match != null && match.list() != null && match.reference() != null;
  }

  @Override
  public void close() {
    calls.close();
  }
}
