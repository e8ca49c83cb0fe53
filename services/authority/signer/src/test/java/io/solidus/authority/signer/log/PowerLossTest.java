package io.solidus.authority.signer.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.protocol.NetworkId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever left the signer is on the disk: after a loss of power, which throws away all that was
 * not fsynced, the log and its anchor file hold it.
 */
@Tag("process")
class PowerLossTest {

  private static final NetworkId NETWORK = new NetworkId("power-loss-test");

  @TempDir Path folder;
  private final LossyDisk disk = new LossyDisk();
  private AuthorityDatabase authority;
  private Path log;
  private Path anchor;
  private int losses;

  @BeforeEach
  void open() throws IOException {
    TestDatabase database = MigratedDatabase.fresh();
    authority = AuthorityDatabase.open(database.dataSource());
    log = Files.createDirectory(folder.resolve("log")).resolve("sign.log");
    anchor = Files.createDirectory(folder.resolve("anchor")).resolve("anchor");
  }

  @Test
  void everySignatureThatLeftIsInTheLog() throws Exception {
    for (int start = 0; start < 3; start++) {
      try (SignLog signing = audit(anchor, disk).open(log)) {
        requireNothingLost(2 * start);
        for (int i = 2 * start; i < 2 * start + 2; i++) {
          append(signing, i);
          requireNothingLost(i + 1);
        }
      }
    }
  }

  /** A killed process leaves its last write in memory; the next one counts on it. */
  @Test
  void whatAKilledSignerWroteIsOnTheDiskBeforeAnAnchorMovesToIt() throws Exception {
    try (SignLog signing = audit(anchor, disk).open(log)) {
      append(signing, 0);
    }
    reserve(1);
    try (SignLogFile file =
        SignLogFile.open(log, HashChain.genesis(NETWORK, 1), (record, at) -> {})) {
      file.cutTornTail();
      file.append(List.of(SignLogFileTest.record(1)));
    }
    Path before = Objects.requireNonNull(disk.lose(folder.resolve("killed")).get(log));
    assertThat(recordsIn(before)).as("the second is in memory only").isEqualTo(1);
    audit(anchor, disk).open(log).close();
    requireNothingLost(2);
  }

  /** Cuts the power, and starts a signer with what is left. */
  private void requireNothingLost(int records) throws IOException {
    Map<Path, Path> left = disk.lose(folder.resolve("left-" + losses++));
    assertThat(left).containsKeys(log, anchor);
    Path logLeft = Objects.requireNonNull(left.get(log));
    assertThat(recordsIn(logLeft)).isEqualTo(records);
    Path anchorLeft = Objects.requireNonNull(left.get(anchor));
    try (AnchorFile file = AnchorFile.open(anchorLeft)) {
      assertThat(file.position().orElseThrow().sequence()).isEqualTo(records);
    }
    audit(anchorLeft, DurableFiles.OF_THE_FILE_SYSTEM).open(logLeft).close();
  }

  private static int recordsIn(Path path) throws IOException {
    int[] records = {0};
    SignLogFile.open(path, HashChain.genesis(NETWORK, 1), (record, at) -> records[0]++).close();
    return records[0];
  }

  private LogAudit audit(Path anchorFile, DurableFiles.Opener opener) {
    return new LogAudit(NETWORK, 1, authority, anchorFile, true, opener);
  }

  private void append(SignLog signing, int n) throws Exception {
    reserve(n);
    signing.append(SignLogFileTest.record(n)).orElseThrow().get(5, TimeUnit.MINUTES);
  }

  private void reserve(int n) {
    SignRecord record = SignLogFileTest.record(n);
    record
        .serials()
        .forEach(serial ->
            authority
                .jdbc()
                .sql("INSERT INTO shard_0.serials VALUES (?, ?)")
                .params(serial.bytes(), record.core().bytes())
                .update());
  }

  /**
   * A disk that remembers, beside the files as the processes see them, what was fsynced: the bytes
   * of each file, and the names in each folder. It does not know of a file that was not opened
   * through it.
   */
  private static final class LossyDisk implements DurableFiles.Opener {

    /** By file, whatever its name. */
    private final Map<Object, byte[]> contents = new HashMap<>();

    private final Map<Path, Map<Path, Object>> names = new HashMap<>();

    @Override
    public synchronized FileChannel open(Path path) throws IOException {
      Object file = identity(path);
      if (Files.size(path) == 0) {
        contents.remove(file); // the file system uses numbers of deleted files again
      }
      return new FaultyChannel(
          DurableFiles.OF_THE_FILE_SYSTEM.open(path),
          new FaultyDisk(),
          () -> remember(file, Files.readAllBytes(current(path, file))));
    }

    @Override
    public FileChannel openFolder(Path of) throws IOException {
      return new FaultyChannel(
          DurableFiles.Opener.super.openFolder(of), new FaultyDisk(), () -> remember(of));
    }

    private synchronized void remember(Object file, byte[] bytes) {
      contents.put(file, bytes);
    }

    private synchronized void remember(Path of) throws IOException {
      try (Stream<Path> files = Files.list(of)) {
        names.put(of, files.collect(Collectors.toMap(path -> path, LossyDisk::identity)));
      }
    }

    /** A file that was opened under a name may have got another one since. */
    private static Path current(Path opened, Object file) throws IOException {
      try (Stream<Path> files = Files.list(DurableFiles.folder(opened))) {
        return files.filter(path -> identity(path).equals(file)).findFirst().orElseThrow();
      }
    }

    private static Object identity(Path path) {
      try {
        return Files.getAttribute(path, "unix:ino");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Writes what a loss of power leaves into a new folder: for each file there was its copy. */
    synchronized Map<Path, Path> lose(Path to) throws IOException {
      Map<Path, Path> left = new HashMap<>();
      for (Map<Path, Object> folder : names.values()) {
        for (Map.Entry<Path, Object> name : folder.entrySet()) {
          if (contents.containsKey(name.getValue())) {
            Path into = Files.createDirectories(to.resolve(Integer.toString(left.size())));
            Path place = into.resolve(Objects.requireNonNull(name.getKey().getFileName()));
            Files.write(place, Objects.requireNonNull(contents.get(name.getValue())));
            left.put(name.getKey(), place);
          }
        }
      }
      return left;
    }
  }
}
