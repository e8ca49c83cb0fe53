package io.solidus.loadtest.forge;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A folder of transfers for load generators: files of {@link RestTransfer#line} and {@value
 * #INDEX}. The index is written last; a folder without it is not a pool. Any number of threads get
 * the lines in order, each once. Only one line at a time is in memory.
 */
public final class RequestPool implements AutoCloseable {
  static final String INDEX = "index.json";
  static final String FORMAT = "solidus/load-pool/v1";

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Path dir;
  private final Index index;
  private int nextChunk;
  private long taken;
  private @Nullable BufferedReader open;

  /**
   * A file of the pool.
   *
   * @param bytes its size
   */
  record Chunk(String file, long count, long bytes) {}

  /**
   * The content of the index.
   *
   * @param manifestSha256 of the keys, hexadecimal
   * @param simulated whether its proofs are simulated, so that only load-test keys accept them
   * @param first index of its first transfer in the series of the seed
   */
  record Index(
      String format,
      String networkId,
      String manifestSha256,
      boolean simulated,
      String seed,
      long first,
      long count,
      long policyVersion,
      long checkpointVersion,
      int period,
      List<Chunk> chunks) {}

  private RequestPool(Path dir, Index index) {
    this.dir = dir;
    this.index = index;
  }

  /**
   * Opens a pool.
   *
   * @throws ForgeException when the folder is not a pool, or a file is cut off
   */
  public static RequestPool open(Path dir) {
    try {
      if (!Files.exists(dir.resolve(INDEX))) {
        throw new ForgeException("no pool of transfers in " + dir);
      }
      Index index = JSON.readValue(Files.readAllBytes(dir.resolve(INDEX)), Index.class);
      if (!FORMAT.equals(index.format())) {
        throw new ForgeException("a pool of another format in " + dir);
      }
      for (Chunk chunk : index.chunks()) {
        if (Files.size(dir.resolve(chunk.file())) != chunk.bytes()) {
          throw new ForgeException(chunk.file() + " does not have the size that the index states");
        }
      }
      return new RequestPool(dir, index);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public long count() {
    return index.count();
  }

  /** The number of transfers that are left. */
  public synchronized long left() {
    return index.count() - taken;
  }

  public NetworkId network() {
    return new NetworkId(index.networkId());
  }

  /** The digest of the manifest of its keys. */
  public Digest32 manifestDigest() {
    return new Digest32(HexFormat.of().parseHex(index.manifestSha256()));
  }

  /** Whether its proofs are simulated. */
  public boolean simulated() {
    return index.simulated();
  }

  public String seed() {
    return index.seed();
  }

  /** The next transfer; empty after the last. */
  public Optional<RestTransfer> next() {
    return take(1).stream().findFirst().map(RestTransfer::parse);
  }

  /** Up to {@code most} lines; fewer only at the end. */
  public synchronized List<String> take(int most) {
    List<String> lines = new ArrayList<>(most);
    try {
      while (lines.size() < most && (open != null || advance())) {
        String line = open == null ? null : open.readLine();
        if (line == null) {
          close();
        } else {
          lines.add(line);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    taken += lines.size();
    return lines;
  }

  private boolean advance() throws IOException {
    if (nextChunk == index.chunks().size()) {
      return false;
    }
    open =
        Files.newBufferedReader(
            dir.resolve(index.chunks().get(nextChunk++).file()), StandardCharsets.US_ASCII);
    return true;
  }

  @Override
  public synchronized void close() {
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        open = null;
      }
    }
  }
}
