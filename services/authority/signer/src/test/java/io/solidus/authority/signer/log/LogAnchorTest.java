package io.solidus.authority.signer.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.protocol.NetworkId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class LogAnchorTest {

  private static final LogPosition GENESIS = HashChain.genesis(new NetworkId("anchor-test"), 1);
  private static final LogPosition ONE = HashChain.next(GENESIS, new byte[] {1});
  private static final LogPosition TWO = HashChain.next(ONE, new byte[] {2});

  private LogAnchor anchor;

  @BeforeEach
  void open() {
    anchor = new LogAnchor(AuthorityDatabase.open(MigratedDatabase.fresh().dataSource()));
    anchor.create(GENESIS);
  }

  /** Attack: while a log is opened, the database is rolled back or a second signer signs. */
  @Test
  void theAnchorOfAnOpenedLogMovesFromWhereItWasRead() {
    anchor.advance(GENESIS, ONE);
    assertThatThrownBy(() -> anchor.advance(GENESIS, TWO))
        .as("from another record")
        .isInstanceOf(LogDamagedException.class);
    assertThatThrownBy(() -> anchor.advance(new LogPosition(1, GENESIS.head()), TWO))
        .as("from another head")
        .isInstanceOf(LogDamagedException.class);
    assertThat(anchor.read()).contains(ONE);
    anchor.advance(ONE, TWO);
    assertThat(anchor.read()).contains(TWO);
  }

  @Test
  void anAnchorIsCreatedOnce() {
    anchor.create(ONE);
    assertThat(anchor.read()).contains(GENESIS);
  }
}
