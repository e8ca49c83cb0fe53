package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import io.solidus.operator.registration.screening.FakeSanctions;

/** Registrations with everything that is sealed. */
final class Lives {
  private Lives() {}

  /**
   * A registered person with matches, two words on each, a reason, an accepted change of the
   * document and a step.
   */
  static Answer eventful(ServiceHarness service, Submission ada) {
    service.sanctions.answer(200, FakeSanctions.ONE_MATCH);
    String reason = "a whistleblower of " + ada.personField("documentNumber");
    Answer taken = service.submit(ada);
    assertThat(service.status(taken)).isEqualTo("review");
    service.dispose(taken, "olga", "false-positive");
    service.confirm(taken, "paula", "false-positive");
    assertThat(service.approve(taken, "olga", "{\"reason\":\"" + reason + "\"}").text("status"))
        .isEqualTo("approved");
    Submission renewed =
        Submission.fresh()
            .samePersonAs(ada)
            .person("documentNumber", "secondnumber" + ada.personField("documentNumber"));
    Answer proposed = service.propose(taken, renewed, "olga", reason);
    assertThat(service.decideChange(proposed, "oscar", "accept").status()).isEqualTo(200);
    service.sanctions.answer(200, FakeSanctions.NO_MATCH);
    service.post(
        "/admin/v1/kyc/cases/" + taken.text("caseId") + "/steps",
        "{\"kind\":\"suspend\",\"reason\":\"" + reason + "\"}",
        service.as("olga"));
    Answer file = service.file(taken, "olga");
    service.post(
        "/admin/v1/kyc/cases/"
            + taken.text("caseId")
            + "/steps/"
            + file.body().path("steps").get(0).path("stepId").asString()
            + "/accept",
        "{}",
        service.approver("paula"));
    return taken;
  }
}
