package io.solidus.operator.issuance.mint;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.Points;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.operator.issuance.InterleavedTransactions;
import io.solidus.platform.bank.BankScope;
import io.solidus.protocol.Amount;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Family;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Attack: of two mints that are requested at the same time the second is faster. */
@Tag("process")
class MintOrderTest {

  private final InterleavedTransactions transactions = new InterleavedTransactions();
  private final MintStore store = new MintStore(transactions.jdbc());

  @Test
  void noPageSkipsAMint() {
    transactions
        .jdbc()
        .sql(
            "INSERT INTO funding (funding_id, amount_minor, holder_tag, token_hash, recorded_by, recorded_at)"
                + " VALUES ('a-funding', 100, sha256(''), sha256(''), 'ida', now())")
        .update();
    assertThat(
            transactions.seen(
                number -> insert(),
                cursor ->
                    store.page(BankScope.every(), null, cursor, 50).stream()
                        .map(Mint::sequence)
                        .toList()))
        .hasSize(2);
  }

  private void insert() {
    MintRequest request =
        new MintRequest(
            new MintStatement(
                MintId.of(TestRandom.bytes(32)),
                Amount.of(5),
                new BlindedCoin(TestRandom.field(), Points.offCurve())),
            1,
            new byte[Family.MINT.proofBytes()],
            List.of());
    assertThat(
            store.insert(
                request,
                request.statement().core(TestCommittee.NETWORK),
                "a-funding",
                "ida",
                Instant.EPOCH))
        .isTrue();
  }
}
