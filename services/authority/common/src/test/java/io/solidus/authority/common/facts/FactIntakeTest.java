package io.solidus.authority.common.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.facts.FactIntake.Outcome;
import io.solidus.authority.spend.rules.AdmissionWindows;
import io.solidus.authority.spend.rules.KnownPolicy;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.dev.testkit.world.MovableClock;
import io.solidus.dev.testkit.world.TestSanctions;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.Heartbeat;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.SanctionList;
import io.solidus.protocol.SignedNote;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Notes from anywhere: only true ones of the right issuer, in ascending versions, have an effect.
 */
class FactIntakeTest {

  private static final NetworkId NETWORK = new NetworkId("intake-test");
  private static final NetworkId OTHER = new NetworkId("intake-test-2");
  private static final AdmissionWindows WINDOWS =
      new AdmissionWindows(Duration.ofMinutes(10), Duration.ofHours(24), Duration.ofMinutes(1));

  private final MovableClock clock = new MovableClock();
  private final TestSanctions issuer = new TestSanctions(NETWORK, clock);
  private final TestSanctions impostor = new TestSanctions(NETWORK, clock);
  private final Map<Long, byte[]> lists = new HashMap<>();
  private TestDatabase database;
  private FactBook book;
  private FactIntake intake;

  @BeforeEach
  void open() {
    database = TestPostgres.newDatabase();
    book = book();
    intake = intake(book);
  }

  @AfterEach
  void close() {
    issuer.close();
    impostor.close();
  }

  @Test
  void takesPoliciesInOrder() {
    assertThat(intake.policy(policy(1, 100))).isEqualTo(Outcome.ACCEPTED);
    assertThat(intake.policy(policy(3, 300))).isEqualTo(Outcome.ACCEPTED);
    assertThat(inForce()).isEqualTo(3);
  }

  @Test
  void aRepeatedNoteChangesNothing() {
    String note = policy(1, 100);
    intake.policy(note);
    KnownPolicy before = book.facts().policies().get(1L);
    clock.forward(Duration.ofHours(1));
    assertThat(intake.policy(note)).isEqualTo(Outcome.KNOWN);
    assertThat(book().facts().policies().get(1L).acceptedAt()).isEqualTo(before.acceptedAt());
  }

  @Test
  void anOlderPolicyIsNeverInForce() {
    intake.policy(policy(5, 500));
    assertThat(intake.policy(policy(4, 400))).isEqualTo(Outcome.LATE);
    assertThat(inForce()).isEqualTo(5);
    assertThat(book.facts().policies().get(4L).late()).isTrue();
  }

  @Test
  void aPolicyThatIsYetToComeDoesNotMakeTheOneBeforeItLate() {
    Policy tomorrow =
        new Policy(
            2,
            new Period(202606),
            Amount.of(1),
            Amount.of(1),
            Amount.of(1),
            1,
            Amount.of(1),
            clock.millis() + Duration.ofDays(1).toMillis());
    assertThat(intake.policy(issuer.sign(tomorrow))).isEqualTo(Outcome.ACCEPTED);
    assertThat(intake.policy(policy(1, 100))).isEqualTo(Outcome.ACCEPTED);
    assertThat(inForce()).isEqualTo(1);
    clock.forward(Duration.ofDays(1));
    assertThat(inForce()).isEqualTo(2);
  }

  @Test
  void takesAnEmptyList() {
    assertThat(intake.checkpoint(issuer.sign(checkpoint(1)))).isEqualTo(Outcome.ACCEPTED);
    assertThat(book().facts().newestCheckpoint().orElseThrow().checkpoint().size()).isZero();
  }

  @Test
  void refusesTwoTextsUnderOneVersion() {
    Policy first = TestSanctions.policy(1, 202606, 100, clock);
    intake.policy(issuer.sign(first));
    assertThat(intake.policy(policy(1, 999))).isEqualTo(Outcome.FORKED);
    assertThat(book.facts().policies().get(1L).policy()).isEqualTo(first);
    SanctionCheckpoint checkpoint = checkpoint(1, 7);
    intake.checkpoint(issuer.sign(checkpoint));
    assertThat(intake.checkpoint(issuer.sign(checkpoint(1, 8)))).isEqualTo(Outcome.FORKED);
    assertThat(book.facts().checkpoints().get(1L).checkpoint()).isEqualTo(checkpoint);
  }

  @Test
  void believesOnlyTheIssuer() {
    Policy policy = TestSanctions.policy(1, 202606, 100, clock);
    assertThat(intake.policy(impostor.sign(policy))).isEqualTo(Outcome.FORGED);
    assertThat(intake.policy("not a note")).isEqualTo(Outcome.FORGED);
    assertThat(intake.policy(issuer.sign(new Heartbeat(1, 1)))).isEqualTo(Outcome.FORGED);
    assertThat(intake.checkpoint(impostor.sign(checkpoint(1, 7)))).isEqualTo(Outcome.FORGED);
    assertThat(intake.heartbeat(impostor.sign(new Heartbeat(1, clock.millis()))))
        .isEqualTo(Outcome.FORGED);
    assertThat(book.facts().policies()).isEmpty();
    assertThat(book.facts().heartbeats()).isEmpty();
  }

  @Test
  void refusesNotesOfAnotherNetwork() {
    NoteSigner signer = NoteSigner.fromSeed("solidus-policy", new byte[32]);
    FactNotes notes = new FactNotes(NETWORK, signer.publicKey(), signer.publicKey());
    FactIntake here = intake(book, notes);
    String foreign =
        SignedNote.sign(TestSanctions.policy(1, 202606, 100, clock).toNoteText(OTHER), signer)
            .encode();
    String own =
        SignedNote.sign(TestSanctions.policy(1, 202606, 100, clock).toNoteText(NETWORK), signer)
            .encode();
    assertThat(here.policy(foreign)).isEqualTo(Outcome.FORGED);
    assertThat(here.policy(own)).isEqualTo(Outcome.ACCEPTED);
  }

  @Test
  void takesACheckpointWhoseRootFollowsFromItsList() {
    SanctionCheckpoint checkpoint = checkpoint(1, 7, 9);
    assertThat(intake.checkpoint(issuer.sign(checkpoint))).isEqualTo(Outcome.ACCEPTED);
    assertThat(book.facts().newestCheckpoint().orElseThrow().checkpoint()).isEqualTo(checkpoint);
  }

  @Test
  void refusesARootThatDoesNotFollow() {
    SanctionCheckpoint lie =
        new SanctionCheckpoint(
            1, checkpoint(1, 7).root(), 1, checkpoint(1, 8).listDigest(), clock.millis());
    assertThat(intake.checkpoint(issuer.sign(lie))).isEqualTo(Outcome.LIST_MISMATCH);
    assertThat(book.facts().checkpoints()).isEmpty();
  }

  @Test
  void refusesAListThatIsNotTheCheckpoints() {
    SanctionCheckpoint checkpoint = checkpoint(1, 7);
    lists.put(1L, new SanctionList(keys(8)).toBytes());
    assertThat(intake.checkpoint(issuer.sign(checkpoint))).isEqualTo(Outcome.LIST_MISMATCH);
    lists.put(1L, new byte[19]);
    assertThat(intake.checkpoint(issuer.sign(checkpoint))).isEqualTo(Outcome.LIST_MISMATCH);
    lists.put(1L, join(SanctionKey.FIRST.bytes(), key(7).bytes()));
    assertThat(intake.checkpoint(issuer.sign(checkpoint))).isEqualTo(Outcome.LIST_MISMATCH);
    lists.put(1L, join(key(7).bytes(), key(7).bytes()));
    assertThat(intake.checkpoint(issuer.sign(checkpoint))).isEqualTo(Outcome.LIST_MISMATCH);
  }

  @Test
  void asksAgainForAListThatCouldNotBeHad() {
    SanctionCheckpoint checkpoint = checkpoint(1, 7);
    byte[] list = lists.remove(1L);
    assertThat(intake.checkpoint(issuer.sign(checkpoint))).isEqualTo(Outcome.LIST_UNAVAILABLE);
    lists.put(1L, list);
    assertThat(intake.checkpoint(issuer.sign(checkpoint))).isEqualTo(Outcome.ACCEPTED);
  }

  @Test
  void anotherProcessRebuildsTheRootForItself() {
    SanctionCheckpoint checkpoint = checkpoint(1, 7);
    intake.checkpoint(issuer.sign(checkpoint));
    FactBook other = book();
    assertThat(other.facts().newestCheckpoint().orElseThrow().rebuilt()).isTrue();
    database
        .jdbc()
        .sql("UPDATE authority.checkpoints SET list = ?")
        .param(new SanctionList(keys(8)).toBytes())
        .update();
    assertThat(book().facts().newestCheckpoint())
        .as("a list that was changed in the database")
        .isEmpty();
  }

  @Test
  void aForgedRowInTheDatabaseIsNotBelieved() {
    intake.policy(policy(1, 100));
    database
        .jdbc()
        .sql("INSERT INTO authority.policies VALUES (2, ?, now(), false, now())")
        .param(impostor.sign(TestSanctions.policy(2, 202606, 999, clock)))
        .update();
    FactBook other = book();
    assertThat(other.facts().policyInForce(clock.instant()).orElseThrow().version()).isEqualTo(1);
  }

  @Test
  void publishedFactsCannotBeRewrittenInTheDatabase() {
    intake.policy(policy(1, 100));
    assertThat(
            catchThrowable(
                () -> database.jdbc().sql("UPDATE authority.policies SET note = 'x'").update()))
        .hasMessageContaining("for ever");
    assertThat(catchThrowable(() -> database.jdbc().sql("DELETE FROM authority.policies").update()))
        .hasMessageContaining("for ever");
  }

  @Test
  void onlyTheNewestHeartbeatOfAVersionCounts() {
    long now = clock.millis();
    assertThat(intake.heartbeat(issuer.sign(new Heartbeat(1, now)))).isEqualTo(Outcome.ACCEPTED);
    assertThat(intake.heartbeat(issuer.sign(new Heartbeat(1, now - 1_000))))
        .isEqualTo(Outcome.KNOWN);
    assertThat(book().facts().heartbeats().get(1L).toEpochMilli()).isEqualTo(now);
  }

  @Test
  void aHeartbeatFromTheFutureIsRefused() {
    long future = clock.millis() + Duration.ofHours(1).toMillis();
    assertThat(intake.heartbeat(issuer.sign(new Heartbeat(1, future)))).isEqualTo(Outcome.FORGED);
  }

  @Test
  void listsThatNobodyNeedsAnyMoreAreDropped() {
    intake.checkpoint(issuer.sign(checkpoint(1, 7)));
    clock.forward(Duration.ofMinutes(1));
    intake.checkpoint(issuer.sign(checkpoint(2, 8)));
    FactStore store = new FactStore(database.jdbc());
    store.dropListsBefore(book.oldestCheckpointInUse());
    assertThat(store.list(1)).as("within the grace").isPresent();
    clock.forward(Duration.ofMinutes(11));
    store.dropListsBefore(book.oldestCheckpointInUse());
    assertThat(store.list(1)).isEmpty();
    assertThat(store.list(2)).isPresent();
    assertThat(book().facts().checkpoints()).as("the finish rule still knows it").containsKey(1L);
  }

  private long inForce() {
    return book.facts().policyInForce(clock.instant()).orElseThrow().version();
  }

  private String policy(long version, long limit) {
    return issuer.sign(TestSanctions.policy(version, 202606, limit, clock));
  }

  private SanctionCheckpoint checkpoint(long version, int... keys) {
    lists.put(version, new SanctionList(keys(keys)).toBytes());
    return issuer.checkpointOf(version, keys(keys));
  }

  private FactBook book() {
    AuthorityDatabase safe = AuthorityDatabase.open(database.dataSource());
    FactBook opened =
        new FactBook(new FactStore(safe.jdbc()), notes(), new RootCheck(NETWORK), WINDOWS, clock);
    opened.refresh();
    return opened;
  }

  private FactIntake intake(FactBook into) {
    return intake(into, notes());
  }

  private FactIntake intake(FactBook into, FactNotes notes) {
    return new FactIntake(
        new FactStore(database.jdbc()),
        notes,
        new RootCheck(NETWORK),
        into,
        version -> Optional.ofNullable(lists.get(version)),
        WINDOWS,
        clock,
        new SimpleMeterRegistry());
  }

  private FactNotes notes() {
    return new FactNotes(
        NETWORK,
        key("solidus-policy", issuer.policyKey()),
        key("solidus-sanctions", issuer.sanctionKey()));
  }

  private static NoteKey key(String name, String base64) {
    return new NoteKey(name, new Ed25519PublicKey(Base64.getDecoder().decode(base64)));
  }

  private static List<SanctionKey> keys(int... values) {
    return Arrays.stream(values).mapToObj(FactIntakeTest::key).toList();
  }

  private static SanctionKey key(int value) {
    byte[] bytes = new byte[20];
    bytes[19] = (byte) value;
    return SanctionKey.of(bytes);
  }

  private static byte[] join(byte[] a, byte[] b) {
    byte[] all = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, all, a.length, b.length);
    return all;
  }
}
