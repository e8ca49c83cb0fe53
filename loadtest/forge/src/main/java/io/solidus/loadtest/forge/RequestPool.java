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
 * #INDEX}, which is written last, so that a folder without it is no pool. Lines are handed out in
 * order, each once, to any number of threads; a line at a time is in memory, however many there
 * are.
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
   * @param bytes of the file
   */
  record Chunk(String file, long count, long bytes) {}

  /**
   * @param manifestSha256 of the keys it was made under, hexadecimal
   * @param simulated whether its proofs are, so that only a load test's keys accept them
   * @param first index of its first transfer in the seed's series
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
   * @throws ForgeException when it is no pool, or a file of it was cut off
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
          throw new ForgeException(chunk.file() + " has not the size that its index states");
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

  /** How many are left. */
  public synchronized long left() {
    return index.count() - taken;
  }

  public NetworkId network() {
    return new NetworkId(index.networkId());
  }

  /** Of the keys it was made under. */
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

  /** The next transfer, or nothing after the last. */
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
