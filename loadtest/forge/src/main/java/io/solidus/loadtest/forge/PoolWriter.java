package io.solidus.loadtest.forge;

import io.solidus.protocol.TransferRequest;
import io.solidus.prover.KeySet;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes pools of transfers one line at a time, so that memory does not grow with their number. */
public final class PoolWriter {
  /**
   * About 60 MB a file: small enough to copy to several generators, and a hundred files for a
   * million transfers.
   */
  static final int DEFAULT_CHUNK = 10_000;

  private static final Duration PER_TRANSFER = Duration.ofMillis(20);
  private static final Duration START = Duration.ofMinutes(2);
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final Path dir;
  private final int chunk;
  private final LongConsumer progress;

  /**
   * Creates a writer.
   *
   * @param dir an empty or missing folder
   * @param progress gets the number of finished transfers after every file
   */
  public PoolWriter(Path dir, LongConsumer progress) {
    this(dir, DEFAULT_CHUNK, progress);
  }

  PoolWriter(Path dir, int chunk, LongConsumer progress) {
    this.dir = dir;
    this.chunk = chunk;
    this.progress = progress;
  }

  /**
   * Forges a series under the rules in force.
   *
   * @param keys load-test keys, opened by the caller from the same directory
   */
  public void forge(LoadTestKeys source, KeySet keys, PublishedRules rules, TransferSeries series) {
    Duration deadline = START.plus(PER_TRANSFER.multipliedBy(series.count()));
    try (ForgedTransfers forged = ForgedTransfers.stream(source, rules.rules(), series, deadline)) {
      if (!forged.manifestDigest().equals(keys.manifestDigest())) {
        throw new ForgeException("the key directory changed while it was read");
      }
      write(
          keys,
          rules,
          true,
          series.seed(),
          series.first(),
          series.count(),
          index ->
              forged
                  .next()
                  .orElseThrow(() -> new ForgeException("the series is cut off"))
                  .request());
    }
  }

  /** Proves transfers one after the other. */
  public void prove(
      ProvedTransfers proved, KeySet keys, PublishedRules rules, String seed, long count) {
    write(keys, rules, false, seed, 0, count, index -> proved.prove(seed, index));
  }

  private void write(
      KeySet keys,
      PublishedRules rules,
      boolean simulated,
      String seed,
      long first,
      long count,
      LongFunction<TransferRequest> transfers) {
    try {
      requireEmpty();
      List<RequestPool.Chunk> chunks = new ArrayList<>();
      for (long done = 0; done < count; ) {
        long size = Math.min(chunk, count - done);
        chunks.add(chunk(keys, chunks.size(), first + done, size, transfers));
        done += size;
        progress.accept(done);
      }
      RequestPool.Index index =
          new RequestPool.Index(
              RequestPool.FORMAT,
              keys.network().value(),
              keys.manifestDigest().hex(),
              simulated,
              seed,
              first,
              count,
              rules.policy().version(),
              rules.checkpoint().version(),
              rules.policy().period().yyyymm(),
              chunks);
      replace(dir.resolve(RequestPool.INDEX), JSON.writeValueAsString(index) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void requireEmpty() throws IOException {
    Files.createDirectories(dir);
    try (var entries = Files.list(dir)) {
      if (entries.findAny().isPresent()) {
        throw new ForgeException(dir + " is not empty");
      }
    }
  }

  private RequestPool.Chunk chunk(
      KeySet keys, int number, long first, long size, LongFunction<TransferRequest> transfers)
      throws IOException {
    String name = String.format(Locale.ROOT, "transfers-%06d.txt", number);
    Path file = dir.resolve(name);
    try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
      for (long i = 0; i < size; i++) {
        out.write(RestTransfer.of(keys.network(), transfers.apply(first + i)).line());
        out.write('\n');
      }
    }
    return new RequestPool.Chunk(name, size, Files.size(file));
  }

  private static void replace(Path file, String text) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(temporary, text);
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
