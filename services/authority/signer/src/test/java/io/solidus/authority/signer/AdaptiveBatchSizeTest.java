package io.solidus.authority.signer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The batch size for a given share of wrong proofs. */
class AdaptiveBatchSizeTest {

  @ParameterizedTest
  @CsvSource({"0, 256, 256", "0.01, 8, 32", "0.05, 2, 8", "0.2, 1, 2", "0.5, 1, 1", "1, 1, 1"})
  void shrinksWithTheShareOfWrongProofs(double share, int least, int most) {
    AdaptiveBatchSize size = new AdaptiveBatchSize(256, share);
    assertThat(size.current()).isBetween(least, most);
  }

  @Test
  void neverExceedsTheLimit() {
    assertThat(new AdaptiveBatchSize(64, 0).current()).isEqualTo(64);
    assertThat(new AdaptiveBatchSize(1, 0).current()).isEqualTo(1);
  }

  @Test
  void doesNotChangeWithEveryVerdict() {
    AdaptiveBatchSize size = new AdaptiveBatchSize(256, 0.01);
    int changes = 0;
    int before = size.current();
    for (int batch = 0; batch < 1_000; batch++) {
      // one wrong proof in a hundred, in batches of ten
      size.learn(10, batch % 10 == 0 ? 1 : 0);
      changes += size.current() == before ? 0 : 1;
      before = size.current();
    }
    assertThat(changes).isLessThanOrEqualTo(2);
    assertThat(size.share()).isBetween(0.005, 0.02);
  }

  @Test
  void growsAgainAfterTheWrongProofs() {
    AdaptiveBatchSize size = new AdaptiveBatchSize(256, 1);
    assertThat(size.current()).isEqualTo(1);
    int verified = 0;
    while (size.current() < 64 && verified < 10_000) {
      verified += size.current();
      size.learn(size.current(), 0);
    }
    assertThat(verified).as("good ones until batches are large again").isLessThan(3_000);
  }

  @Test
  void withoutWrongProofsALargerBatchCostsLessEach() {
    for (int size = 2; size < 256; size *= 2) {
      assertThat(BisectionCost.millisEach(2 * size, 0))
          .isLessThan(BisectionCost.millisEach(size, 0));
    }
  }
}
