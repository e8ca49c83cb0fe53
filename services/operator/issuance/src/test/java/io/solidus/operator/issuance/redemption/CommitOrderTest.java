package io.solidus.operator.issuance.redemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.operator.issuance.InterleavedTransactions;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.outbox.Outbox;
import io.solidus.protocol.Amount;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.wire.v1.EventEnvelope;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Attack: of two transactions the second is faster. Who goes on from the last number that he saw
 * still sees both rows.
 */
@Tag("process")
class CommitOrderTest {

  private final InterleavedTransactions transactions = new InterleavedTransactions();
  private final JdbcClient jdbc = transactions.jdbc();
  private final RandomTransfers transfers = new RandomTransfers(TestCommittee.NETWORK);

  @Test
  void noPageSkipsAPayout() {
    RedemptionStore store = new RedemptionStore(jdbc);
    assertThat(
            transactions.seen(
                number -> insert(store, number),
                cursor ->
                    store.page(BankScope.every(), null, false, cursor, 50).stream()
                        .map(Redemption::sequence)
                        .toList()))
        .hasSize(2);
  }

  @Test
  void noReaderOfTheOutboxSkipsAnEvent() {
    Outbox outbox = new Outbox(jdbc);
    assertThat(
            transactions.seen(
                number ->
                    outbox.append(
                        "a topic",
                        new byte[0],
                        EventEnvelope.newBuilder()
                            .setEventId(UUID.randomUUID().toString())
                            .build()),
                cursor -> numbers("outbox", cursor)))
        .hasSize(2);
  }

  private List<Long> numbers(String table, long cursor) {
    return jdbc.sql("SELECT sequence FROM " + table + " WHERE sequence > ? ORDER BY sequence")
        .param(cursor)
        .query(Long.class)
        .list();
  }

  private void insert(RedemptionStore store, int number) {
    TransferRequest random = transfers.next();
    TransferStatement s = random.statement();
    TransferRequest withdrawal =
        new TransferRequest(
            new TransferStatement(
                s.family(), s.serials(), s.outputs(), s.period(), Amount.of(number), s.context()),
            random.evidence(),
            random.attachments(),
            List.of());
    assertThat(
            store.insert(
                withdrawal,
                withdrawal.statement().core(TestCommittee.NETWORK),
                "payout " + number,
                null,
                List.of(),
                Instant.EPOCH))
        .isTrue();
  }
}
