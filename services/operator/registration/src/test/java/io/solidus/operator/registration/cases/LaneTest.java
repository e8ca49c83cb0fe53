package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.TestPostgres;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** A case in no lane is never screened again. */
class LaneTest {
  private static final int RANDOM_IDS = 200;

  @Test
  @Tag("process")
  void everyIdIsInOneLaneAsTheDatabaseComparesThem() {
    JdbcTemplate jdbc = new JdbcTemplate(TestPostgres.newDatabase().dataSource());
    List<CaseScreeningService.Lane> lanes = CaseScreeningService.Lane.all();
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < RANDOM_IDS; i++) {
      ids.add(UUID.randomUUID());
    }
    lanes.forEach(lane -> {
      ids.add(lane.last());
      ids.add(new UUID(lane.last().getMostSignificantBits() + 1, 0));
    });
    ids.removeIf(new UUID(0, 0)::equals); // no case has it
    for (UUID id : ids) {
      long holding =
          lanes.stream()
              .filter(lane ->
                  Boolean.TRUE.equals(
                      jdbc.queryForObject(
                          "SELECT ?::uuid > ?::uuid AND ?::uuid <= ?::uuid",
                          Boolean.class,
                          id,
                          lane.after(),
                          id,
                          lane.last())))
              .count();
      assertThat(holding).as(id.toString()).isEqualTo(1);
    }
    for (CaseScreeningService.Lane lane : lanes) {
      assertThat(
              ids.stream()
                  .filter(id ->
                      id.toString().compareTo(lane.after().toString()) > 0
                          && id.toString().compareTo(lane.last().toString()) <= 0))
          .as("no lane has most of the work")
          .hasSizeBetween(RANDOM_IDS / 10, RANDOM_IDS / 2);
    }
  }
}
