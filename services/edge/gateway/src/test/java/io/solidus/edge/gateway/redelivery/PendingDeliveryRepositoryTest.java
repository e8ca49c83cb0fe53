package io.solidus.edge.gateway.redelivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.protocol.Family;
import io.solidus.protocol.TxCore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class PendingDeliveryRepositoryTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private final Generators random = new Generators(8);

  /** The rows of one authority that never signs take no rows from another. */
  @Test
  void boundsTheRowsOfEachAuthority() throws Exception {
    TestDatabase database = TestPostgres.newDatabase();
    for (String statement : schema().split(";", 0)) {
      database.jdbc().sql(statement).update();
    }
    PendingDeliveryRepository pending =
        new PendingDeliveryRepository(database.jdbc(), Clock.fixed(NOW, ZoneOffset.UTC), 3);
    for (int i = 0; i < 5; i++) {
      add(pending, List.of(1));
    }
    add(pending, List.of(1, 2));
    assertThat(pending.count()).isEqualTo(4);
    PendingDeliveryRepository later =
        new PendingDeliveryRepository(
            database.jdbc(), Clock.fixed(NOW.plusSeconds(60), ZoneOffset.UTC), 3);
    assertThat(later.due(1, 10)).hasSize(3);
    assertThat(later.due(2, 10)).hasSize(1);
    later.delete(later.due(1, 1).getFirst());
    later.recount(1);
    later.recount(2);
    assertThat(later.count()).isEqualTo(3);
  }

  private void add(PendingDeliveryRepository pending, List<Integer> authorities) {
    pending.add(TxCore.of(random.bytes(32)), Family.TRANSFER, random.bytes(10), authorities);
  }

  private static String schema() throws Exception {
    Path first =
        Path.of(PendingDeliveryRepository.class.getResource("/db/gateway/V1__initial.sql").toURI());
    return Files.readString(first, StandardCharsets.UTF_8).replaceAll("(?m)^--.*$", "").strip();
  }
}
