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

/** Runs worlds, one for each seed, on one thread or several. */
final class Simulation {

  private static final int SHOWN = 80;

  /**
   * @param violation empty when every promise was kept
   */
  record Run(
      long seed,
      long events,
      long[] happenings,
      Optional<Violation> violation,
      List<String> trace) {}

  /**
   * @param firstBad the smallest seed with a violation that was seen; seeds are taken in order
   */
  record Summary(
      long seeds,
      long events,
      double seconds,
      Map<Happening, Long> happenings,
      OptionalLong firstBad) {
    @Override
    public String toString() {
      return "%,d seeds, %,.0f seeds/s, %.0f events each; in all %s"
          .formatted(seeds, seeds / seconds, (double) events / Math.max(1, seeds), happenings);
    }
  }

  private Simulation() {}

  static Run run(long seed, World.Setup setup) {
    World world = new World(seed, setup);
    Optional<Violation> violation = Optional.empty();
    try {
      world.run();
    } catch (Violation broken) {
      violation = Optional.of(broken);
      world.note(broken::getMessage);
    } catch (RuntimeException | Error defect) {
      throw new IllegalStateException("seed " + seed + " ends in a defect", defect);
    }
    return new Run(
        seed, world.agenda().happened(), world.happenings(), violation, world.agenda().trace());
  }

  /** Seeds from {@code first}; stops taking new ones after the first violation. */
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
    private final Map<Happening, Long> happenings = new EnumMap<>(Happening.class);
    private long seeds;
    private long events;

    synchronized void add(Run run) {
      seeds++;
      events += run.events();
      for (Happening happening : Happening.values()) {
        happenings.merge(happening, run.happenings()[happening.ordinal()], Long::sum);
      }
    }

    synchronized Summary summary(double seconds, OptionalLong firstBad) {
      return new Summary(seeds, events, seconds, new EnumMap<>(happenings), firstBad);
    }
  }

  private static void join(Future<?> worker) throws InterruptedException {
    try {
      worker.get();
    } catch (ExecutionException e) {
      throw new AssertionError("the simulation itself failed", e.getCause());
    }
  }

  /** What a person needs to look into a failed seed. */
  static String explain(long seed, World.Setup setup) {
    Run run = run(seed, setup.traced());
    List<String> trace = run.trace();
    List<String> last = trace.subList(Math.max(0, trace.size() - SHOWN), trace.size());
    return "seed "
        + seed
        + ": "
        + run.violation().map(Violation::getMessage).orElse("every promise was kept")
        + "\nreplay: mvn -pl services/validator -am -Dtest=SpendingSimulationTest -Dsurefire.failIfNoSpecifiedTests=false"
        + " -Dsolidus.simulation.seed="
        + seed
        + " test\n"
        + String.join("\n", last);
  }
}
