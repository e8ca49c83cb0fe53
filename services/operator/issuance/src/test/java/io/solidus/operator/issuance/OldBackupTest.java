package io.solidus.operator.issuance;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.protocol.MintRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The desk's database is restored from a backup that is older than a mint, so the funding of that
 * mint is unused in it.
 */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OldBackupTest {

  private static final String ANNA = IssuanceFixture.APPROVERS.get(0);
  private static final String BEN = IssuanceFixture.APPROVERS.get(1);
  private static final long MINOR = 5_000;

  @TempDir Path dir;
  private final WalletAndCommittee parties = WalletAndCommittee.SHARED;
  private Path anchor;
  private TestDatabase database;
  private TestDatabase backup;
  private String token;

  @BeforeEach
  void fundBackUpAndIssue() throws Exception {
    anchor = dir.resolve("anchor-" + System.nanoTime());
    database = TestPostgres.newDatabase();
    try (IssuanceFixture desk = desk(database, true)) {
      token = desk.fund("once", MINOR);
    }
    backup = TestPostgres.copyOf(database);
    try (IssuanceFixture desk = desk(database, true)) {
      assertThat(issue(desk).status()).isEqualTo(200);
      assertThat(desk.supply().getFirst()).isEqualTo(MINOR);
    }
  }

  @Test
  void aRestoredDatabaseIssuesNothingTwice() throws Exception {
    try (IssuanceFixture desk = desk(backup, true)) {
      Answer refused = issue(desk);
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.code()).isEqualTo("unavailable");
      assertThat(desk.supply().getFirst()).as("issued").isZero();
      assertThat(desk.recordFunding("another", 10).status())
          .as("a funding would make the books look newer")
          .isEqualTo(503);
      assertThat(desk.rest.get("/actuator/health/readiness").status()).isEqualTo(503);
      assertThat(desk.rest.get("/actuator/prometheus").body())
          .containsPattern("solidus_issuance_books_status(\\{[^}]*})? 0");
    }
    try (IssuanceFixture desk = desk(database, true)) {
      assertThat(desk.fund("next", 10)).as("the newest database still works").isNotEmpty();
    }
  }

  /**
   * The database changes under a running desk: it is restored in place, or fails over to a standby
   * that lacks the mint.
   */
  @Test
  void aRunningDeskDetectsAnOlderDatabase() throws Exception {
    try (IssuanceFixture desk = desk(database, true)) {
      assertThat(desk.recordFunding("before", 10).status()).isEqualTo(201);
      TestPostgres.replace(database, backup);
      awaitNewConnections(desk);
      Answer refused = issue(desk);
      assertThat(refused.status()).isEqualTo(503);
      assertThat(desk.supply().getFirst()).as("issued").isZero();
      assertThat(desk.rest.get("/actuator/health/readiness").status()).isEqualTo(503);
    }
  }

  /** Waits until the pool has connections to the other database. */
  private static void awaitNewConnections(IssuanceFixture desk) {
    Eventually.holds(
        () -> assertThat(desk.rest.get("/actuator/health/readiness").status()).isEqualTo(200));
  }

  /** Shows that the other tests would issue twice without the anchor file. */
  @Test
  void withoutTheAnchorFileTheDeskIssuesTwice() throws Exception {
    try (IssuanceFixture desk = desk(backup, false)) {
      assertThat(issue(desk).status()).isEqualTo(200);
      assertThat(desk.supply().getFirst()).isEqualTo(MINOR);
    }
  }

  @Test
  void aMissingAnchorFileStopsTheDeskUntilAnEmptyFileIsCreated() throws Exception {
    Files.delete(anchor);
    try (IssuanceFixture desk = desk(database, true)) {
      assertThat(desk.recordFunding("another", 10).status()).isEqualTo(503);
    }
    assertThat(anchor).doesNotExist();
    Files.createFile(anchor);
    try (IssuanceFixture desk = desk(database, true)) {
      assertThat(desk.recordFunding("another", 10).status()).isEqualTo(201);
    }
    assertThat(anchor).content().matches("solidus-books/v1 [0-9]+\n");
  }

  private Answer issue(IssuanceFixture desk) {
    MintRequest request = parties.mint(MINOR);
    assertThat(desk.requestMint("once", token, request).status()).isEqualTo(202);
    desk.approve(ANNA, request);
    return desk.approve(BEN, request);
  }

  private IssuanceFixture desk(TestDatabase on, boolean anchored) throws Exception {
    return new IssuanceFixture(
        parties,
        dir,
        false,
        on,
        anchored ? Map.of("solidus.issuance.anchor-file", anchor) : Map.of());
  }
}
