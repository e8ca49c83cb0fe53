package io.solidus.operator.issuance.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.operator.issuance.IssuanceFixture;
import io.solidus.operator.issuance.WalletAndCommittee;
import io.solidus.protocol.Amount;
import io.solidus.protocol.MoneyTotals;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SignedNote;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Attack: two approvers sign a mint that the desk never saw, and the validators mint it. The tests
 * run in order, because totals only grow.
 */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ReconciliationTest {

  private static final TestCommittee KEYS = TestCommittee.regulated();
  private static final LocalDate DAY = LocalDate.parse("2026-06-20");

  private IssuanceFixture desk;
  private Reconciliation reconciliation;

  @BeforeAll
  void start(@TempDir Path dir) throws Exception {
    desk = new IssuanceFixture(WalletAndCommittee.SHARED, dir, false);
    reconciliation = desk.bean(Reconciliation.class);
    desk.issue(WalletAndCommittee.SHARED, "a-funding", 5_000);
  }

  @AfterAll
  void stop() {
    desk.close();
  }

  @Test
  @Order(1)
  void mintsOfTheDeskDoNotRing() {
    reconciliation.take(note(1, 4_000, 4_000));
    reconciliation.take(note(2, 5_000, 5_000));
    assertThat(gauge("past.desk.minor")).isZero();
    assertThat(gauge("past.desk.authorities")).isZero();
    assertThat(gauge("totals.authorities")).isEqualTo(2);
  }

  @Test
  @Order(2)
  void aNoteOfSomebodyElseChangesNothing() {
    MoneyTotals forged = totals(1, 9_000, 9_000);
    assertRefused(sign(forged, KEYS.countersigner(2), TestCommittee.NETWORK));
    assertRefused(sign(forged, KEYS.countersigner(1), new NetworkId("another")));
    assertRefused(sign(totals(77, 9_000, 9_000), KEYS.countersigner(1), TestCommittee.NETWORK));
    assertThat(gauge("past.desk.minor")).isZero();
  }

  @Test
  @Order(3)
  void aMintPastTheDeskRings() {
    reconciliation.take(note(1, 5_700, 5_700));
    reconciliation.take(note(2, 5_700, 5_700));
    assertThat(gauge("past.desk.minor")).isEqualTo(700);
    assertThat(gauge("past.desk.authorities")).isEqualTo(2);
    var read =
        desk.rest.get("/admin/v1/authority-totals/" + DAY, desk.as("auditor-otto", "auditor"));
    assertThat(read.json().path("authorities")).hasSize(2);
    assertThat(read.json().path("authorities").path(0).path("pastDeskMinor").asLong())
        .isEqualTo(700);
  }

  @Test
  @Order(4)
  void aLaterIssueDoesNotSilenceIt() {
    desk.issue(WalletAndCommittee.SHARED, "another-funding", 2_000);
    reconciliation.take(note(1, 5_800, 5_800));
    reconciliation.take(note(1, 100, 100));
    assertThat(gauge("past.desk.minor")).isEqualTo(700);
    assertThat(gauge("past.desk.authorities")).isEqualTo(2);
  }

  /** Attack: an authority that mints past the desk says nothing. */
  @Test
  @Order(5)
  void anAuthorityThatStaysSilentRings() {
    assertThat(gauge("totals.silent")).as("it has a day").isZero();
    desk.clock.forward(Duration.ofHours(25));
    assertThat(gauge("totals.silent")).as("3 and 4").isEqualTo(2);
    reconciliation.take(note(3, 5_000, 5_000));
    reconciliation.take(note(4, 5_000, 5_000));
    assertThat(gauge("totals.silent")).isZero();
  }

  private void assertRefused(String note) {
    assertThat(catchThrowableOfType(ProtocolException.class, () -> reconciliation.take(note)))
        .isNotNull();
  }

  private double gauge(String name) {
    return desk.bean(MeterRegistry.class).get("solidus.issuance." + name).gauge().value();
  }

  private static String note(int authority, long today, long inAll) {
    return sign(
        totals(authority, today, inAll), KEYS.countersigner(authority), TestCommittee.NETWORK);
  }

  private static MoneyTotals totals(int authority, long today, long inAll) {
    return new MoneyTotals(
        authority, DAY, Amount.of(today), Amount.ZERO, Amount.of(inAll), Amount.ZERO);
  }

  private static String sign(MoneyTotals totals, NoteSigner signer, NetworkId network) {
    return SignedNote.sign(totals.toNoteText(network), signer).encode();
  }
}
