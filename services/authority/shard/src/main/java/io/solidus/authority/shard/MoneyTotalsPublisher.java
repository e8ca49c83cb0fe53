package io.solidus.authority.shard;

import io.solidus.platform.outbox.Events;
import io.solidus.platform.outbox.Outbox;
import io.solidus.platform.outbox.Topics;
import io.solidus.protocol.Amount;
import io.solidus.protocol.MoneyTotals;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.v1.MoneyCounted;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Publishes what the authority has reserved for mints and withdrawals, signed. The issuer compares
 * it with its books: a mint that two approvers took past the desk shows.
 */
class MoneyTotalsPublisher {

  /** The shard that publishes for the authority; every authority has it. */
  static final int SHARD = 0;

  private static final byte[] NO_KEY = new byte[0];

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final Outbox outbox;
  private final NetworkId network;
  private final NoteSigner signer;
  private final int authority;
  private final Clock clock;
  private volatile @Nullable MoneyTotals published;

  MoneyTotalsPublisher(
      JdbcClient jdbc,
      TransactionTemplate transaction,
      Outbox outbox,
      NetworkId network,
      NoteSigner signer,
      int authority,
      Clock clock) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.outbox = outbox;
    this.network = network;
    this.signer = signer;
    this.authority = authority;
    this.clock = clock;
  }

  /** Publishes the totals of today, unless they were published already or nothing ever happened. */
  void publish() {
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    published =
        transaction.execute(t -> {
          foldWithdrawals();
          MoneyTotals totals = totals(today);
          if (!totals.equals(published) && !isZero(totals)) {
            String note = SignedNote.sign(totals.toNoteText(network), signer).encode();
            outbox.append(
                Topics.SPENT,
                NO_KEY,
                Events.envelope("money-counted", clock)
                    .setMoneyCounted(MoneyCounted.newBuilder().setTotalsNote(note))
                    .build());
          }
          return totals;
        });
  }

  private static boolean isZero(MoneyTotals totals) {
    return totals.mintedInAll().isZero() && totals.withdrawnInAll().isZero();
  }

  private void foldWithdrawals() {
    jdbc.sql(
            """
            WITH batches AS (DELETE FROM authority.withdrawn_batches RETURNING day, amount_minor)
            INSERT INTO authority.withdrawn_days AS d (day, withdrawn_minor)
            SELECT day, sum(amount_minor) FROM batches GROUP BY day
            ON CONFLICT (day) DO UPDATE SET withdrawn_minor = d.withdrawn_minor + excluded.withdrawn_minor
            """)
        .update();
  }

  private MoneyTotals totals(LocalDate today) {
    return jdbc.sql(
            """
            SELECT coalesce((SELECT minted_minor FROM authority.mint_days WHERE day = :today), 0),
              coalesce((SELECT withdrawn_minor FROM authority.withdrawn_days WHERE day = :today), 0),
              coalesce((SELECT sum(minted_minor) FROM authority.mint_days), 0)::bigint,
              coalesce((SELECT sum(withdrawn_minor) FROM authority.withdrawn_days), 0)::bigint
            """)
        .param("today", today)
        .query((rs, n) ->
            new MoneyTotals(
                authority,
                today,
                new Amount(rs.getLong(1)),
                new Amount(rs.getLong(2)),
                new Amount(rs.getLong(3)),
                new Amount(rs.getLong(4))))
        .single();
  }
}
