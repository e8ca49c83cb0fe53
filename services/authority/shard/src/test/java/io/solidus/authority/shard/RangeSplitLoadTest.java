package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.authority.shard.Submitted.Transfer;
import io.solidus.authority.shard.range.Cut;
import io.solidus.authority.shard.range.RangeSplit;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Spend;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import io.solidus.wire.v1.PartialSignature;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ranges are split again and again while many clients spend, some of them the same coins. */
class RangeSplitLoadTest {

  private static final Logger log = LoggerFactory.getLogger(RangeSplitLoadTest.class);
  private static final int CLIENTS = 6;
  private static final int BEFORE = 3_000;
  private static final int BETWEEN = 1_000;

  @Test
  void nothingIsLostOrSpentTwice(@TempDir Path folder) throws Exception {
    try (PostgresServer postgres = PostgresServer.start(folder.resolve("postgres"));
        LocalAuthority authority = new LocalAuthority(postgres, "split_under_load")) {
      for (int joining = 2; joining <= 4; joining++) {
        authority.start(joining);
      }
      Load load = new Load(authority);
      load.awaitMore(BEFORE);
      log.info("slowest batch before: {} ms", load.slowestMillis());
      split(authority, load, 0, new Cut.Middle());
      load.awaitMore(BETWEEN);
      split(authority, load, 1, new Cut.Median());
      load.awaitMore(BETWEEN);
      split(authority, load, 2, new Cut.Middle());
      load.awaitMore(BETWEEN);
      Map<Spend<Transfer>, PartialSignature> acknowledged = load.stop();

      ShardMap map = authority.newestMap();
      assertThat(map.version()).isEqualTo(4);
      assertThat(map.shards()).isEqualTo(5);
      assertThat(load.unexpected).as("what a client saw besides answers and conflicts").isEmpty();
      assertThat(acknowledged).hasSizeGreaterThan(BEFORE + 3 * BETWEEN);
      new SpentInvariants(authority).hold(acknowledged);
    }
  }

  private static void split(LocalAuthority authority, Load load, int shard, Cut cut) {
    load.slowestMillis();
    RangeSplit.Result result =
        authority
            .split(new RangeSplit.Watcher() {})
            .run(shard, authority.newestMap().shards(), cut);
    log.info(
        "split of {}: reservations held up for {} ms; slowest batch meanwhile {} ms; {} answers so far",
        shard,
        result.pause() == null ? -1 : result.pause().toMillis(),
        load.slowestMillis(),
        load.acknowledged.size());
  }

  /** Clients in closed loops. */
  private static final class Load {
    private final LocalAuthority authority;
    private final Map<Spend<Transfer>, PartialSignature> acknowledged = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Object> unexpected = new ConcurrentLinkedQueue<>();
    private final List<SerialNumber> spent =
        java.util.Collections.synchronizedList(new ArrayList<>());
    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    private final List<Future<?>> running = new ArrayList<>();
    private final java.util.concurrent.atomic.AtomicLong slowest =
        new java.util.concurrent.atomic.AtomicLong();
    private volatile boolean stopped;

    Load(LocalAuthority authority) {
      this.authority = authority;
      for (int i = 0; i < CLIENTS; i++) {
        running.add(clients.submit(this::spendOn));
      }
    }

    private void spendOn() {
      while (!stopped) {
        List<Spend<Transfer>> batch = new ArrayList<>();
        HashSet<SerialNumber> used = new HashSet<>();
        int size = 1 + ThreadLocalRandom.current().nextInt(24);
        for (int i = 0; i < size; i++) {
          Spend<Transfer> spend = next();
          if (used.addAll(spend.serials())) {
            batch.add(spend);
          }
        }
        long start = System.nanoTime();
        List<Outcome<PartialSignature>> outcomes = authority.submit(batch);
        slowest.accumulateAndGet((System.nanoTime() - start) / 1_000_000, Math::max);
        for (int i = 0; i < batch.size(); i++) {
          take(batch.get(i), outcomes.get(i));
        }
      }
    }

    /** One in ten wants a coin that somebody spent or is spending. */
    private Spend<Transfer> next() {
      if (spent.isEmpty() || ThreadLocalRandom.current().nextInt(10) > 0) {
        return authority.spend();
      }
      SerialNumber again = spent.get(ThreadLocalRandom.current().nextInt(spent.size()));
      SerialNumber fresh = authority.transfers.serial(s -> true);
      SerialNumber other = authority.transfers.serial(s -> true);
      return authority.spend(
          ThreadLocalRandom.current().nextBoolean()
              ? authority.transfers.spending(again, fresh, other)
              : authority.transfers.spending(fresh, again, other));
    }

    private void take(Spend<Transfer> spend, Outcome<PartialSignature> outcome) {
      switch (outcome) {
        case Outcome.Done<PartialSignature> done -> {
          acknowledged.put(spend, done.value());
          spent.addAll(spend.serials());
        }
        case Outcome.Failed<PartialSignature> failed -> {
          if (!LocalAuthority.hasCode(failed, RejectionCode.SERIAL_CONFLICT)) {
            unexpected.add(failed.reason());
          }
        }
      }
    }

    void awaitMore(int answers) throws Exception {
      int wanted = acknowledged.size() + answers;
      while (acknowledged.size() < wanted) {
        for (Future<?> client : running) {
          if (client.isDone()) {
            client.get();
          }
        }
        Thread.sleep(20);
      }
    }

    long slowestMillis() {
      return slowest.getAndSet(0);
    }

    Map<Spend<Transfer>, PartialSignature> stop() throws Exception {
      stopped = true;
      for (Future<?> client : running) {
        client.get();
      }
      clients.shutdownNow();
      return acknowledged;
    }
  }
}
