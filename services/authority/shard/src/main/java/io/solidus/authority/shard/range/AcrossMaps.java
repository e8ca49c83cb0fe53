package io.solidus.authority.shard.range;

import io.solidus.authority.spend.Answers;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Spend;
import io.solidus.authority.spend.batch.BatchWork;
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
 * Runs a batch, and what was refused because a range moved under it once more by the newest map: so
 * a client hears of a move only when the lead serial number is no longer this shard's.
 */
public final class AcrossMaps<R, A> implements BatchWork<Spend<R>, A> {

  private static final Logger log = LoggerFactory.getLogger(AcrossMaps.class);

  private final Supplier<RangeView> ranges;
  private final Runnable refresh;
  private final BatchWork<Spend<R>, A> work;

  /**
   * @param ranges the newest map known; {@code work} goes by the same
   * @param refresh looks for a newer one
   */
  public AcrossMaps(Supplier<RangeView> ranges, Runnable refresh, BatchWork<Spend<R>, A> work) {
    this.ranges = ranges;
    this.refresh = refresh;
    this.work = work;
  }

  @Override
  public void run(List<Spend<R>> spends, Answers<A> answers) {
    long before = ranges.get().version();
    SortedMap<Integer, Outcome<A>> moved = new TreeMap<>();
    work.run(
        spends,
        (i, outcome) -> {
          if (isMoved(outcome)) {
            moved.put(i, outcome);
          } else {
            answers.answer(i, outcome);
          }
        });
    if (!moved.isEmpty()) {
      again(spends, before, moved, answers);
    }
  }

  private void again(
      List<Spend<R>> spends,
      long before,
      SortedMap<Integer, Outcome<A>> moved,
      Answers<A> answers) {
    RangeView now = newest();
    List<Integer> places = new ArrayList<>();
    moved.forEach((i, outcome) -> {
      if (now.version() > before && now.owns(spends.get(i).lead())) {
        places.add(i);
      } else {
        answers.answer(i, outcome);
      }
    });
    if (!places.isEmpty()) {
      work.run(
          places.stream().map(spends::get).toList(),
          (i, outcome) -> answers.answer(places.get(i), outcome));
    }
  }

  private RangeView newest() {
    try {
      refresh.run();
    } catch (RuntimeException e) {
      log.warn("no look at the newest shard map: {}", e.getClass().getSimpleName());
    }
    return ranges.get();
  }

  private static boolean isMoved(Outcome<?> outcome) {
    return outcome instanceof Outcome.Failed<?> failed
        && failed.reason() instanceof ProtocolException refusal
        && refusal.code() == RejectionCode.SHARD_MOVED;
  }
}
