package io.solidus.loadtest.forge;

import io.solidus.protocol.Family;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.RegisterRequest;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import io.solidus.prover.TransferBatchItem;
import io.solidus.prover.Verifier;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A running solidus-forge that answers one request after the other; start several for more
 * processors. A call that exceeds its deadline ends the program, because the late answer would be
 * taken for the next one; every later call fails. The program ends when this process does.
 */
public final class Simulator implements AutoCloseable {
  public static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(30);

  private static final int QUEUE = 256;
  private static final int MAX_REPLY = 4096;
  private static final int FORM_STATEMENT = 1;
  private static final int FORM_WITNESS = 2;

  private final Process process;
  private final DataOutputStream out;
  private final DataInputStream in;
  private final ThreadPoolExecutor line;
  private final Duration deadline;

  private Simulator(Process process, Duration deadline) {
    this.process = process;
    this.out = new DataOutputStream(process.getOutputStream());
    this.in = new DataInputStream(process.getInputStream());
    this.deadline = deadline;
    this.line =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUE),
            task -> Thread.ofPlatform().daemon().name("solidus-simulator").unstarted(task));
  }

  public static Simulator start(LoadTestKeys keys) {
    return start(keys, DEFAULT_DEADLINE);
  }

  /**
   * Starts the program.
   *
   * @param deadline of each call from its start; the first call waits for the keys to be opened
   */
  public static Simulator start(LoadTestKeys keys, Duration deadline) {
    return new Simulator(
        ForgeProgram.start(List.of("serve", "--keys", keys.dir().toAbsolutePath().toString())),
        deadline);
  }

  /**
   * A proof of the transfer's statement with the link of its present proof. The statement may be
   * false in all that a link does not show: limits, root, amounts, addresses. A link belongs to one
   * core and its points.
   */
  public byte[] proveTransfer(TransferBatchItem transfer) {
    return ask(FORM_STATEMENT, transfer.statement().family(), transfer.encoded());
  }

  /** As {@link #proveTransfer}, for a registration. */
  public byte[] proveRegister(RegisterRequest request) {
    return ask(FORM_STATEMENT, Family.REGISTER, Verifier.encoded(request));
  }

  /** As {@link #proveTransfer}, for a mint. */
  public byte[] proveMint(MintRequest request) {
    return ask(FORM_STATEMENT, Family.MINT, Verifier.encoded(request));
  }

  /**
   * The proof that a prover would make. The witness must be true, as for a prover.
   *
   * @param witness in its encoded form; cleared afterwards
   * @throws NativeException with the reason if the witness is false
   */
  public byte[] prove(Family family, byte[] witness) {
    try {
      return ask(FORM_WITNESS, family, witness);
    } finally {
      Arrays.fill(witness, (byte) 0);
    }
  }

  private byte[] ask(int form, Family family, byte[] body) {
    byte[] frame = new byte[body.length + 2];
    frame[0] = (byte) form;
    frame[1] = (byte) family.code();
    System.arraycopy(body, 0, frame, 2, body.length);
    try {
      return open(await(line.submit(() -> exchange(frame))));
    } catch (RejectedExecutionException e) {
      throw new NativeException(
          line.isShutdown() ? NativeErrorCode.CANCELLED : NativeErrorCode.OVERLOADED,
          "the simulator accepts no further call");
    }
  }

  private byte[] await(Future<byte[]> reply) {
    try {
      return reply.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      process.destroyForcibly();
      throw new ForgeException("the simulator did not answer within " + deadline, e);
    } catch (ExecutionException e) {
      throw new ForgeException("the simulator has ended: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new ForgeException("interrupted while waiting for the simulator", e);
    }
  }

  private byte[] exchange(byte[] frame) throws IOException {
    try {
      out.writeInt(frame.length);
      out.write(frame);
      out.flush();
    } finally {
      Arrays.fill(frame, (byte) 0);
    }
    int length = in.readInt();
    if (length < Short.BYTES || length > MAX_REPLY) {
      process.destroyForcibly();
      throw new IOException("a reply of " + length + " bytes");
    }
    return in.readNBytes(length);
  }

  private static byte[] open(byte[] reply) {
    if (reply.length < Short.BYTES) {
      throw new ForgeException("the simulator ended within a reply");
    }
    int number = Byte.toUnsignedInt(reply[0]) << 8 | Byte.toUnsignedInt(reply[1]);
    byte[] rest = Arrays.copyOfRange(reply, Short.BYTES, reply.length);
    if (number == NativeErrorCode.OK.number()) {
      return rest;
    }
    NativeErrorCode code =
        Arrays.stream(NativeErrorCode.values())
            .filter(c -> c.number() == number)
            .findFirst()
            .orElse(NativeErrorCode.INTERNAL);
    throw new NativeException(code, new String(rest, StandardCharsets.UTF_8));
  }

  /** Fails the waiting calls and ends the program's input. */
  @Override
  public void close() {
    line.shutdownNow();
    try {
      out.close();
      if (!process.waitFor(2, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
