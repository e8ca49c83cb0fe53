package io.solidus.prover;

import io.solidus.protocol.Family;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Makes proofs with a bounded number of threads and a bounded queue. Every proof is verified before
 * it is returned. One proof uses all processors for part of its time, so a parallelism of one or
 * two per machine is enough. More costs memory and gains little.
 */
public final class Prover implements AutoCloseable {
  /** How many requests may wait per thread before more are refused. */
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
   * Opens a prover.
   *
   * @param queue how many requests may wait
   * @param deadline counted from submission; a request that has not started by then never starts
   */
  public static Prover open(KeySet keys, int parallelism, int queue, Duration deadline) {
    return new Prover(keys, new NativeExecutor("solidus-prover", parallelism, queue), deadline);
  }

  public KeySet keys() {
    return keys;
  }

  /**
   * Makes a proof and waits for it.
   *
   * @throws NativeException OVERLOADED, DEADLINE_EXCEEDED, or the reason why the witness is invalid
   */
  public byte[] proveTransfer(TransferWitness witness) {
    return join(proveTransferAsync(witness));
  }

  /** Starts a proof. The future fails with a {@link NativeException}. */
  public CompletableFuture<byte[]> proveTransferAsync(TransferWitness witness) {
    return submit(witness.plan().family(), witness.toBytes());
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

  public byte[] proveRecover(RecoverWitness witness) {
    return join(proveRecoverAsync(witness));
  }

  public CompletableFuture<byte[]> proveRecoverAsync(RecoverWitness witness) {
    return submit(Family.RECOVER, witness.toBytes());
  }

  public byte[] proveMint(MintWitness witness) {
    return join(proveMintAsync(witness));
  }

  public CompletableFuture<byte[]> proveMintAsync(MintWitness witness) {
    return submit(Family.MINT, witness.toBytes());
  }

  /**
   * Makes a proof of a witness that another part of this library wrote (F-45), and waits for it.
   *
   * @param witness is overwritten
   * @throws NativeException as {@link #proveTransfer}
   */
  public byte[] prove(Family family, byte[] witness) {
    return join(submit(family, witness));
  }

  /** Submits a witness and overwrites it when its call has ended or will never start. */
  private CompletableFuture<byte[]> submit(Family family, byte[] witness) {
    return executor.submit(
        deadline,
        () ->
            NativeRequest.of(Operation.PROVE)
                .u64(keys.id())
                .u8(family.code())
                .sized(witness)
                .send()
                .rest(),
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

  /** Refuses new and waiting requests. A proof that is being made ends by itself. */
  @Override
  public void close() {
    executor.close();
  }
}
