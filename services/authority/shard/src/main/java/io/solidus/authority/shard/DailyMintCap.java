package io.solidus.authority.shard;

import io.solidus.protocol.Amount;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Limits the value that an authority mints on one UTC day, over all its shards. */
class DailyMintCap {

  private final JdbcClient jdbc;
  private final Clock clock;

  DailyMintCap(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Counts a mint that is reserved for the first time, in the transaction that reserves it.
   *
   * @throws ProtocolException mint-cap-exceeded for a value that no day allows, mint-cap-used-up
   *     until tomorrow
   */
  void use(Amount value, Amount cap) {
    if (value.compareTo(cap) > 0) {
      throw new ProtocolException(
          RejectionCode.MINT_CAP_EXCEEDED, "the value exceeds what may be minted on one day");
    }
    int counted =
        jdbc.sql(
                """
                INSERT INTO authority.mint_days AS d (day, minted_minor) VALUES (:day, :value)
                ON CONFLICT (day) DO UPDATE SET minted_minor = d.minted_minor + excluded.minted_minor
                WHERE d.minted_minor <= :cap - excluded.minted_minor
                """)
            .param("day", LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC))
            .param("value", value.minor())
            .param("cap", cap.minor())
            .update();
    if (counted == 0) {
      throw new ProtocolException(
          RejectionCode.MINT_CAP_USED_UP, "the rest of the day's cap does not allow this value");
    }
  }
}
