package io.solidus.loadtest.forge;

import com.google.protobuf.ByteString;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Period;
import io.solidus.protocol.TxCore;
import io.solidus.prover.Limits;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Distinct, fully valid regulated transfers without an owner. A series is written to a file, and
 * one thread reads it record by record. The program that writes it documents the layout (package
 * simulate, {@code Forger.Write}).
 */
public final class ForgedTransfers implements AutoCloseable {
  private static final byte[] MAGIC = {'S', 'O', 'L', 'F', 'R', 'G', 0, 1};
  private static final int MAX_HEADER = 64 * 1024;
  private static final int MAX_RECORD = 64 * 1024;
  private static final int BUFFER = 1 << 16;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final DataInputStream in;
  private final JsonNode header;
  private final Runnable end;
  private long left;

  private ForgedTransfers(InputStream source, Runnable end) throws IOException {
    this.end = end;
    in = new DataInputStream(new BufferedInputStream(source, BUFFER));
    if (!Arrays.equals(in.readNBytes(MAGIC.length), MAGIC)) {
      throw new ForgeException("not a series of forged transfers");
    }
    header = JSON.readTree(sized(MAX_HEADER));
    left = header.path("count").asLong();
  }

  /**
   * Forges a series into a file.
   *
   * @param deadline expect a second to start, and about 1 ms of processor time per transfer
   */
  public static void write(
      LoadTestKeys keys, TransferRules rules, TransferSeries series, Path file, Duration deadline) {
    ForgeProgram.run(command(keys, rules, series, file.toAbsolutePath().toString()), deadline);
  }

  private static List<String> command(
      LoadTestKeys keys, TransferRules rules, TransferSeries series, String out) {
    Limits limits = rules.limits();
    return List.of(
        "transfers",
        "--keys",
        keys.dir().toAbsolutePath().toString(),
        "--out",
        out,
        "--seed",
        series.seed(),
        "--first",
        Long.toString(series.first()),
        "--count",
        Long.toString(series.count()),
        "--variant",
        Long.toString(series.variant()),
        "--workers",
        Integer.toString(series.workers()),
        "--policy-version",
        Long.toString(rules.policyVersion()),
        "--checkpoint-version",
        Long.toString(rules.checkpointVersion()),
        "--period",
        Integer.toString(rules.period().yyyymm()),
        "--root",
        rules.root().hex(),
        "--withdrawn",
        Long.toUnsignedString(rules.withdrawn().minor()),
        "--max-per-transfer",
        Long.toUnsignedString(limits.maxPerTransfer().minor()),
        "--max-per-period",
        Long.toUnsignedString(limits.maxPerPeriod().minor()),
        "--max-held",
        Long.toUnsignedString(limits.maxHeld().minor()),
        "--max-escrow",
        Long.toUnsignedString(limits.maxEscrow().minor()),
        "--max-transfers",
        Integer.toString(limits.maxTransfersPerPeriod()));
  }

  /**
   * Forges a series while it is read, without storing it.
   *
   * @param deadline for the whole series; afterwards the reader finds it cut off
   */
  public static ForgedTransfers stream(
      LoadTestKeys keys, TransferRules rules, TransferSeries series, Duration deadline) {
    Process program = ForgeProgram.start(command(keys, rules, series, "-"));
    try {
      program.getOutputStream().close();
      CompletableFuture.delayedExecutor(deadline.toNanos(), TimeUnit.NANOSECONDS)
          .execute(program::destroyForcibly);
      return new ForgedTransfers(program.getInputStream(), program::destroyForcibly);
    } catch (IOException e) {
      program.destroyForcibly();
      throw new ForgeException("solidus-forge ended before its first transfer", e);
    } catch (RuntimeException e) {
      program.destroyForcibly();
      throw e;
    }
  }

  /** Reads a file that {@link #write} made. */
  public static ForgedTransfers open(Path file) {
    try {
      InputStream source = Files.newInputStream(file);
      try {
        return new ForgedTransfers(source, () -> {});
      } catch (IOException | RuntimeException e) {
        source.close();
        throw e;
      }
    } catch (EOFException e) {
      throw new ForgeException("the series is cut off", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The rules under which the series was proved. */
  public TransferRules rules() {
    Limits limits =
        new Limits(
            amount("maxPerTransferMinor"),
            amount("maxPerPeriodMinor"),
            amount("maxHeldMinor"),
            amount("maxEscrowMinor"),
            header.path("maxTransfersPerPeriod").asInt());
    return new TransferRules(
        header.path("policyVersion").asLong(),
        header.path("checkpointVersion").asLong(),
        new Period(header.path("period").asInt()),
        limits,
        FieldElement.fromHex(header.path("root").asString()),
        amount("withdrawnMinor"));
  }

  private Amount amount(String name) {
    return new Amount(header.path(name).bigIntegerValue().longValueExact());
  }

  /** The keys under which the series verifies: {@code KeySet.manifestDigest()}. */
  public Digest32 manifestDigest() {
    return new Digest32(HexFormat.of().parseHex(header.path("manifestSha256").asString()));
  }

  /** The number of transfers that are still to be read. */
  public long left() {
    return left;
  }

  /** The next transfer; empty after the last. */
  public Optional<ForgedTransfer> next() {
    if (left == 0) {
      return Optional.empty();
    }
    try {
      byte[] record = sized(MAX_RECORD);
      left--;
      TxCore core = new TxCore(new Digest32(Arrays.copyOf(record, Digest32.BYTES)));
      return Optional.of(
          new ForgedTransfer(
              core, ByteString.copyFrom(record, Digest32.BYTES, record.length - Digest32.BYTES)));
    } catch (EOFException e) {
      throw new ForgeException("the series is cut off", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] sized(int limit) throws IOException {
    int length = in.readInt();
    if (length < Digest32.BYTES || length > limit) {
      throw new ForgeException("a part of " + length + " bytes in a series");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      end.run();
    }
  }
}
