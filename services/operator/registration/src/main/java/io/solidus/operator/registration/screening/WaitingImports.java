package io.solidus.operator.registration.screening;

import io.solidus.operator.registration.person.Applicant;
import io.solidus.platform.security.BearerToken;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Client of the sanctions service for imports of lists that wait for their second person. */
public final class WaitingImports implements AutoCloseable {
  private static final int MAX_ANSWER_BYTES = 256 * 1024;

  private final SanctionsCalls calls;
  private final SanctionsCalls.Limits limits;

  private record Imports(@Nullable List<UUID> imports) {}

  private record Batch(List<ScreenedName> persons) {}

  private record Hits(@Nullable List<Integer> matches) {}

  private record Result(long screened, long hit, List<UUID> cases) {}

  /**
   * Creates the client.
   *
   * @param http closed with this client
   * @param base URL of the sanctions service
   * @param token of this service; null when network rules protect the sanctions service
   * @param timeout of a whole call; the first for an import waits until its index is built
   */
  public WaitingImports(HttpClient http, URI base, @Nullable BearerToken token, Duration timeout) {
    this.calls = new SanctionsCalls(http, base, token);
    this.limits = new SanctionsCalls.Limits(timeout, MAX_ANSWER_BYTES);
  }

  /**
   * The imports whose customers nobody has looked for.
   *
   * @throws ScreeningUnavailableException when there is no answer
   */
  public List<UUID> unscreened() {
    List<UUID> found = calls.get("imports/unscreened", limits, Imports.class).imports();
    return found == null ? List.of() : found;
  }

  /**
   * For each applicant how many entries match that an import adds or changes; of an organisation
   * the people behind it count too.
   *
   * @param applicants at most {@link Screening#MAX_BATCH}
   * @throws ScreeningUnavailableException when there is no answer, or the import does not wait
   */
  public List<Integer> screen(UUID id, List<? extends Applicant> applicants) {
    List<Integer> all = new ArrayList<>();
    for (List<Applicant> call : ScreenedName.calls(applicants, Screening.MAX_BATCH)) {
      List<List<ScreenedName>> names = call.stream().map(ScreenedName::of).toList();
      Iterator<Integer> matches =
          matches(id, names.stream().flatMap(List::stream).toList()).iterator();
      names.forEach(each -> all.add(each.stream().mapToInt(name -> matches.next()).sum()));
    }
    return all;
  }

  private List<Integer> matches(UUID id, List<ScreenedName> names) {
    List<Integer> matches =
        calls.post("imports/" + id + "/screenings", new Batch(names), limits, Hits.class).matches();
    if (matches == null || matches.size() != names.size()) {
      throw SanctionsCalls.incomplete();
    }
    return matches;
  }

  /**
   * Says which customers an import hits.
   *
   * @param cases ids of the first of them, 100 at most
   * @throws ScreeningUnavailableException when there is no answer, or the import does not wait
   */
  public void report(UUID id, long screened, long hit, List<UUID> cases) {
    calls.put("imports/" + id + "/customers", new Result(screened, hit, cases), limits);
  }

  @Override
  public void close() {
    calls.close();
  }
}
