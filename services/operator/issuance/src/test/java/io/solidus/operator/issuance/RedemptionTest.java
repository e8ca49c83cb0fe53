package io.solidus.operator.issuance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.MovableClock;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.operator.issuance.evidence.EvidenceCheck;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.KeySet;
import io.solidus.prover.Suite;
import io.solidus.prover.Verifier;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.json.Base64Url;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

/** Payouts of real withdrawals: real proofs, partial signatures of real shares, PostgreSQL. */
@Tag("process")
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedemptionTest {
  private static final String IBAN = "DE02120300000000202051";
  private static final String NAME = "Carol Canary";
  private static final String PAYOUT =
      "{\"creditorName\":\"" + NAME + "\",\"iban\":\"" + IBAN + "\",\"reference\":\"surplus\"}";
  private static final long HELD = 100_000;

  private final WalletAndCommittee parties = WalletAndCommittee.SHARED;
  private IssuanceFixture desk;

  /** A withdrawal that is never paid out; tests submit invalid copies of it. */
  private TransferRequest sample;

  private List<PartialSignature> sampleSignatures;

  @BeforeAll
  void start(@TempDir Path dir) throws Exception {
    desk = new IssuanceFixture(parties, dir, false);
    desk.issue(parties, "supply", 1_000_000);
    sample = withdraw(400);
    sampleSignatures = parties.sign(sample.statement(), 1, 2, 3);
  }

  @AfterAll
  void stop() {
    desk.close();
  }

  private TransferRequest withdraw(long amountMinor) {
    return parties.withdraw(parties.account(HELD), amountMinor, desk.payoutBlock(PAYOUT));
  }

  private static String lead(TransferRequest request) {
    return Base64Url.encode(request.statement().leadSerial().bytes());
  }

  @Test
  void paysOutAFinishedWithdrawalOnce(CapturedOutput output) {
    TransferRequest request = withdraw(300);
    long redeemed = desk.supply().get(1);
    Answer first = desk.redeem(request, parties.sign(request.statement(), 1, 2, 4));
    assertThat(first.status()).as(first.body()).isEqualTo(200);
    assertThat(first.json().path("amountMinor").asLong()).isEqualTo(300);
    assertThat(first.json().path("endToEndId").asString()).hasSize(35).startsWith("SLD");
    assertThat(first.body()).doesNotContain(IBAN).doesNotContain(NAME);

    Answer replay = desk.redeem(request, parties.sign(request.statement(), 2, 3, 4));
    assertThat(replay.status()).isEqualTo(200);
    assertThat(replay.body()).isEqualTo(first.body());
    assertThat(desk.rest.get("/v1/redemptions/" + lead(request)).body()).isEqualTo(first.body());
    assertThat(desk.supply().get(1)).isEqualTo(redeemed + 300);

    JsonNode seen = payout(request);
    assertThat(seen.path("iban").asString()).isEqualTo(IBAN);
    assertThat(seen.path("creditorName").asString()).isEqualTo(NAME);
    assertThat(seen.path("reference").asString()).isEqualTo("surplus");
    assertThat(seen.path("ibanValid").asBoolean()).isTrue();
    assertThat(allStoredRows())
        .doesNotContain(IBAN)
        .doesNotContain(hex(IBAN))
        .doesNotContain(NAME)
        .doesNotContain(hex(NAME));
    assertThat(output.getAll()).doesNotContain(IBAN).doesNotContain(NAME);
  }

  private JsonNode payout(TransferRequest request) {
    return desk.rest
        .get("/admin/v1/redemptions?limit=200", desk.operator())
        .json()
        .path("redemptions")
        .valueStream()
        .filter(node -> node.path("leadSerial").asString().equals(lead(request)))
        .findFirst()
        .orElseThrow();
  }

  private String allStoredRows() {
    var jdbc = desk.database.jdbc();
    return jdbc
        .sql("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
        .query(String.class)
        .list()
        .stream()
        .map(table ->
            jdbc.sql("SELECT coalesce(string_agg(t::text, '|'), '') FROM " + table + " t")
                .query(String.class)
                .single())
        .collect(Collectors.joining());
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void acceptsAndMarksAnIbanWithWrongCheckDigits() {
    TransferRequest request =
        parties.withdraw(
            parties.account(HELD),
            5,
            desk.payoutBlock("{\"creditorName\":\"Bob\",\"iban\":\"DE00120300000000202051\"}"));
    assertThat(desk.redeem(request, parties.sign(request.statement(), 1, 2, 3)).status())
        .isEqualTo(200);
    assertThat(payout(request).path("ibanValid").asBoolean()).isFalse();
  }

  @Test
  void concurrentRedemptionsArePaidOnce() throws Exception {
    TransferRequest request = withdraw(200);
    long redeemed = desk.supply().get(1);
    List<Callable<String>> calls = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      List<PartialSignature> partials = parties.sign(request.statement(), 1 + i % 2, 3, 4);
      calls.add(() -> desk.redeem(request, partials).body());
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<String> bodies = new ArrayList<>();
      for (Future<String> body : threads.invokeAll(calls)) {
        bodies.add(body.get());
      }
      assertThat(bodies).hasSize(12).containsOnly(bodies.getFirst());
      assertThat(bodies.getFirst()).contains("endToEndId");
    }
    assertThat(desk.supply().get(1)).isEqualTo(redeemed + 200);
  }

  @Test
  void neverPaysASecondWithdrawalOfOneComplianceCoin(CapturedOutput output) {
    WalletAndCommittee.Account account = parties.account(HELD);
    TransferRequest one = parties.withdraw(account, 10, desk.payoutBlock(PAYOUT));
    TransferRequest two = parties.withdraw(account, 20, desk.payoutBlock(PAYOUT));
    assertThat(desk.redeem(one, parties.sign(one.statement(), 1, 2, 3)).status()).isEqualTo(200);
    assertThat(desk.redeem(two, parties.sign(two.statement(), 1, 2, 3)).code())
        .isEqualTo("serial-conflict");
    assertThat(output.getAll()).contains("ALARM");
    assertThat(desk.rest.get("/v1/redemptions/" + lead(one)).json().path("amountMinor").asLong())
        .isEqualTo(10);
  }

  /**
   * Attack: a customer moves the partial signatures on her withdrawal to a second request of it, in
   * another blinding. Without votes the desk would call an honest committee broken.
   */
  @Test
  @Spec("V-19")
  void partialSignaturesMovedToAnotherBlindingRaiseNoAlarm(CapturedOutput output) {
    TestCommittee secrets = TestCommittee.regulated();
    WalletAndCommittee.Draft draft =
        parties.draft(parties.account(HELD), 10, desk.payoutBlock(PAYOUT));
    TransferRequest one = draft.request(TestRandom.scalar(8));
    TransferRequest two = draft.request(TestRandom.scalar(3));
    List<PartialSignature> signatures = parties.sign(one.statement(), 1, 2, 3);
    assertThat(desk.redeem(one, signatures).status()).isEqualTo(200);

    Outputs from = Outputs.of(TestCommittee.NETWORK, one.statement());
    Outputs to = Outputs.of(TestCommittee.NETWORK, two.statement());
    List<PartialSignature> moved =
        signatures.stream().map(p -> secrets.moved(p, from, 1, TestRandom.scalar(5))).toList();
    assertThat(moved)
        .as("the moved points verify")
        .allMatch(p -> secrets.suite().checkPoints(parties.committee, to, p));
    assertThat(desk.redeem(two, moved).code()).isEqualTo("signature-invalid");
    assertThat(output.getAll()).doesNotContain("ALARM");
  }

  private static PartialSignature relabelled(PartialSignature partial, int authority) {
    return new PartialSignature(authority, partial.shareEpoch(), partial.points(), partial.vote());
  }

  @Test
  void refusesAForgedPartialSignature() {
    List<PartialSignature> renamed = new ArrayList<>(sampleSignatures.subList(0, 2));
    renamed.add(relabelled(sampleSignatures.get(2), 4));
    assertThat(desk.redeem(sample, renamed).code()).isEqualTo("signature-invalid");

    List<PartialSignature> swapped = new ArrayList<>(sampleSignatures.subList(0, 2));
    PartialSignature third = sampleSignatures.get(2);
    swapped.add(
        new PartialSignature(3, third.shareEpoch(), third.points().reversed(), third.vote()));
    assertThat(desk.redeem(sample, swapped).code()).isEqualTo("signature-invalid");

    TransferStatement s = sample.statement();
    TransferStatement other =
        new TransferStatement(
            s.family(), s.serials(), s.outputs(), s.period(), new Amount(4), s.context());
    assertThat(desk.redeem(sample, parties.sign(other, 1, 2, 3)).code())
        .isEqualTo("signature-invalid");
    assertNothingPaid();
  }

  /** Attack: a shard has the note key and can vote. Points come from the signer alone. */
  @Test
  @Spec("V-19")
  void votesWithoutPointsPayNothing() {
    PartialSignature third = sampleSignatures.get(2);
    List<PartialSignature> partials = new ArrayList<>(sampleSignatures.subList(0, 2));
    partials.add(
        PartialSignature.voted(
            3,
            third.shareEpoch(),
            sample.statement().core(TestCommittee.NETWORK),
            third.points().reversed(),
            TestCommittee.regulated().noteKey(3)));
    assertThat(desk.redeem(sample, partials).code()).isEqualTo("signature-invalid");
    assertNothingPaid();
  }

  @Test
  void ignoresAForgedPartialSignatureBesideAQuorum() {
    TransferRequest request = withdraw(7);
    List<PartialSignature> partials = new ArrayList<>();
    partials.add(relabelled(sampleSignatures.getFirst(), 1));
    partials.addAll(parties.sign(request.statement(), 2, 3, 4));
    assertThat(desk.redeem(request, partials).status()).isEqualTo(200);
  }

  /**
   * A withdrawal was finished and its payout waits; then the shares are refreshed, and authority 4
   * has another note key since.
   */
  @Test
  @Spec("K-10")
  void aPayoutThatWaitedForARefreshIsPaid() {
    TestCommittee fresh = TestCommittee.regulated().refreshed(4);
    TransferStatement statement = sample.statement();
    List<PartialSignature> former = parties.sign(statement, 1, 2, 3);
    List<PartialSignature> ofFourth = parties.sign(statement, 4);
    PartialSignature present = fresh.partial(3, statement);
    MovableClock clock = new MovableClock();
    try (KeySet keys = fresh.openKeys();
        EvidenceCheck check = check(keys, clock)) {
      assertThat(check.requireQuorum(statement, former)).hasSize(3);
      assertThat(check.requireQuorum(statement, List.of(former.get(0), former.get(1), present)))
          .as("each in its epoch")
          .hasSize(3);
      List<PartialSignature> withFourth =
          List.of(former.get(0), former.get(1), ofFourth.getFirst());
      assertThat(check.requireQuorum(statement, withFourth)).hasSize(3);
      PartialSignature relabelled = new PartialSignature(3, 0, present.points(), present.vote());
      assertThatThrownBy(() ->
              check.requireQuorum(statement, List.of(former.get(0), former.get(1), relabelled)))
          .as("an answer of one epoch under the name of another")
          .isInstanceOf(ProtocolException.class);
      clock.forward(Duration.ofDays(3));
      assertThat(check.requireQuorum(statement, former)).as("for ever").hasSize(3);
      assertThatThrownBy(() -> check.requireQuorum(statement, withFourth))
          .as("the lost note key")
          .isInstanceOf(ProtocolException.class);
    }
    try (KeySet old = TestCommittee.regulated().openKeys();
        EvidenceCheck check = check(old, clock)) {
      assertThatThrownBy(
              () -> check.requireQuorum(statement, List.of(former.get(0), former.get(1), present)))
          .as("an epoch that the manifest does not know")
          .isInstanceOf(ProtocolException.class);
    }
  }

  private static EvidenceCheck check(KeySet keys, Clock clock) {
    return new EvidenceCheck(
        new Suite(keys.network()),
        keys.transfers(),
        Verifier.open(keys, keys.committee()),
        keys.committee(),
        1,
        Duration.ofSeconds(20),
        clock);
  }

  @Test
  void refusesTooFewAuthorities() {
    assertThat(desk.redeem(sample, sampleSignatures.subList(0, 2)).code())
        .isEqualTo("signature-invalid");
    assertThat(desk.redeem(sample, List.of()).code()).isEqualTo("signature-invalid");
    PartialSignature first = sampleSignatures.getFirst();
    assertThat(desk.redeem(sample, List.of(first, first, first)).code())
        .isEqualTo("malformed-request");
    PartialSignature foreign = relabelled(first, 9);
    assertThat(desk.redeem(sample, List.of(first, sampleSignatures.get(1), foreign)).code())
        .isEqualTo("malformed-request");
    PartialSignature half = new PartialSignature(3, 0, first.points().subList(0, 1), first.vote());
    assertThat(desk.redeem(sample, List.of(first, sampleSignatures.get(1), half)).code())
        .isEqualTo("malformed-request");
    assertNothingPaid();
  }

  private void assertNothingPaid() {
    assertThat(desk.rest.get("/v1/redemptions/" + lead(sample)).code()).isEqualTo("not-found");
  }

  @Test
  void refusesAPayoutBlockThatDiffersFromTheSignedOne() {
    Attachments other = new Attachments(desk.payoutBlock(PAYOUT), sample.attachments().memoBlock());
    TransferRequest redirected =
        new TransferRequest(sample.statement(), sample.evidence(), other, List.of());
    assertThat(desk.redeem(redirected, sampleSignatures).code()).isEqualTo("context-mismatch");
    assertNothingPaid();
  }

  @Test
  void refusesAPayoutBlockThatIsSealedToAnotherKeyOrInvalid() {
    byte[] foreign =
        IssuanceFixture.seal(HpkePrivateKey.generate(new SecureRandom()).publicKey(), PAYOUT);
    TransferRequest sealedElsewhere = parties.withdraw(parties.account(HELD), 5, foreign);
    assertThat(
            desk.redeem(sealedElsewhere, parties.sign(sealedElsewhere.statement(), 1, 2, 3)).code())
        .isEqualTo("malformed-request");
    TransferRequest noAccount =
        parties.withdraw(parties.account(HELD), 5, desk.payoutBlock("{\"creditorName\":\"Bob\"}"));
    assertThat(desk.redeem(noAccount, parties.sign(noAccount.statement(), 1, 2, 3)).code())
        .isEqualTo("malformed-request");
    byte[] random = new byte[Attachments.PAYOUT_BYTES];
    new SecureRandom().nextBytes(random);
    for (byte[] block : List.of(new byte[Attachments.PAYOUT_BYTES], random)) {
      TransferRequest none = parties.withdraw(parties.account(HELD), 5, block);
      assertThat(desk.redeem(none, parties.sign(none.statement(), 1, 2, 3)).code())
          .isEqualTo("malformed-request");
    }
  }

  @Test
  void refusesATransferWithoutAWithdrawal() {
    TransferRequest nothing = parties.withdraw(parties.account(HELD), 0, desk.payoutBlock(PAYOUT));
    assertThat(desk.redeem(nothing, parties.sign(nothing.statement(), 1, 2, 3)).code())
        .isEqualTo("malformed-request");
  }

  @Test
  void refusesALargerAmountThanTheSignedOne() {
    TransferStatement s = sample.statement();
    TransferStatement more =
        new TransferStatement(
            s.family(), s.serials(), s.outputs(), s.period(), new Amount(4_000), s.context());
    TransferRequest raised =
        new TransferRequest(more, sample.evidence(), sample.attachments(), List.of());
    assertThat(desk.redeem(raised, sampleSignatures).code()).isEqualTo("signature-invalid");
    assertNothingPaid();
  }

  @Test
  void refusesInvalidEvidence() {
    Evidence e = sample.evidence();
    Evidence unknownPolicy =
        new Evidence(
            99,
            e.checkpointVersion(),
            e.circuitVersion(),
            e.rk(),
            e.shows(),
            e.proof(),
            e.rkSignature());
    assertThat(desk.redeem(with(unknownPolicy), sampleSignatures).code())
        .isEqualTo("unknown-policy");
    Evidence unknownCheckpoint =
        new Evidence(
            e.policyVersion(),
            99,
            e.circuitVersion(),
            e.rk(),
            e.shows(),
            e.proof(),
            e.rkSignature());
    assertThat(desk.redeem(with(unknownCheckpoint), sampleSignatures).code())
        .isEqualTo("unknown-checkpoint");
    Evidence otherProof =
        new Evidence(
            e.policyVersion(),
            e.checkpointVersion(),
            e.circuitVersion(),
            e.rk(),
            e.shows(),
            withdraw(400).evidence().proof(),
            e.rkSignature());
    assertThat(desk.redeem(with(otherProof), sampleSignatures).code()).isEqualTo("proof-invalid");
    assertNothingPaid();
  }

  private TransferRequest with(Evidence evidence) {
    return new TransferRequest(sample.statement(), evidence, sample.attachments(), List.of());
  }

  @Test
  void neverRedeemsMoreThanWasIssued(@TempDir Path dir, CapturedOutput output) throws Exception {
    try (IssuanceFixture poor = new IssuanceFixture(parties, dir, false)) {
      poor.issue(parties, "little", 250);
      TransferRequest fits = parties.withdraw(parties.account(HELD), 200, poor.payoutBlock(PAYOUT));
      TransferRequest exceeds =
          parties.withdraw(parties.account(HELD), 51, poor.payoutBlock(PAYOUT));
      assertThat(poor.redeem(fits, parties.sign(fits.statement(), 1, 2, 3)).status())
          .isEqualTo(200);
      Answer refused = poor.redeem(exceeds, parties.sign(exceeds.statement(), 1, 2, 3));
      assertThat(refused.code()).isEqualTo("unavailable");
      assertThat(output.getAll()).contains("ALARM");
      assertThat(poor.count("redemption")).isEqualTo(1);
      assertThat(poor.supply()).containsExactly(250L, 200L, 50L);
      assertThatThrownBy(() ->
              poor.database
                  .jdbc()
                  .sql(
                      "INSERT INTO ledger_entry (kind, reference, debit_account, credit_account, amount_minor, entered_at)"
                          + " VALUES ('redemption', '\\x00', 'circulation', 'payouts', 51, now())")
                  .update())
          .hasMessageContaining("turnstile");
      poor.issue(parties, "more", 1);
      assertThat(poor.redeem(exceeds, parties.sign(exceeds.statement(), 1, 2, 3)).status())
          .isEqualTo(200);
      assertThat(poor.supply()).containsExactly(251L, 251L, 0L);
    }
  }

  @Test
  void refusesRulesWithoutTheirIssuersSignature(@TempDir Path dir) throws Exception {
    try (IssuanceFixture other = new IssuanceFixture(parties, dir, false)) {
      other.issue(parties, "some", 1_000);
      TransferRequest request =
          parties.withdraw(parties.account(HELD), 5, other.payoutBlock(PAYOUT));
      List<PartialSignature> partials = parties.sign(request.statement(), 1, 2, 3);
      other.sanctions.forgeCheckpoint(parties.tree.root());
      assertThat(other.redeem(request, partials).code()).isEqualTo("unavailable");
      other.sanctions.fail();
      Answer unavailable = other.redeem(request, partials);
      assertThat(unavailable.status()).isEqualTo(503);
      assertThat(unavailable.json().path("retryable").asBoolean()).isTrue();
      assertThat(other.count("redemption")).isZero();
    }
  }

  @Test
  void theDatabaseRefusesToChangeOrDeleteAPayout() {
    TransferRequest request = withdraw(3);
    desk.redeem(request, parties.sign(request.statement(), 1, 2, 3));
    var jdbc = desk.database.jdbc();
    assertThatThrownBy(() -> jdbc.sql("DELETE FROM redemption").update())
        .hasMessageContaining("never changed");
    assertThatThrownBy(() -> jdbc.sql("UPDATE redemption SET amount_minor = 1").update())
        .hasMessageContaining("never changed");
  }
}
