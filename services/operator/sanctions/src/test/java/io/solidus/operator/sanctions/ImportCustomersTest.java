package io.solidus.operator.sanctions;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.operator.sanctions.list.Samples;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The second person sees which customers an import would hit. */
@Tag("process")
class ImportCustomersTest {
  private static final String IMPORTS = "/admin/v1/sanctions/imports/";
  private static final String ADDED =
      "900008,\"NEWCOMER, Zebedee Ormsby\",\"individual\",\"SAMPLE\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,\"DOB 1971.\"\n";

  @Test
  void theRegistrationComparesItsPersonsWithWhatAnImportAdds(@TempDir Path directory)
      throws Exception {
    try (SanctionsFixture service = SanctionsFixture.start(directory, SanctionsFixture.NO_KAFKA)) {
      String[] machine = service.as("registration", "service");
      String[] approver = service.as("lena", "list-approver");
      assertThat(service.upload("ofac", Samples.ofac()).status()).isEqualTo(201);
      assertThat(unscreened(service, machine)).isEqualTo("[]");

      byte[] more =
          (ADDED + new String(Samples.ofac(), StandardCharsets.UTF_8))
              .getBytes(StandardCharsets.UTF_8);
      String id = SanctionsFixture.proposalOf(service.importFile("ofac", more, ""));
      assertThat(unscreened(service, machine)).isEqualTo("[\"" + id + "\"]");
      assertThat(service.rest.get(IMPORTS + id + "/customers", approver).status())
          .as("nobody has looked yet")
          .isEqualTo(404);

      Answer hits =
          service.rest.post(
              IMPORTS + id + "/screenings",
              Map.of(
                  "persons",
                  List.of(
                      Map.of("fullName", "Zebedee Ormsby Newcomer", "birthDate", "1971-05-05"),
                      // is listed already
                      Map.of("fullName", "Lennart Ostervald-Kruge"),
                      Map.of("fullName", "Somebody Else"))),
              machine);
      assertThat(hits.json().path("matches").toString()).isEqualTo("[1,0,0]");

      String hit = UUID.randomUUID().toString();
      for (String wrong :
          List.of(
              "{}",
              "{\"screened\":1,\"hit\":2,\"cases\":[]}",
              "{\"screened\":1,\"hit\":0,\"cases\":[\"" + hit + "\"]}",
              "{\"screened\":1,\"hit\":1,\"cases\":[null]}",
              "{\"screened\":-1,\"hit\":-1,\"cases\":[]}")) {
        assertThat(put(service, id, wrong, machine).status()).as(wrong).isEqualTo(400);
      }
      String result = "{\"screened\":3,\"hit\":1,\"cases\":[\"" + hit + "\"]}";
      assertThat(put(service, id, result, service.as("olga", "sanctions-operator")).status())
          .as("a person says nothing of customers")
          .isEqualTo(403);
      assertThat(put(service, id, result, machine).status()).isEqualTo(204);
      // what was said first stays
      put(service, id, "{\"screened\":3,\"hit\":0,\"cases\":[]}", machine);
      Answer seen = service.rest.get(IMPORTS + id + "/customers", approver);
      assertThat(seen.json().path("hit").asInt()).isEqualTo(1);
      assertThat(seen.json().path("screened").asInt()).isEqualTo(3);
      assertThat(seen.json().path("cases").toString()).isEqualTo("[\"" + hit + "\"]");
      assertThat(unscreened(service, machine)).isEqualTo("[]");

      service.approve(id, approver);
      assertThat(put(service, id, result, machine).status()).as("it is decided").isEqualTo(404);
    }
  }

  private static String unscreened(SanctionsFixture service, String... machine) {
    return service.rest.get(IMPORTS + "unscreened", machine).json().path("imports").toString();
  }

  private static Answer put(SanctionsFixture service, String id, String body, String... operator) {
    return service.rest.exchange(
        "PUT",
        IMPORTS + id + "/customers",
        BodyPublishers.ofString(body),
        service.as(operator, "Content-Type", "application/json"));
  }
}
