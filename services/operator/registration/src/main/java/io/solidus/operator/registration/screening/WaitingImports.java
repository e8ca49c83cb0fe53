package io.solidus.operator.registration.screening;

import io.solidus.operator.registration.person.Person;
import io.solidus.platform.security.BearerToken;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Client of the sanctions service for imports of lists that wait for their second person. */
public final class WaitingImports implements AutoCloseable {
  private static final int MAX_ANSWER_BYTES = 256 * 1024;

  private final SanctionsCalls calls;
  private final SanctionsCalls.Limits limits;

  private record Imports(@Nullable List<UUID> imports) {}

  private record Batch(List<SanctionsCalls.Asked> persons) {}

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
   * For each person how many entries match that an import adds or changes.
   *
   * @param persons at most {@link Screening#MAX_BATCH}
   * @throws ScreeningUnavailableException when there is no answer, or the import does not wait
   */
  public List<Integer> screen(UUID id, List<Person> persons) {
    Batch batch = new Batch(persons.stream().map(SanctionsCalls.Asked::of).toList());
    List<Integer> matches =
        calls.post("imports/" + id + "/screenings", batch, limits, Hits.class).matches();
    if (matches == null || matches.size() != persons.size()) {
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
