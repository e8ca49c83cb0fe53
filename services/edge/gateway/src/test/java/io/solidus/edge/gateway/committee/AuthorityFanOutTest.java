package io.solidus.edge.gateway.committee;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class AuthorityFanOutTest {
  private static final Duration ONE_DAY = Duration.ofDays(1);

  /**
   * One authority never answers: the number of open calls to it is bounded, and the other authority
   * is called as before.
   */
  @Test
  void boundsTheOpenCallsToOneAuthority() {
    AuthorityFanOut fanOut = new AuthorityFanOut(ONE_DAY, 3);
    CountDownLatch never = new CountDownLatch(1);
    for (int i = 0; i < 3; i++) {
      fanOut.call(List.of(1), authority -> await(never));
    }
    AuthorityFanOut.Replies<String> replies =
        fanOut.call(List.of(1, 2), authority -> authority == 1 ? await(never) : "yes");
    List<AuthorityFanOut.Reply<String>> both = List.of(replies.next(), replies.next());
    assertThat(both)
        .filteredOn(AuthorityFanOut.Reply.Missing.class::isInstance)
        .extracting(AuthorityFanOut.Reply::authority)
        .containsExactly(1);
    assertThat(both)
        .filteredOn(AuthorityFanOut.Reply.Received.class::isInstance)
        .extracting(AuthorityFanOut.Reply::authority)
        .containsExactly(2);
    never.countDown();
  }

  @Test
  void anAnswerReleasesThePermit() {
    AuthorityFanOut fanOut = new AuthorityFanOut(ONE_DAY, 1);
    for (int i = 0; i < 5; i++) {
      assertThat(fanOut.call(List.of(1), authority -> "yes").next())
          .isEqualTo(new AuthorityFanOut.Reply.Received<>(1, "yes"));
    }
  }

  /** The silent authority has a day to answer; the shortened deadline ends the wait. */
  @Test
  void aShortenedDeadlineEndsTheWait() {
    CountDownLatch never = new CountDownLatch(1);
    AuthorityFanOut.Replies<String> replies =
        new AuthorityFanOut(ONE_DAY, 3)
            .call(List.of(1, 2), authority -> authority == 1 ? await(never) : "yes");
    assertThat(replies.next()).isEqualTo(new AuthorityFanOut.Reply.Received<>(2, "yes"));
    replies.shortenDeadline(Duration.ofMillis(1));
    assertThat(replies.next()).isNull();
    assertThat(replies.outstanding()).isEqualTo(1);
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
