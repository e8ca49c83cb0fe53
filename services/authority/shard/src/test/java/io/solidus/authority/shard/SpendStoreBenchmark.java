package io.solidus.authority.shard;

import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.SpendStore.Reservation;
import io.solidus.authority.spend.SpendStore.Signed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Measures how many transfers per second the tables of a shard take, with fsync on, at several
 * batch sizes: both transactions of a batch (reserve with three serial numbers each, store), each
 * alone, and their processor time. The name of the class keeps it out of the test run; {@code
 * ./solidus bench pieces} runs it.
 */
final class SpendStoreBenchmark {

  private static final int WRITERS = 4;
  private static final int[] SIZES = {1, 4, 16, 64, 256};

  @Test
  void printsFigures() throws Exception {
    main(new String[] {"3", "10000"});
  }

  /**
   * Prints the figures.
   *
   * @param args seconds per size (default 5), transfers to fill the tables with before (default 0),
   *     SQL statements that change the schema
   */
  public static void main(String[] args) throws Exception {
    int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 5;
    int filled = args.length > 1 ? Integer.parseInt(args[1]) : 0;
    try (SpendStoreFixture fixture = new SpendStoreFixture(WRITERS + 1)) {
      for (int i = 2; i < args.length; i++) {
        fixture.jdbc.sql(args[i]).update();
      }
      for (int i = 0; i < filled; i += 256) {
        write(fixture, batch(fixture, 256));
      }
      System.out.printf("%d writers, %d transfers before%n", WRITERS, filled);
      System.out.println(
          "batch  transfers/s  serials/s  reserve ms  store ms  postgres us/transfer  jvm us/transfer");
      for (int size : SIZES) {
        measure(fixture, size, 1); // warms up
        measure(fixture, size, seconds).print(size);
      }
    }
  }

  private record Result(
      long transfers, double seconds, double reserveMillis, double storeMillis, Cpu cpu) {
    void print(int size) {
      double rate = transfers / seconds;
      System.out.printf(
          "%5d %12.0f %10.0f %11.2f %9.2f %21.1f %16.1f%n",
          size,
          rate,
          3 * rate,
          reserveMillis,
          storeMillis,
          cpu.postgres() / 1e3 / transfers,
          cpu.jvm() / 1e3 / transfers);
    }
  }

  /** Nanoseconds of processor time. */
  private record Cpu(long postgres, long jvm) {

    static Cpu now(SpendStoreFixture fixture) {
      long postgres =
          fixture.jdbc.sql("SELECT pid FROM pg_stat_activity").query(Long.class).list().stream()
              .flatMap(pid -> ProcessHandle.of(pid).stream())
              .flatMap(process -> process.info().totalCpuDuration().stream())
              .mapToLong(Duration::toNanos)
              .sum();
      return new Cpu(
          postgres, ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos());
    }

    Cpu minus(Cpu earlier) {
      return new Cpu(postgres - earlier.postgres, jvm - earlier.jvm);
    }
  }

  private record Spent(long reserveNanos, long storeNanos) {}

  private static Result measure(SpendStoreFixture fixture, int size, int seconds) throws Exception {
    AtomicLong batches = new AtomicLong();
    AtomicLong reserve = new AtomicLong();
    AtomicLong store = new AtomicLong();
    int most = Math.max(4, 3_000 * seconds / size);
    List<List<SpendRequest<Transfer>>> prepared = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      prepared.add(batch(fixture, size));
    }
    AtomicLong next = new AtomicLong();
    Cpu before = Cpu.now(fixture);
    long start = System.nanoTime();
    long end = start + seconds * 1_000_000_000L;
    Callable<Void> writer =
        () -> {
          while (System.nanoTime() < end) {
            int i = (int) next.getAndIncrement();
            if (i >= most) {
              break;
            }
            Spent spent = write(fixture, prepared.get(i));
            batches.incrementAndGet();
            reserve.addAndGet(spent.reserveNanos());
            store.addAndGet(spent.storeNanos());
          }
          return null;
        };
    try (ExecutorService pool = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<Void>> writers = pool.invokeAll(Collections.nCopies(WRITERS, writer));
      for (Future<Void> w : writers) {
        w.get();
      }
    }
    double took = (System.nanoTime() - start) / 1e9;
    long n = batches.get();
    return new Result(
        n * size,
        took,
        reserve.get() / 1e6 / n,
        store.get() / 1e6 / n,
        Cpu.now(fixture).minus(before));
  }

  private static Spent write(SpendStoreFixture fixture, List<SpendRequest<Transfer>> batch) {
    long start = System.nanoTime();
    List<Reservation<Transfer>> wanted =
        batch.stream().map(s -> new Reservation<>(s, s.serials())).toList();
    fixture.spendStore.reserve(wanted).forEach(Outcome::get);
    long reserved = System.nanoTime();
    fixture.spendStore.store(
        batch.stream().map(s -> new Signed<>(s, SpendStoreFixture.answer())).toList());
    return new Spent(reserved - start, System.nanoTime() - reserved);
  }

  private static List<SpendRequest<Transfer>> batch(SpendStoreFixture fixture, int size) {
    List<SpendRequest<Transfer>> batch = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      batch.add(fixture.request());
    }
    return batch;
  }
}
