package io.solidus.authority.spend.simulation;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Runs simulated worlds, one for each seed, on one thread or several. */
final class Simulation {

  private static final int SHOWN = 80;

  /**
   * The run of one seed.
   *
   * @param violation empty when every promise was kept
   */
  record Run(
      long seed,
      long events,
      Map<CoveragePoint, Long> covered,
      Optional<Violation> violation,
      List<String> trace) {}

  /**
   * The result of many runs.
   *
   * @param firstBad the smallest seed seen with a violation; seeds are taken in order
   */
  record Summary(
      long seeds,
      long events,
      double seconds,
      Map<CoveragePoint, Long> covered,
      OptionalLong firstBad) {
    @Override
    public String toString() {
      return "%,d seeds, %,.0f seeds/s, %.0f events each; in all %s"
          .formatted(seeds, seeds / seconds, (double) events / Math.max(1, seeds), covered);
    }
  }

  private Simulation() {}

  static Run run(long seed, World.Setup setup) {
    World world = new World(seed, setup);
    Optional<Violation> violation = Optional.empty();
    try {
      world.run();
    } catch (Violation e) {
      violation = Optional.of(e);
      world.note(e::getMessage);
    } catch (RuntimeException | Error e) {
      throw new IllegalStateException("seed " + seed + " ends in a defect", e);
    }
    return new Run(
        seed, world.events().processed(), world.covered(), violation, world.events().trace());
  }

  /** Runs seeds from {@code first}; starts no new one after the first violation. */
  static Summary runAll(long first, long count, int threads, World.Setup setup)
      throws InterruptedException {
    Totals totals = new Totals();
    AtomicLong next = new AtomicLong(first);
    AtomicLong bad = new AtomicLong(Long.MAX_VALUE);
    long begin = System.nanoTime();
    Runnable work =
        () -> {
          long seed;
          while (bad.get() == Long.MAX_VALUE && (seed = next.getAndIncrement()) < first + count) {
            Run run = run(seed, setup);
            totals.add(run);
            if (run.violation().isPresent()) {
              bad.accumulateAndGet(seed, Math::min);
            }
          }
        };
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<? extends Future<?>> workers =
          IntStream.range(0, threads).mapToObj(i -> executor.submit(work)).toList();
      for (Future<?> worker : workers) {
        join(worker);
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    OptionalLong firstBad =
        bad.get() == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(bad.get());
    return totals.summary(seconds, firstBad);
  }

  private static final class Totals {
    private final Map<CoveragePoint, Long> covered = new EnumMap<>(CoveragePoint.class);
    private long seeds;
    private long events;

    synchronized void add(Run run) {
      seeds++;
      events += run.events();
      run.covered().forEach((point, times) -> covered.merge(point, times, Long::sum));
    }

    synchronized Summary summary(double seconds, OptionalLong firstBad) {
      return new Summary(seeds, events, seconds, new EnumMap<>(covered), firstBad);
    }
  }

  private static void join(Future<?> worker) throws InterruptedException {
    try {
      worker.get();
    } catch (ExecutionException e) {
      throw new AssertionError("the simulation itself failed", e.getCause());
    }
  }

  /** Describes a failed seed for a person who investigates it. */
  static String explain(long seed, World.Setup setup) {
    Run run = run(seed, setup.traced());
    List<String> trace = run.trace();
    List<String> last = trace.subList(Math.max(0, trace.size() - SHOWN), trace.size());
    return "seed "
        + seed
        + ": "
        + run.violation().map(Violation::getMessage).orElse("every promise was kept")
        + "\nreplay: ./solidus simulate --seed "
        + seed
        + "\n"
        + String.join("\n", last);
  }
}
