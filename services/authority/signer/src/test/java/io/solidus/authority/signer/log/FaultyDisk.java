package io.solidus.authority.signer.log;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.protocol.NetworkId;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A disk that fills up, or whose fsync fails, when a test orders it; it affects every file opened
 * through it. Thread-safe.
 */
public final class FaultyDisk implements DurableFiles.Opener {

  private @Nullable Path file;
  private long capacity = Long.MAX_VALUE;
  private int syncsUntilFailure = Integer.MAX_VALUE;
  private boolean foldersFail;
  private int opened;

  @Override
  public synchronized FileChannel open(Path path) throws IOException {
    file = path;
    opened++;
    return new FaultyChannel(path, this);
  }

  @Override
  public FileChannel openFolder(Path folder) throws IOException {
    return new FaultyChannel(
        DurableFiles.Opener.super.openFolder(folder), this, this::beforeFolderSync);
  }

  /** An audit of a sign-log on this disk. */
  public LogAudit audit(NetworkId network, int authority, AuthorityDatabase database) {
    return new LogAudit(network, authority, database, null, this);
  }

  /**
   * The records of a sign-log that no signer has open; fails unless the file is complete to the
   * last byte.
   */
  public static List<SignRecord> records(Path path, NetworkId network, int authority)
      throws IOException {
    List<SignRecord> found = new ArrayList<>();
    try (SignLogFile file =
        SignLogFile.open(
            path, HashChain.genesis(network, authority), (record, at) -> found.add(record))) {
      if (file.cutTornTail() > 0) {
        throw new AssertionError("the sign-log ends in something that is no record");
      }
    }
    return found;
  }

  /** The number of times a file was opened. */
  public synchronized int opened() {
    return opened;
  }

  /** Accepts {@code bytes} more and then has no space left; truncating a file frees space. */
  public synchronized void fillUpAfter(long bytes) throws IOException {
    capacity = Files.size(Objects.requireNonNull(file)) + bytes;
  }

  /** Frees the disk. */
  public synchronized void empty() {
    capacity = Long.MAX_VALUE;
  }

  /**
   * Makes the next fsync fail. The one after that reports success, as Linux does, whatever happened
   * to the data.
   */
  public void failOneSync() {
    failOneSyncAfter(0);
  }

  /** As {@link #failOneSync}, after {@code more} successful ones. */
  public synchronized void failOneSyncAfter(int more) {
    syncsUntilFailure = more;
  }

  /** Makes every fsync of a folder fail. */
  public synchronized void failFolders() {
    foldersFail = true;
  }

  private synchronized void beforeFolderSync() throws IOException {
    if (foldersFail) {
      throw new IOException("Input/output error");
    }
  }

  synchronized long room(long position) {
    return capacity - position;
  }

  synchronized void beforeSync() throws IOException {
    if (syncsUntilFailure-- == 0) {
      syncsUntilFailure = Integer.MAX_VALUE;
      throw new IOException("Input/output error");
    }
  }
}
