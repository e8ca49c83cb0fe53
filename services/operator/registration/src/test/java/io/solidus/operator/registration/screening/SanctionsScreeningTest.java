package io.solidus.operator.registration.screening;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.solidus.operator.registration.person.Persons;
import io.solidus.platform.http.HttpClients;
import io.solidus.platform.security.BearerToken;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SanctionsScreeningTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Duration SHORT_TIMEOUT = Duration.ofMillis(800);
  private static final HttpClients CLIENTS = new HttpClients(null);
  private FakeSanctions sanctions;

  @BeforeEach
  void start() throws IOException {
    sanctions = new FakeSanctions();
  }

  @AfterEach
  void stop() {
    sanctions.close();
  }

  @Test
  void sendsNameBirthDateAndNationality() {
    assertThat(screening(null, Set.of()).screen(Persons.ada()).matches()).isEmpty();
    assertThat(sanctions.requests())
        .containsExactly(
            "{\"fullName\":\"Ada Lovelace\",\"birthDate\":\"1985-12-10\",\"nationality\":\"GB\",\"documentNumbers\":[\"AL 1815-10\"]}");
    assertThat(sanctions.authorizations()).containsExactly("null");
  }

  @Test
  void readsMatches() {
    sanctions.answer(200, FakeSanctions.ONE_MATCH);
    ScreeningResult result = screening(null, Set.of("un")).screen(Persons.ada());
    assertThat(result.verdict()).isEqualTo(ScreeningResult.Verdict.MATCH);
    assertThat(result.basis())
        .isEqualTo(new ScreeningBasis(List.of(new ScreeningBasis.ListVersion("un", 3)), "7", 0.8));
    ScreeningMatch match = result.matches().getFirst();
    assertThat(match.reference()).isEqualTo("QDi.001");
    assertThat(match.stableKey()).isEqualTo("un:QDi.001");
    assertThat(match.contentDigest()).isEqualTo("digest-1");
    assertThat(match.explanation()).isNotNull();
  }

  @Test
  void readsTheTokenForEveryCall(@TempDir Path dir) throws IOException {
    Path token = Files.writeString(dir.resolve("token"), "one\n");
    SanctionsScreening screening = screening(token, Set.of());
    screening.screen(Persons.ada());
    Files.writeString(token, "two\n");
    screening.screen(Persons.ada());
    assertThat(sanctions.authorizations()).containsExactly("Bearer one", "Bearer two");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{}",
        "{\"matches\":null}",
        "{\"matches\":[null]}",
        "{\"matches\":[{\"score\":1}]}",
        "{\"matches\":",
        "{\"matches\":[]}",
        "{\"matches\":[],\"lists\":[],\"threshold\":1}",
        "{\"matches\":[],\"verdict\":\"clear\",\"basis\":{}}",
        "{\"matches\":[],\"verdict\":\"match\",\"basis\":{\"lists\":[],\"matcher\":\"7\",\"threshold\":1}}",
        "{\"matches\":[],\"verdict\":\"new\",\"basis\":{\"lists\":[],\"matcher\":\"7\",\"threshold\":1}}",
        "<html>"
      })
  void anIncompleteAnswerClearsNobody(String answer) {
    sanctions.answer(200, answer);
    assertUnavailable(screening(null, Set.of()));
  }

  @ParameterizedTest
  @ValueSource(ints = {201, 302, 400, 401, 403, 404, 429, 500, 503})
  void anyOtherStatusClearsNobody(int status) {
    sanctions.answer(status, FakeSanctions.NO_MATCH);
    assertUnavailable(screening(null, Set.of()));
  }

  @Test
  void aSearchWithoutARequiredListClearsNobody() {
    assertUnavailable(screening(null, Set.of("un", "ofac")));
    assertThat(screening(null, Set.of("un")).screen(Persons.ada()).matches()).isEmpty();
  }

  @Test
  void whatCannotBeReadOrWasCutIsNotClear() {
    String basis = ",\"basis\":{\"lists\":[],\"matcher\":\"7\",\"threshold\":1}}";
    sanctions.answer(200, "{\"matches\":[],\"verdict\":\"unreadable\"" + basis);
    assertThat(screening(null, Set.of()).screen(Persons.ada()).matches())
        .extracting(ScreeningMatch::list)
        .containsExactly(ScreeningMatch.UNREADABLE);
    sanctions.answer(
        200,
        "{\"matches\":["
            + FakeSanctions.match("un", "QDi.001", "d")
            + "],\"cut\":true,\"verdict\":\"match\""
            + basis);
    assertThat(screening(null, Set.of()).screen(Persons.ada()).matches())
        .extracting(ScreeningMatch::list)
        .containsExactly("un", ScreeningMatch.MORE);
  }

  /** What an officer found behind the shown matches counts for the lists that she looked at. */
  @Test
  void newerListsNeedAnotherLookBehindWhatWasCut() {
    assertThat(moreMatches("7")).isEqualTo(moreMatches("7")).isNotEqualTo(moreMatches("8"));
  }

  private String moreMatches(String matcher) {
    sanctions.answer(
        200,
        "{\"matches\":["
            + FakeSanctions.match("un", "QDi.001", "d")
            + "],\"cut\":true,\"verdict\":\"match\",\"basis\":{\"lists\":[],\"matcher\":\""
            + matcher
            + "\",\"threshold\":1}}");
    return screening(null, Set.of()).screen(Persons.ada()).matches().getLast().contentDigest();
  }

  @Test
  void aBatchHasAnAnswerForEachPerson() {
    SanctionsScreening screening = screening(null, Set.of("un"));
    assertThat(screening.screenAll(List.of(Persons.ada(), Persons.ada()), null)).hasSize(2);
    assertThat(screening.basis()).isEqualTo(screening.screen(Persons.ada()).basis());
  }

  @Test
  void refusesAnAnswerThatIsTooLong() {
    sanctions.answer(200, "{\"matches\":[],\"x\":\"" + "y".repeat(300_000) + "\"}");
    assertUnavailable(screening(null, Set.of()));
  }

  @Test
  void theTimeoutCoversASlowBody() {
    sanctions.delayBody(Duration.ofHours(1).toMillis());
    assertUnavailable(
        new SanctionsScreening(
            CLIENTS.open(SHORT_TIMEOUT),
            sanctions.url(),
            null,
            SHORT_TIMEOUT,
            SHORT_TIMEOUT,
            Set.of()));
  }

  @Test
  void anUnreachableServiceClearsNobody() {
    URI url = sanctions.url();
    sanctions.close();
    assertUnavailable(
        new SanctionsScreening(CLIENTS.open(TIMEOUT), url, null, TIMEOUT, TIMEOUT, Set.of()));
  }

  @Test
  void aMissingTokenClearsNobody(@TempDir Path dir) {
    assertUnavailable(screening(dir.resolve("missing"), Set.of()));
    assertThat(sanctions.requests()).isEmpty();
  }

  private SanctionsScreening screening(@Nullable Path token, Set<String> required) {
    return new SanctionsScreening(
        CLIENTS.open(TIMEOUT),
        sanctions.url(),
        token == null ? null : BearerToken.ofFile(token),
        TIMEOUT,
        TIMEOUT,
        required);
  }

  private static void assertUnavailable(SanctionsScreening screening) {
    assertThatExceptionOfType(ScreeningUnavailableException.class)
        .isThrownBy(() -> screening.screen(Persons.ada()))
        .withMessageNotContainingAny("Ada", "Lovelace");
  }
}
