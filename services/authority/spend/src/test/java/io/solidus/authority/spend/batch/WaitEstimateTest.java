package io.solidus.authority.spend.batch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitEstimateTest {

  @Test
  void estimatesZeroWhileNothingIsKnown() {
    assertThat(new WaitEstimate(2, 10).nanosBehind(1_000)).isZero();
  }

  @Test
  void aRequestThatFitsIntoTheNextBatchWaitsForTheNextFreeWorker() {
    WaitEstimate estimate = new WaitEstimate(2, 10);
    estimate.learn(5, 1_000);
    assertThat(estimate.nanosBehind(0)).isZero();
    assertThat(estimate.nanosBehind(1)).isEqualTo(500);
    assertThat(estimate.nanosBehind(9)).isEqualTo(500);
  }

  @Test
  void aRequestBeyondTheNextBatchAlsoWaitsForThoseBeforeIt() {
    WaitEstimate estimate = new WaitEstimate(2, 10);
    estimate.learn(5, 1_000);
    assertThat(estimate.nanosBehind(10))
        .as("one does not fit; 200 each on two workers")
        .isEqualTo(600);
    assertThat(estimate.nanosBehind(29)).isEqualTo(500 + 20 * 100);
  }

  @Test
  void followsTheLoadGradually() {
    WaitEstimate estimate = new WaitEstimate(1, 10);
    estimate.learn(2, 1_000);
    estimate.learn(2, 2_000);
    assertThat(estimate.nanosBehind(1)).isEqualTo(1_250);
  }

  @Test
  void aBatchOfOneOnlyLowersTheEstimate() {
    WaitEstimate estimate = new WaitEstimate(1, 10);
    estimate.learn(1, 5_000);
    assertThat(estimate.nanosBehind(1)).isZero();
    estimate.learn(2, 10_000);
    estimate.learn(1, 50_000);
    assertThat(estimate.nanosBehind(1)).isEqualTo(10_000);
    estimate.learn(1, 40);
    assertThat(estimate.nanosBehind(1)).isEqualTo(40);
  }

  @Test
  void withBatchesOfOneEveryBatchCounts() {
    WaitEstimate estimate = new WaitEstimate(1, 1);
    estimate.learn(1, 1_000);
    assertThat(estimate.nanosBehind(3)).isEqualTo(4_000);
  }
}
