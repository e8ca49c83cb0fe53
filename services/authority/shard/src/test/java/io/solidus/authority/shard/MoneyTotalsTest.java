package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.SpendStore.Reservation;
import io.solidus.dev.testkit.world.MovableClock;
import io.solidus.platform.outbox.Events;
import io.solidus.platform.outbox.Outbox;
import io.solidus.protocol.Amount;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.MoneyTotals;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an authority counts and signs. */
@Tag("process")
class MoneyTotalsTest {

  private final SpendStoreFixture fixture = new SpendStoreFixture(4);
  private final MovableClock clock = new MovableClock();
  private final NoteSigner signer = NoteSigner.fromSeed(CommitteeMember.noteName(1), new byte[32]);
  private final SqlSpendStore<Transfer> store =
      new SqlSpendStore<>(
          fixture.ownership,
          fixture.serials,
          fixture.cores,
          fixture.transaction,
          new WithdrawnMoney(fixture.jdbc, clock));
  private final MoneyTotalsPublisher publisher =
      new MoneyTotalsPublisher(
          fixture.jdbc,
          fixture.transaction,
          new Outbox(fixture.jdbc),
          fixture.network,
          signer,
          1,
          clock);

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aWithdrawalIsCountedOnceHoweverOftenItIsReserved() {
    SpendRequest<Transfer> withdrawal = withdrawal(70);
    reserve(List.of(withdrawal, withdrawal(30), withdrawal(0)));
    reserve(List.of(withdrawal));
    publisher.publish();
    MoneyTotals totals = published().getFirst();
    assertThat(totals.withdrawn()).isEqualTo(Amount.of(100));
    assertThat(totals.withdrawnInAll()).isEqualTo(Amount.of(100));
    assertThat(totals.mintedInAll()).isEqualTo(Amount.ZERO);
    assertThat(totals.day()).isEqualTo(today());
  }

  /** The range of one of its other serial numbers moved here: the core holds a fresh one. */
  @Test
  void aWithdrawalWhoseSerialNumberMovedHereIsNotCountedAgain() {
    SpendRequest<Transfer> withdrawal = withdrawal(70);
    store
        .reserve(List.of(new Reservation<>(withdrawal, List.of(withdrawal.lead()))))
        .forEach(Outcome::get);
    reserve(List.of(withdrawal));
    publisher.publish();
    assertThat(published().getFirst().withdrawnInAll()).isEqualTo(Amount.of(70));
  }

  /** The first mint of a day has no row to add to. */
  @Test
  void noMintExceedsTheCapOfADay() {
    DailyMintCap cap = new DailyMintCap(fixture.jdbc, clock);
    assertThat(code(() -> cap.use(Amount.of(1_001), Amount.of(1_000))))
        .isEqualTo(RejectionCode.MINT_CAP_EXCEEDED);
    cap.use(Amount.of(999), Amount.of(1_000));
    assertThat(code(() -> cap.use(Amount.of(2), Amount.of(1_000))))
        .isEqualTo(RejectionCode.MINT_CAP_USED_UP);
    cap.use(Amount.of(1), Amount.of(1_000));
    clock.forward(Duration.ofDays(1));
    cap.use(Amount.of(1_000), Amount.of(1_000));
  }

  private static RejectionCode code(ThrowingCallable work) {
    return catchThrowableOfType(ProtocolException.class, work).code();
  }

  @Test
  void totalsAreSignedAndPublishedWhenTheyChange() {
    publisher.publish();
    assertThat(published()).as("nothing happened yet").isEmpty();
    new DailyMintCap(fixture.jdbc, clock).use(Amount.of(500), Amount.of(1_000));
    reserve(List.of(withdrawal(7)));
    publisher.publish();
    publisher.publish();
    assertThat(published()).hasSize(1);

    clock.forward(Duration.ofDays(1));
    new DailyMintCap(fixture.jdbc, clock).use(Amount.of(50), Amount.of(1_000));
    publisher.publish();
    assertThat(published().getLast())
        .isEqualTo(
            new MoneyTotals(1, today(), Amount.of(50), Amount.ZERO, Amount.of(550), Amount.of(7)));
  }

  private LocalDate today() {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
  }

  private void reserve(List<SpendRequest<Transfer>> requests) {
    store
        .reserve(
            requests.stream()
                .map(request -> new Reservation<>(request, request.serials()))
                .toList())
        .forEach(Outcome::get);
  }

  private SpendRequest<Transfer> withdrawal(long amount) {
    TransferRequest random = fixture.transfers.next();
    TransferStatement s = random.statement();
    return fixture.request(
        new TransferRequest(
            new TransferStatement(
                s.family(), s.serials(), s.outputs(), s.period(), Amount.of(amount), s.context()),
            random.evidence(),
            random.attachments(),
            List.of()));
  }

  private List<MoneyTotals> published() {
    return fixture
        .jdbc
        .sql("SELECT payload FROM outbox ORDER BY sequence")
        .query(byte[].class)
        .list()
        .stream()
        .map(payload -> Events.parse(payload).getMoneyCounted().getTotalsNote())
        .map(note -> SignedNote.parse(note).requireSignedBy(signer.publicKey()).text())
        .map(text -> MoneyTotals.parse(fixture.network, text))
        .toList();
  }
}
