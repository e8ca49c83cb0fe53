package io.solidus.prover;

import io.solidus.protocol.Family;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

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
  private final NativeExecutor executor;
  private final Duration deadline;

  private Prover(KeySet keys, NativeExecutor executor, Duration deadline) {
    this.keys = keys;
    this.executor = executor;
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
    return new Prover(keys, new NativeExecutor("solidus-prover", parallelism, queue), deadline);
  }

  public KeySet keys() {
    return keys;
  }

  /** Requests that wait or are being proved. */
  public int pending() {
    return executor.pending();
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

  /** The witness is cleared when it was proved or will never be. */
  private CompletableFuture<byte[]> submit(Family family, byte[] witness) {
    return executor.submit(
        deadline,
        () ->
            Call.of(Operation.PROVE).u64(keys.id()).u8(family.code()).sized(witness).send().rest(),
        () -> Arrays.fill(witness, (byte) 0));
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
    executor.close();
  }
}
