package io.solidus.prover;

import io.solidus.protocol.Family;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Proves with a bounded number of threads and a bounded queue. Every proof is verified before it is
 * returned. A proof uses all processors in part, so a parallelism of one or two per machine is
 * enough; more of it costs memory and gains little.
 */
public final class Prover implements AutoCloseable {
  /** How many requests may wait per thread before further ones are refused. */
  public static final int DEFAULT_QUEUE_PER_THREAD = 8;

  public static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(60);

  private final KeySet keys;
  private final ThreadPoolExecutor pool;
  private final Duration deadline;

  private Prover(KeySet keys, ThreadPoolExecutor pool, Duration deadline) {
    this.keys = keys;
    this.pool = pool;
    this.deadline = deadline;
  }

  public static Prover open(KeySet keys, int parallelism) {
    return open(keys, parallelism, parallelism * DEFAULT_QUEUE_PER_THREAD, DEFAULT_DEADLINE);
  }

  /**
   * @param queue how many requests may wait
   * @param deadline counted from submission; what has not started by then is not started
   */
  public static Prover open(KeySet keys, int parallelism, int queue, Duration deadline) {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            parallelism,
            parallelism,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(queue),
            task ->
                Thread.ofPlatform()
                    .daemon()
                    .name("solidus-prover-" + number.incrementAndGet())
                    .unstarted(task));
    return new Prover(keys, pool, deadline);
  }

  public KeySet keys() {
    return keys;
  }

  /** Requests that wait or are being proved. */
  public int pending() {
    return pool.getQueue().size() + pool.getActiveCount();
  }

  /**
   * @throws NativeException OVERLOADED, DEADLINE_EXCEEDED, or why the witness proves nothing
   */
  public byte[] proveTransfer(TransferWitness witness) {
    return join(proveTransferAsync(witness));
  }

  /** Fails with a {@link NativeException}. */
  public CompletableFuture<byte[]> proveTransferAsync(TransferWitness witness) {
    return submit(Family.TRANSFER, witness.toBytes());
  }

  public byte[] proveUnregulated(UnregulatedWitness witness) {
    return join(proveUnregulatedAsync(witness));
  }

  public CompletableFuture<byte[]> proveUnregulatedAsync(UnregulatedWitness witness) {
    return submit(Family.TRANSFER_UNREGULATED, witness.toBytes());
  }

  public byte[] proveRegister(RegisterWitness witness) {
    return join(proveRegisterAsync(witness));
  }

  public CompletableFuture<byte[]> proveRegisterAsync(RegisterWitness witness) {
    return submit(Family.REGISTER, witness.toBytes());
  }

  public byte[] proveMint(MintWitness witness) {
    return join(proveMintAsync(witness));
  }

  public CompletableFuture<byte[]> proveMintAsync(MintWitness witness) {
    return submit(Family.MINT, witness.toBytes());
  }

  private CompletableFuture<byte[]> submit(Family family, byte[] witness) {
    Job job = new Job(family, witness, System.nanoTime() + deadline.toNanos());
    try {
      pool.execute(job);
    } catch (RejectedExecutionException e) {
      job.drop(pool.isShutdown() ? NativeErrorCode.CANCELLED : NativeErrorCode.OVERLOADED);
      return job.result;
    }
    CompletableFuture.delayedExecutor(deadline.toNanos(), TimeUnit.NANOSECONDS)
        .execute(() -> job.fail(NativeErrorCode.DEADLINE_EXCEEDED));
    return job.result;
  }

  private static byte[] join(CompletableFuture<byte[]> result) {
    try {
      return result.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof NativeException cause) {
        throw NativeException.seenFromHere(cause);
      }
      throw e;
    }
  }

  /** Refuses new requests and those that wait; a proof that is being made ends on its own. */
  @Override
  public void close() {
    for (Runnable waiting : pool.shutdownNow()) {
      ((Job) waiting).drop(NativeErrorCode.CANCELLED);
    }
  }

  /** One proof to make. Its witness is cleared when it ran or was dropped. */
  private final class Job implements Runnable {
    private final Family family;
    private final byte[] witness;
    private final long expiry;
    private final CompletableFuture<byte[]> result = new CompletableFuture<>();

    Job(Family family, byte[] witness, long expiry) {
      this.family = family;
      this.witness = witness;
      this.expiry = expiry;
    }

    @Override
    public void run() {
      if (System.nanoTime() - expiry >= 0) {
        drop(NativeErrorCode.DEADLINE_EXCEEDED);
        return;
      }
      try {
        result.complete(
            Call.of(Operation.PROVE).u64(keys.id()).u8(family.code()).sized(witness).send().rest());
      } catch (RuntimeException e) {
        result.completeExceptionally(e);
      } finally {
        Arrays.fill(witness, (byte) 0);
      }
    }

    void drop(NativeErrorCode code) {
      Arrays.fill(witness, (byte) 0);
      fail(code);
    }

    void fail(NativeErrorCode code) {
      if (!result.isDone()) {
        result.completeExceptionally(new NativeException(code, ""));
      }
    }
  }
}
