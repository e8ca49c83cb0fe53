package io.solidus.edge.gateway.committee;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class FanOutTest {
  private static final Duration FOR_EVER = Duration.ofDays(1);

  /**
   * One authority never answers: the calls to it that are open do not grow, and the others are
   * asked as before.
   */
  @Test
  void openCallsToOneAuthorityAreBounded() {
    FanOut fanOut = new FanOut(FOR_EVER, 3);
    CountDownLatch never = new CountDownLatch(1);
    for (int i = 0; i < 3; i++) {
      fanOut.ask(List.of(1), authority -> await(never));
    }
    FanOut.Answers<String> answers =
        fanOut.ask(List.of(1, 2), authority -> authority == 1 ? await(never) : "yes");
    List<FanOut.Answer<String>> both = List.of(answers.next(), answers.next());
    assertThat(both)
        .filteredOn(FanOut.Answer.Missing.class::isInstance)
        .extracting(FanOut.Answer::authority)
        .containsExactly(1);
    assertThat(both)
        .filteredOn(FanOut.Answer.Given.class::isInstance)
        .extracting(FanOut.Answer::authority)
        .containsExactly(2);
    never.countDown();
  }

  @Test
  void aPlaceIsFreeAgainAfterAnAnswer() {
    FanOut fanOut = new FanOut(FOR_EVER, 1);
    for (int i = 0; i < 5; i++) {
      assertThat(fanOut.ask(List.of(1), authority -> "yes").next())
          .isEqualTo(new FanOut.Answer.Given<>(1, "yes"));
    }
  }

  /** A day is what the slow one would have; nobody waits for it when enough have answered. */
  @Test
  void enoughEndsTheWait() {
    CountDownLatch never = new CountDownLatch(1);
    FanOut.Answers<String> answers =
        new FanOut(FOR_EVER, 3)
            .ask(List.of(1, 2), authority -> authority == 1 ? await(never) : "yes");
    assertThat(answers.next()).isEqualTo(new FanOut.Answer.Given<>(2, "yes"));
    answers.enough(Duration.ofMillis(1));
    assertThat(answers.next()).isNull();
    assertThat(answers.outstanding()).isEqualTo(1);
    never.countDown();
  }

  private static String await(CountDownLatch latch) {
    try {
      latch.await();
      return "late";
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
