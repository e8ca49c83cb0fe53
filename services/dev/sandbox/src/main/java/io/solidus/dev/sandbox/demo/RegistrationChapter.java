package io.solidus.dev.sandbox.demo;

import static io.solidus.dev.sandbox.demo.StoryFailure.unless;

import io.solidus.dev.sandbox.operators.SanctionLists;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wallet.gateway.Organisation;
import io.solidus.wallet.gateway.Person;
import io.solidus.wallet.model.RegistrationStatus;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Steps in which lists are imported, persons register, and forbidden registrations are refused. */
final class RegistrationChapter {
  private static final Duration LIMIT = Duration.ofSeconds(40);
  private static final String REASON = "the demonstration replaces the list before it";

  private final Stage stage;
  private final SanctionLists lists;

  RegistrationChapter(Stage stage, SanctionLists lists) {
    this.stage = stage;
    this.lists = lists;
  }

  String importSanctions() throws Exception {
    int un = stage.operators.importList("un", lists.un(), REASON);
    int ofac = stage.operators.importList("ofac", lists.ofac(), REASON);
    unless(un > 0 && ofac > 0, "a list came out empty");
    return un + " entries of the UN list, " + ofac + " of the OFAC list";
  }

  String register(Actor actor) throws Exception {
    RegistrationStatus opened = actor.wallet().register(actor.person());
    unless(
        opened.stage() == RegistrationStatus.Stage.PENDING,
        actor.name() + "'s case is not pending: " + opened.stage());
    String caseId = newestCase("pending", actor.person().familyName());
    stage.operators.approveCase(caseId);
    RegistrationStatus done = actor.wallet().awaitRegistration(LIMIT);
    unless(
        done.stage() == RegistrationStatus.Stage.REGISTERED,
        actor.name() + " is not registered: " + done.stage());
    return "attested by an operator; first compliance coin signed by a quorum, verified by "
        + actor.name()
        + "'s wallet";
  }

  /** A bookshop registers, which a registered person owns. */
  String registerMerchant(Actor owner) throws Exception {
    Person person = owner.person();
    String name = "Bokhandel " + stage.run + " AB";
    Organisation shop =
        new Organisation(
            Map.of(
                "legalName",
                name,
                "legalForm",
                "AB",
                "register",
                "Bolagsverket",
                "registrationNumber",
                "DEMO" + stage.run,
                "country",
                "SE",
                "founded",
                "2001-02-03",
                "people",
                List.of(
                    Map.of(
                        "person",
                        Map.of(
                            "givenName",
                            person.givenName(),
                            "familyName",
                            person.familyName(),
                            "birthDate",
                            person.birthDate().toString(),
                            "nationality",
                            person.nationality(),
                            "documentNumber",
                            person.documentNumber()),
                        "sharePercent",
                        100,
                        "representative",
                        true))),
            null);
    try (Actor merchant = Actor.enter(stage, "Bookshop")) {
      RegistrationStatus opened = merchant.wallet().register(shop);
      unless(
          opened.stage() == RegistrationStatus.Stage.PENDING,
          "the shop's case is not pending: " + opened.stage());
      stage.operators.approveOrganisation(newestCase("pending", name));
      RegistrationStatus done = merchant.wallet().awaitRegistration(LIMIT);
      unless(
          done.stage() == RegistrationStatus.Stage.REGISTERED,
          "the shop is not registered: " + done.stage());
      return "a company with its owner, screened both, approved by two officers";
    }
  }

  String refuseSecondRegistration(Actor first) throws Exception {
    Person known = first.person();
    Person again =
        new Person(
            known.givenName().toUpperCase(Locale.ROOT),
            "ANGSTROM " + stage.run.toUpperCase(Locale.ROOT),
            known.birthDate(),
            "GB",
            "CARD" + stage.run);
    try (Actor other = Actor.enter(stage, "Alice-again")) {
      RegistrationStatus opened = other.wallet().register(again);
      unless(
          opened.stage() == RegistrationStatus.Stage.PENDING,
          "the answer tells of the first registration: " + opened.stage());
      String caseId = newestCase("possible-duplicate", again.familyName());
      String status = stage.operators.decideDuplicate(caseId);
      unless(status.equals("refused"), "the second registration is " + status);
      RegistrationStatus refused = other.wallet().awaitRegistration(LIMIT);
      unless(
          refused.stage() == RegistrationStatus.Stage.REFUSED,
          "the wallet sees " + refused.stage());
      return "the same person with another document and nationality, in other spelling: refused by"
          + " two officers";
    }
  }

  String refuseListedPerson() throws Exception {
    ListedPerson listed = ListedPerson.first(lists.un());
    Person person =
        new Person(
            listed.givenName(),
            listed.familyName(),
            LocalDate.of(1971, 1, 1),
            "FR",
            "LISTED" + stage.run);
    try (Actor actor = Actor.enter(stage, "Listed")) {
      RegistrationStatus opened = actor.wallet().register(person);
      unless(
          opened.stage() == RegistrationStatus.Stage.PENDING,
          "the case was not opened: " + opened.stage());
      String caseId = newestCase("review", person.familyName());
      JsonNode seen = stage.operators.viewCase(caseId);
      unless(!seen.path("matches").isEmpty(), "the operator sees no match");
      stage.operators.refuseCase(caseId, "come-to-the-bank", "matches a listed person");
      RegistrationStatus refused = actor.wallet().awaitRegistration(LIMIT);
      unless(
          refused.stage() == RegistrationStatus.Stage.REFUSED,
          "the wallet sees " + refused.stage());
      unless(
          !String.valueOf(refused.reason()).contains("listed"),
          "the applicant reads the officer's reason");
      return "went to review with "
          + seen.path("matches").size()
          + " match(es), refused by an operator";
    }
  }

  /** Runs an action that must be refused with a code. */
  static String refusal(Runnable action, RejectionCode code) {
    try {
      action.run();
    } catch (ProtocolException e) {
      unless(e.code() == code, "refused with " + e.code().code() + " instead of " + code.code());
      return "refused with " + code.code();
    }
    throw new StoryFailure("not refused; " + code.code() + " was expected");
  }

  /** Waits for a case with a status and a family name, because screening takes a moment. */
  private String newestCase(String status, String familyName) throws Exception {
    List<String> found = new ArrayList<>();
    stage.await(
        "a case in status " + status,
        () -> {
          stage.operators.findCase(status, familyName).ifPresent(found::add);
          return !found.isEmpty();
        });
    return found.getFirst();
  }
}
