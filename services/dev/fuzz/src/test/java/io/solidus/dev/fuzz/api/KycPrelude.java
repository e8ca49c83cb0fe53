package io.solidus.dev.fuzz.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.sandbox.demo.Actor;
import io.solidus.dev.sandbox.demo.Stage;
import io.solidus.dev.testkit.Eventually;
import io.solidus.wallet.gateway.Person;
import io.solidus.wallet.model.RegistrationStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The life of a registration, of a person who is listed, and of one who registers twice. */
final class KycPrelude {
  /** An individual of the bundled UN list, who is invented. */
  static final String LISTED_GIVEN = "VASKELL";

  static final String LISTED_FAMILY = "ANDREI MORODAN";

  private static final String CASES = "/admin/v1/kyc/cases/";
  private static final Duration LIMIT = Duration.ofSeconds(40);

  private final Desk desk;
  private final Stage stage;

  KycPrelude(Desk desk, Stage stage) {
    this.desk = desk;
    this.stage = stage;
  }

  /** Registers a person, changes her details and her standing, and leaves her as a customer. */
  void register(Actor actor) {
    Person person = actor.person();
    String path = CASES + submit(actor, person, "pending");
    desk.propose(path + "/claim", Map.of("takeOver", true));
    JsonNode mine = desk.propose("/admin/v1/kyc/search", Map.of("mine", true));
    assertThat(mine.path("cases")).hasSize(1);
    desk.propose(path + "/release", Map.of());
    desk.propose(path + "/approve", Map.of());
    assertThat(actor.wallet().awaitRegistration(LIMIT).stage())
        .isEqualTo(RegistrationStatus.Stage.REGISTERED);
    change(path, person);
    stepByStep(path);
    assertThat(desk.read(path + "/export").path("cases")).hasSize(1);
  }

  private void change(String path, Person person) {
    Map<String, Object> married =
        Map.of(
            "person",
            Map.of(
                "givenName", person.givenName(),
                "familyName", "Quillfeather",
                "birthDate", person.birthDate().toString(),
                "nationality", person.nationality(),
                "documentNumber", person.documentNumber()),
            "reason",
            "marriage certificate seen");
    for (String decision : List.of("refuse", "accept")) {
      JsonNode file = desk.propose(path + "/changes", married);
      desk.decide(path + "/changes/" + newest(file, "changes", "changeId") + "/" + decision);
    }
  }

  private void stepByStep(String path) {
    step(path, "suspend", "refuse");
    step(path, "suspend", "accept");
    step(path, "resume", "accept");
  }

  private void step(String path, String kind, String decision) {
    JsonNode file = desk.propose(path + "/steps", Map.of("kind", kind, "reason", "a court order"));
    desk.decide(path + "/steps/" + newest(file, "steps", "stepId") + "/" + decision);
  }

  private static String newest(JsonNode file, String list, String id) {
    JsonNode all = file.path(list);
    return all.get(all.size() - 1).path(id).asString();
  }

  /** Somebody with the name of a listed person, whom two officers find to be another one. */
  void registerListed() throws IOException {
    try (Actor actor = Actor.enter(stage, "Listed")) {
      Person person =
          new Person(LISTED_GIVEN, LISTED_FAMILY, LocalDate.of(1964, 3, 9), "FR", "LISTED01");
      String path = CASES + submit(actor, person, "review");
      for (JsonNode match : desk.read(path).path("matches")) {
        Map<String, Object> another =
            Map.of(
                "key",
                match.path("key").asString(),
                "entryDigest",
                match.path("entryDigest").asString(),
                "verdict",
                "false-positive",
                "reason",
                "another birth place");
        desk.propose(path + "/dispositions", another);
        desk.decide(path + "/dispositions/confirm", another);
      }
    }
  }

  /** A customer who comes again with another document. */
  void registerAgain(Person known) throws IOException {
    try (Actor actor = Actor.enter(stage, "Again")) {
      Person again =
          new Person(
              known.givenName().toUpperCase(Locale.ROOT),
              known.familyName(),
              known.birthDate(),
              "GB",
              "CARD" + known.documentNumber());
      String path = CASES + submit(actor, again, "possible-duplicate");
      JsonNode sideBySide = desk.read(path + "/duplicates");
      assertThat(sideBySide.path("others")).hasSize(1);
    }
  }

  /** Submits, and returns the case's id once its screening has led to a status. */
  private String submit(Actor actor, Person person, String status) {
    actor.wallet().register(person);
    List<String> found = new ArrayList<>();
    Eventually.holds(
        LIMIT,
        () -> {
          find(status, person.familyName()).ifPresent(found::add);
          assertThat(found).as("cases in status " + status).isNotEmpty();
        });
    return found.getLast();
  }

  private Optional<String> find(String status, String familyName) {
    try {
      return stage.operators().findCase(status, familyName);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
