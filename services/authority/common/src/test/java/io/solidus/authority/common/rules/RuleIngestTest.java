package io.solidus.authority.common.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.rules.RuleIngest.Result;
import io.solidus.authority.spend.rules.AdmissionWindows;
import io.solidus.authority.spend.rules.VerifiedPolicy;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.dev.testkit.world.MovableClock;
import io.solidus.dev.testkit.world.TestSanctions;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.Heartbeat;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.NoteKeys;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.SanctionList;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Only authentic notes of the right issuer, in ascending versions, have an effect, whatever the
 * transport.
 */
@Tag("process")
class RuleIngestTest {

  private static final NetworkId NETWORK = new NetworkId("intake-test");
  private static final NetworkId OTHER = new NetworkId("intake-test-2");
  private static final AdmissionWindows WINDOWS =
      new AdmissionWindows(Duration.ofMinutes(10), Duration.ofHours(24), Duration.ofMinutes(1));

  private final MovableClock clock = new MovableClock();
  private final TestSanctions issuer = new TestSanctions(NETWORK, clock);
  private final TestSanctions impostor = new TestSanctions(NETWORK, clock);
  private final Map<Long, byte[]> lists = new HashMap<>();
  private TestDatabase database;
  private RulesCache rules;
  private RuleIngest ingest;

  @BeforeEach
  void open() {
    database = TestPostgres.newDatabase();
    rules = rules();
    ingest = ingest(rules);
  }

  @AfterEach
  void close() {
    issuer.close();
    impostor.close();
  }

  @Test
  void acceptsPoliciesInOrder() {
    assertThat(ingest.policy(policy(1, 100))).isEqualTo(Result.ACCEPTED);
    assertThat(ingest.policy(policy(3, 300))).isEqualTo(Result.ACCEPTED);
    assertThat(inForce()).isEqualTo(3);
  }

  @Test
  void aRepeatedNoteChangesNothing() {
    String note = policy(1, 100);
    ingest.policy(note);
    VerifiedPolicy before = at(rules.current().policies(), 1);
    clock.forward(Duration.ofHours(1));
    assertThat(ingest.policy(note)).isEqualTo(Result.KNOWN);
    assertThat(at(rules().current().policies(), 1).acceptedAt()).isEqualTo(before.acceptedAt());
  }

  @Test
  void anOlderPolicyIsNeverInForce() {
    ingest.policy(policy(5, 500));
    assertThat(ingest.policy(policy(4, 400))).isEqualTo(Result.LATE);
    assertThat(inForce()).isEqualTo(5);
    assertThat(at(rules.current().policies(), 4).late()).isTrue();
  }

  @Test
  void anAnnouncedPolicyDoesNotMakeItsPredecessorLate() {
    Policy tomorrow =
        new Policy(
            2,
            new Period(202606),
            Amount.of(1),
            Amount.of(1),
            Amount.of(1),
            Amount.ZERO,
            1,
            Amount.of(1),
            clock.millis() + Duration.ofDays(1).toMillis());
    assertThat(ingest.policy(issuer.sign(tomorrow))).isEqualTo(Result.ACCEPTED);
    assertThat(ingest.policy(policy(1, 100))).isEqualTo(Result.ACCEPTED);
    assertThat(inForce()).isEqualTo(1);
    clock.forward(Duration.ofDays(1));
    assertThat(inForce()).isEqualTo(2);
  }

  @Test
  void acceptsAnEmptyList() {
    assertThat(ingest.checkpoint(issuer.sign(checkpoint(1)))).isEqualTo(Result.ACCEPTED);
    assertThat(rules().current().newestCheckpoint().orElseThrow().checkpoint().size()).isZero();
  }

  @Test
  void rejectsAnotherTextForAKnownVersion() {
    Policy first = TestSanctions.policy(1, 202606, 100, clock);
    ingest.policy(issuer.sign(first));
    assertThat(ingest.policy(policy(1, 999))).isEqualTo(Result.FORKED);
    assertThat(at(rules.current().policies(), 1).policy()).isEqualTo(first);
    SanctionCheckpoint checkpoint = checkpoint(1, 7);
    ingest.checkpoint(issuer.sign(checkpoint));
    assertThat(ingest.checkpoint(issuer.sign(checkpoint(1, 8)))).isEqualTo(Result.FORKED);
    assertThat(at(rules.current().checkpoints(), 1).checkpoint()).isEqualTo(checkpoint);
  }

  @Test
  void rejectsNotesOfOtherIssuers() {
    Policy policy = TestSanctions.policy(1, 202606, 100, clock);
    assertThat(ingest.policy(impostor.sign(policy))).isEqualTo(Result.FORGED);
    assertThat(ingest.policy("not a note")).isEqualTo(Result.FORGED);
    assertThat(ingest.policy(issuer.sign(new Heartbeat(1, 1)))).isEqualTo(Result.FORGED);
    assertThat(ingest.checkpoint(impostor.sign(checkpoint(1, 7)))).isEqualTo(Result.FORGED);
    assertThat(ingest.heartbeat(impostor.sign(new Heartbeat(1, clock.millis()))))
        .isEqualTo(Result.FORGED);
    assertThat(rules.current().policies()).isEmpty();
    assertThat(rules.current().heartbeats()).isEmpty();
  }

  /**
   * The policy key changes. What was accepted under the former key stays known after a restart, for
   * the finish rule; a note of the former key that arrives after its time does not count.
   */
  @Test
  @Spec("F-31")
  void aChangedKeyForgetsNothing() {
    NoteSigner former = NoteSigner.fromSeed("solidus-policy", new byte[32]);
    Instant until = clock.instant().plus(Duration.ofDays(1));
    ingest(rules, notes(former.publicKey(), List.of())).policy(byKey(former, 1));
    NoteKey present = key("solidus-policy", issuer.policyKey());
    RuleNotes changed = notes(present, List.of(new NoteKeys.Former(former.publicKey(), until)));
    RulesCache restarted = rules(changed);
    restarted.refresh();
    assertThat(restarted.current().policies()).containsOnlyKeys(1L);
    RuleIngest now = ingest(restarted, changed);
    assertThat(now.policy(byKey(former, 2))).as("before its time").isEqualTo(Result.ACCEPTED);
    clock.forward(Duration.ofDays(2));
    assertThat(now.policy(byKey(former, 3))).as("after its time").isEqualTo(Result.FORGED);
    assertThat(now.policy(policy(3, 300))).isEqualTo(Result.ACCEPTED);
    RulesCache later = rules(changed);
    later.refresh();
    assertThat(later.current().policies()).containsOnlyKeys(1L, 2L, 3L);
    RulesCache without = rules(notes(present, List.of()));
    without.refresh();
    assertThat(without.current().policies()).as("without the former key").containsOnlyKeys(3L);
  }

  private String byKey(NoteSigner signer, long version) {
    return SignedNote.sign(
            TestSanctions.policy(version, 202606, 100, clock).toNoteText(NETWORK), signer)
        .encode();
  }

  private RuleNotes notes(NoteKey policy, List<NoteKeys.Former> former) {
    return new RuleNotes(
        NETWORK,
        new NoteKeys(policy, former),
        NoteKeys.of(key("solidus-sanctions", issuer.sanctionKey())),
        clock);
  }

  private RulesCache rules(RuleNotes notes) {
    return new RulesCache(
        new RuleStore(AuthorityDatabase.open(database.dataSource())),
        notes,
        new SanctionRootCheck(NETWORK),
        WINDOWS,
        clock);
  }

  @Test
  void rejectsNotesOfAnotherNetwork() {
    NoteSigner signer = NoteSigner.fromSeed("solidus-policy", new byte[32]);
    RuleNotes notes =
        new RuleNotes(
            NETWORK, NoteKeys.of(signer.publicKey()), NoteKeys.of(signer.publicKey()), clock);
    RuleIngest here = ingest(rules, notes);
    String foreign =
        SignedNote.sign(TestSanctions.policy(1, 202606, 100, clock).toNoteText(OTHER), signer)
            .encode();
    String own =
        SignedNote.sign(TestSanctions.policy(1, 202606, 100, clock).toNoteText(NETWORK), signer)
            .encode();
    assertThat(here.policy(foreign)).isEqualTo(Result.FORGED);
    assertThat(here.policy(own)).isEqualTo(Result.ACCEPTED);
  }

  @Test
  void acceptsACheckpointWhoseRootFollowsFromItsList() {
    SanctionCheckpoint checkpoint = checkpoint(1, 7, 9);
    assertThat(ingest.checkpoint(issuer.sign(checkpoint))).isEqualTo(Result.ACCEPTED);
    assertThat(rules.current().newestCheckpoint().orElseThrow().checkpoint()).isEqualTo(checkpoint);
  }

  @Test
  void rejectsARootThatDoesNotFollow() {
    SanctionCheckpoint lie =
        new SanctionCheckpoint(
            1, checkpoint(1, 7).root(), 1, checkpoint(1, 8).listDigest(), clock.millis());
    assertThat(ingest.checkpoint(issuer.sign(lie))).isEqualTo(Result.LIST_MISMATCH);
    assertThat(rules.current().checkpoints()).isEmpty();
  }

  @Test
  void rejectsAListOfAnotherCheckpoint() {
    SanctionCheckpoint checkpoint = checkpoint(1, 7);
    lists.put(1L, new SanctionList(keys(8)).toBytes());
    assertThat(ingest.checkpoint(issuer.sign(checkpoint))).isEqualTo(Result.LIST_MISMATCH);
    lists.put(1L, new byte[19]);
    assertThat(ingest.checkpoint(issuer.sign(checkpoint))).isEqualTo(Result.LIST_MISMATCH);
    lists.put(1L, join(SanctionKey.FIRST.bytes(), key(7).bytes()));
    assertThat(ingest.checkpoint(issuer.sign(checkpoint))).isEqualTo(Result.LIST_MISMATCH);
    lists.put(1L, join(key(7).bytes(), key(7).bytes()));
    assertThat(ingest.checkpoint(issuer.sign(checkpoint))).isEqualTo(Result.LIST_MISMATCH);
  }

  /** Attack: the root of the list is remembered from an earlier checkpoint with the same list. */
  @Test
  void rejectsAnotherListOfAKnownRoot() {
    assertThat(ingest.checkpoint(issuer.sign(checkpoint(1, 7)))).isEqualTo(Result.ACCEPTED);
    SanctionCheckpoint again = checkpoint(2, 7);
    lists.put(2L, new SanctionList(keys(8)).toBytes());
    assertThat(ingest.checkpoint(issuer.sign(again))).isEqualTo(Result.LIST_MISMATCH);
    assertThat(rules.current().checkpoints()).containsOnlyKeys(1L);
  }

  @Test
  void rejectsACheckpointOfAnotherSize() {
    SanctionCheckpoint one = checkpoint(1, 7);
    SanctionCheckpoint two =
        new SanctionCheckpoint(1, one.root(), 2, one.listDigest(), clock.millis());
    assertThat(ingest.checkpoint(issuer.sign(two))).isEqualTo(Result.LIST_MISMATCH);
  }

  @Test
  void anOlderCheckpointIsLate() {
    assertThat(ingest.checkpoint(issuer.sign(checkpoint(5, 7)))).isEqualTo(Result.ACCEPTED);
    assertThat(ingest.checkpoint(issuer.sign(checkpoint(4, 8)))).isEqualTo(Result.LATE);
    assertThat(rules.current().newestCheckpoint().orElseThrow().checkpoint().version())
        .isEqualTo(5);
  }

  @Test
  void acceptsACheckpointWhenItsListIsAvailableAgain() {
    SanctionCheckpoint checkpoint = checkpoint(1, 7);
    byte[] list = Objects.requireNonNull(lists.remove(1L));
    assertThat(ingest.checkpoint(issuer.sign(checkpoint))).isEqualTo(Result.LIST_UNAVAILABLE);
    lists.put(1L, list);
    assertThat(ingest.checkpoint(issuer.sign(checkpoint))).isEqualTo(Result.ACCEPTED);
  }

  @Test
  void everyProcessRebuildsTheRoot() {
    SanctionCheckpoint checkpoint = checkpoint(1, 7);
    ingest.checkpoint(issuer.sign(checkpoint));
    RulesCache other = rules();
    assertThat(other.current().newestCheckpoint().orElseThrow().rebuilt()).isTrue();
    database
        .jdbc()
        .sql("UPDATE authority.checkpoints SET list = ?")
        .param(new SanctionList(keys(8)).toBytes())
        .update();
    assertThat(rules().current().newestCheckpoint())
        .as("a list that was changed in the database")
        .isEmpty();
  }

  @Test
  void ignoresAForgedRowInTheDatabase() {
    ingest.policy(policy(1, 100));
    database
        .jdbc()
        .sql("INSERT INTO authority.policies VALUES (2, ?, now(), false, now())")
        .param(impostor.sign(TestSanctions.policy(2, 202606, 999, clock)))
        .update();
    RulesCache other = rules();
    assertThat(other.current().policyInForce(clock.instant()).orElseThrow().version()).isEqualTo(1);
  }

  /** Attack: in the database, a former policy and a former list get the next version. */
  @Test
  void aNoteUnderAnotherVersionDoesNotCount() {
    ingest.policy(policy(1, 900));
    ingest.policy(policy(2, 100));
    ingest.checkpoint(issuer.sign(checkpoint(1, 7)));
    ingest.checkpoint(issuer.sign(checkpoint(2, 7, 9)));
    for (String copy :
        List.of(
            "policies SELECT 3, note, accepted_at, late, effective_at FROM authority.policies",
            "checkpoints SELECT 3, note, list, accepted_at, late FROM authority.checkpoints")) {
      database.jdbc().sql("INSERT INTO authority." + copy + " WHERE version = 1").update();
    }
    RulesCache restarted = rules();
    assertThat(restarted.current().policies()).containsOnlyKeys(1L, 2L);
    assertThat(restarted.current().checkpoints()).containsOnlyKeys(1L, 2L);
    assertThat(inForce(restarted)).isEqualTo(2);
  }

  @Test
  void policiesCannotBeRewrittenInTheDatabase() {
    ingest.policy(policy(1, 100));
    assertThat(
            catchThrowable(
                () -> database.jdbc().sql("UPDATE authority.policies SET note = 'x'").update()))
        .hasMessageContaining("for ever");
    assertThat(catchThrowable(() -> database.jdbc().sql("DELETE FROM authority.policies").update()))
        .hasMessageContaining("for ever");
  }

  @Test
  void checkpointsCannotBeRewrittenInTheDatabase() {
    ingest.checkpoint(issuer.sign(checkpoint(1, 7, 9)));
    for (String change :
        List.of(
            "UPDATE authority.checkpoints SET note = 'x'",
            "UPDATE authority.checkpoints SET late = NOT late",
            "DELETE FROM authority.checkpoints")) {
      assertThat(catchThrowable(() -> database.jdbc().sql(change).update())).as(change).isNotNull();
    }
  }

  @Test
  void onlyTheNewestHeartbeatOfAVersionCounts() {
    long now = clock.millis();
    assertThat(ingest.heartbeat(issuer.sign(new Heartbeat(1, now)))).isEqualTo(Result.ACCEPTED);
    assertThat(ingest.heartbeat(issuer.sign(new Heartbeat(1, now - 1_000))))
        .isEqualTo(Result.KNOWN);
    assertThat(at(rules().current().heartbeats(), 1).toEpochMilli()).isEqualTo(now);
  }

  /** Another process of the authority stored a newer heartbeat that this one has not read yet. */
  @Test
  void anOlderHeartbeatDoesNotReplaceThatOfAnotherProcess() {
    long now = clock.millis();
    RuleIngest behind = ingest(rules());
    ingest.heartbeat(issuer.sign(new Heartbeat(1, now)));
    behind.heartbeat(issuer.sign(new Heartbeat(1, now - 1_000)));
    assertThat(at(rules().current().heartbeats(), 1).toEpochMilli()).isEqualTo(now);
  }

  @Test
  void rejectsAHeartbeatFromTheFuture() {
    long future = clock.millis() + Duration.ofHours(1).toMillis();
    assertThat(ingest.heartbeat(issuer.sign(new Heartbeat(1, future)))).isEqualTo(Result.FORGED);
  }

  @Test
  void dropsListsThatAreNoLongerNeeded() {
    ingest.checkpoint(issuer.sign(checkpoint(1, 7)));
    clock.forward(Duration.ofMinutes(1));
    ingest.checkpoint(issuer.sign(checkpoint(2, 8)));
    RuleStore store = new RuleStore(AuthorityDatabase.open(database.dataSource()));
    store.dropListsBefore(rules.oldestCheckpointInUse());
    assertThat(store.list(1)).as("within the grace").isPresent();
    clock.forward(Duration.ofMinutes(11));
    store.dropListsBefore(rules.oldestCheckpointInUse());
    assertThat(store.list(1)).isEmpty();
    assertThat(store.list(2)).isPresent();
    assertThat(rules().current().checkpoints()).as("kept for the finish rule").containsKey(1L);
  }

  private static <T> T at(Map<Long, T> versions, long version) {
    return Objects.requireNonNull(versions.get(version));
  }

  private long inForce() {
    return inForce(rules);
  }

  private long inForce(RulesCache rules) {
    return rules.current().policyInForce(clock.instant()).orElseThrow().version();
  }

  private String policy(long version, long limit) {
    return issuer.sign(TestSanctions.policy(version, 202606, limit, clock));
  }

  private SanctionCheckpoint checkpoint(long version, int... keys) {
    lists.put(version, new SanctionList(keys(keys)).toBytes());
    return issuer.checkpointOf(version, keys(keys));
  }

  private RulesCache rules() {
    AuthorityDatabase safe = AuthorityDatabase.open(database.dataSource());
    RulesCache opened =
        new RulesCache(
            new RuleStore(safe), notes(), new SanctionRootCheck(NETWORK), WINDOWS, clock);
    opened.refresh();
    return opened;
  }

  private RuleIngest ingest(RulesCache into) {
    return ingest(into, notes());
  }

  private RuleIngest ingest(RulesCache into, RuleNotes notes) {
    return new RuleIngest(
        new RuleStore(AuthorityDatabase.open(database.dataSource())),
        notes,
        new SanctionRootCheck(NETWORK),
        into,
        version -> Optional.ofNullable(lists.get(version)),
        WINDOWS,
        clock,
        new SimpleMeterRegistry());
  }

  private RuleNotes notes() {
    return new RuleNotes(
        NETWORK,
        NoteKeys.of(key("solidus-policy", issuer.policyKey())),
        NoteKeys.of(key("solidus-sanctions", issuer.sanctionKey())),
        clock);
  }

  private static NoteKey key(String name, String base64) {
    return new NoteKey(name, new Ed25519PublicKey(Base64.getDecoder().decode(base64)));
  }

  private static List<SanctionKey> keys(int... values) {
    return Arrays.stream(values).mapToObj(RuleIngestTest::key).toList();
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
