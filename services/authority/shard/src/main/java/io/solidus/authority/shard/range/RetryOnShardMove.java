package io.solidus.authority.shard.range;

import io.solidus.authority.spend.Answers;
import io.solidus.authority.spend.BatchWork;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a batch, and repeats by the newest map the requests that were rejected because a range moved
 * during the run. So a client learns of a move only when this shard no longer owns the lead serial
 * number.
 */
public final class RetryOnShardMove<R, A> implements BatchWork<SpendRequest<R>, A> {

  private static final Logger log = LoggerFactory.getLogger(RetryOnShardMove.class);

  private final Supplier<ShardMapView> ranges;
  private final Runnable refresh;
  private final BatchWork<SpendRequest<R>, A> work;

  /**
   * Wraps the work.
   *
   * @param ranges the newest map known; {@code work} uses the same one
   * @param refresh reads newer maps
   */
  public RetryOnShardMove(
      Supplier<ShardMapView> ranges, Runnable refresh, BatchWork<SpendRequest<R>, A> work) {
    this.ranges = ranges;
    this.refresh = refresh;
    this.work = work;
  }

  @Override
  public void run(List<SpendRequest<R>> requests, Answers<A> answers) {
    long before = ranges.get().version();
    SortedMap<Integer, Outcome<A>> moved = new TreeMap<>();
    work.run(
        requests,
        (i, outcome) -> {
          if (isMoved(outcome)) {
            moved.put(i, outcome);
          } else {
            answers.answer(i, outcome);
          }
        });
    if (!moved.isEmpty()) {
      repeat(requests, before, moved, answers);
    }
  }

  private void repeat(
      List<SpendRequest<R>> requests,
      long before,
      SortedMap<Integer, Outcome<A>> moved,
      Answers<A> answers) {
    ShardMapView now = newest();
    List<Integer> indexes = new ArrayList<>();
    moved.forEach((i, outcome) -> {
      if (now.version() > before && now.owns(requests.get(i).lead())) {
        indexes.add(i);
      } else {
        answers.answer(i, outcome);
      }
    });
    if (!indexes.isEmpty()) {
      work.run(
          indexes.stream().map(requests::get).toList(),
          (i, outcome) -> answers.answer(indexes.get(i), outcome));
    }
  }

  private ShardMapView newest() {
    try {
      refresh.run();
    } catch (RuntimeException e) {
      log.warn("the newest shard map cannot be read: {}", e.getClass().getSimpleName());
    }
    return ranges.get();
  }

  private static boolean isMoved(Outcome<?> outcome) {
    return outcome instanceof Outcome.Failed<?> failed
        && failed.reason() instanceof ProtocolException rejection
        && rejection.code() == RejectionCode.SHARD_MOVED;
  }
}
