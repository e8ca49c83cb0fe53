package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.dev.testkit.world.MovableClock;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.NoteKeys;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.TokenKeyList;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A registration service that wants to mark a wallet by a key, an issuer or a batch of its own. */
@Tag("process")
class TokenKeyCountersignerTest {
  private static final String ISSUER = "registration.example";
  private static final int BATCH = 64;

  private final SpendStoreFixture fixture = new SpendStoreFixture(4);
  private final MovableClock clock = new MovableClock();
  private final NoteSigner registration = NoteSigner.fromSeed("solidus-registration", seed(7));
  private final NoteSigner signer = NoteSigner.fromSeed(CommitteeMember.noteName(1), seed(1));

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void countersignsWhatTheServiceSigned() {
    String note = note(list(today(), 3, 0));
    SignedNote own = SignedNote.parse(countersigner().countersign(note));
    assertThat(own.text()).isEqualTo(SignedNote.parse(note).text());
    assertThat(own.signatures()).hasSize(1);
    assertThat(own.isSignedBy(signer.publicKey())).isTrue();
  }

  @Test
  void refusesASecondKeyOfADay() {
    countersigner().countersign(note(list(today(), 3, 0)));
    // the days move on with the same keys, also for another process of the authority
    countersigner().countersign(note(new TokenKeyList(ISSUER, BATCH, today() + 1, keys(1, 3))));
    assertThat(refusal(list(today() + 2, 1, 9))).isEqualTo(RejectionCode.IDEMPOTENCY_MISMATCH);
  }

  @Test
  void refusesAnotherIssuerOfADay() {
    countersigner().countersign(note(list(today(), 1, 0)));
    assertThat(refusal(new TokenKeyList("other.example", BATCH, today(), keys(0, 1))))
        .isEqualTo(RejectionCode.IDEMPOTENCY_MISMATCH);
  }

  /** No token shows how many a wallet got, so an operator may change it at any time. */
  @Test
  void takesAnotherBatch() {
    countersigner().countersign(note(list(today(), 2, 0)));
    String note = note(new TokenKeyList(ISSUER, BATCH - 1, today(), keys(0, 2)));
    assertThat(SignedNote.parse(countersigner().countersign(note)).text())
        .isEqualTo(SignedNote.parse(note).text());
  }

  /** All days of a note are remembered, or none. */
  @Test
  void aRefusedNoteLeavesNothing() {
    countersigner().countersign(note(list(today() + 1, 1, 0)));
    assertThat(refusal(list(today(), 2, 5))).isEqualTo(RejectionCode.IDEMPOTENCY_MISMATCH);
    assertThat(countersigner().countersign(note(list(today(), 1, 7)))).isNotEmpty();
  }

  @Test
  void refusesWhatTheServiceDidNotSign() {
    NoteSigner stranger = NoteSigner.fromSeed("solidus-registration", seed(8));
    String note =
        SignedNote.sign(list(today(), 1, 0).toNoteText(fixture.network), stranger).encode();
    ProtocolException refused =
        catchThrowableOfType(ProtocolException.class, () -> countersigner().countersign(note));
    assertThat(refused.code()).isEqualTo(RejectionCode.SIGNATURE_INVALID);
  }

  @Test
  void refusesDaysThatAreFar() {
    assertThat(refusal(list(today() - 3, 1, 0))).isEqualTo(RejectionCode.MALFORMED_REQUEST);
    assertThat(refusal(list(today() + 6, 3, 0))).isEqualTo(RejectionCode.MALFORMED_REQUEST);
  }

  @Test
  void forgetsDaysThatCountNoMore() {
    countersigner().countersign(note(list(today(), 3, 0)));
    clock.forward(Duration.ofDays(10));
    countersigner().countersign(note(list(today(), 3, 20)));
    assertThat(
            fixture
                .jdbc
                .sql("SELECT count(*) FROM authority.token_keys")
                .query(Integer.class)
                .single())
        .isEqualTo(3);
  }

  /** As another process of the authority: without what this one remembers. */
  private TokenKeyCountersigner countersigner() {
    return new TokenKeyCountersigner(
        new AuthorityDatabase(fixture.jdbc, fixture.transaction),
        fixture.network,
        NoteKeys.of(registration.publicKey()),
        signer,
        clock);
  }

  private RejectionCode refusal(TokenKeyList list) {
    return catchThrowableOfType(
            ProtocolException.class, () -> countersigner().countersign(note(list)))
        .code();
  }

  private String note(TokenKeyList list) {
    return SignedNote.sign(list.toNoteText(fixture.network), registration).encode();
  }

  private static TokenKeyList list(long firstDay, int days, int firstKey) {
    return new TokenKeyList(ISSUER, BATCH, firstDay, keys(firstKey, days));
  }

  /** The authority does not read keys; who verifies tokens does. */
  private static List<String> keys(int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(n -> String.format("%0684x", n + 1))
        .toList();
  }

  private long today() {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toEpochDay();
  }

  private static byte[] seed(int value) {
    byte[] seed = new byte[32];
    seed[0] = (byte) value;
    return seed;
  }
}
