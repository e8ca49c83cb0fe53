package io.solidus.authority.signer.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.protocol.NetworkId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Batches, their limits, and failing disks. */
@Tag("process")
class SignLogTest {

  private static final LogPosition GENESIS = HashChain.genesis(new NetworkId("sign-log-test"), 1);
  private static final long HANG_SECONDS = 300;

  @TempDir Path folder;
  private Path path;
  private AuthorityDatabase authority;
  private final FaultyDisk disk = new FaultyDisk();

  @BeforeEach
  void open() {
    path = folder.resolve("sign.log");
    authority = AuthorityDatabase.open(MigratedDatabase.fresh().dataSource());
    new LogAnchor(authority).create(GENESIS);
  }

  @Test
  void aBatchIsCompleteAndAnchoredWhenItIsDone() throws Exception {
    try (SignLog log = log()) {
      LogPosition after = done(log, SignLog.MAX_BATCH, 0);
      assertThat(after.sequence()).isEqualTo(SignLog.MAX_BATCH);
      assertThat(new LogAnchor(authority).read()).contains(after);
      assertThat(done(log, 1, SignLog.MAX_BATCH).sequence()).isEqualTo(SignLog.MAX_BATCH + 1);
    }
    assertThat(recordsOnDisk()).isEqualTo(records(SignLog.MAX_BATCH + 1, 0));
  }

  @Test
  void batchesHaveLimits() throws IOException {
    try (SignLog log = log()) {
      assertThatThrownBy(() -> log.append(List.of())).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> log.append(records(SignLog.MAX_BATCH + 1, 0)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void rejectsBatchesBeyondTheQueueAndKeepsTheOrder() throws Exception {
    JdbcClient jdbc = authority.jdbc();
    try (SignLog log = log()) {
      List<CompletableFuture<LogPosition>> accepted = new ArrayList<>();
      // the writer waits for the row; the batches behind it fill the queue
      authority
          .transaction()
          .executeWithoutResult(t -> {
            jdbc.sql("SELECT 1 FROM authority.sign_log_anchor FOR UPDATE")
                .query(Integer.class)
                .single();
            Optional<CompletableFuture<LogPosition>> one = append(log, accepted.size());
            while (one.isPresent()) {
              accepted.add(one.get());
              one = append(log, accepted.size());
            }
          });
      assertThat(accepted).hasSizeBetween(8, 8 + 2);
      for (CompletableFuture<LogPosition> batch : accepted) {
        batch.get(HANG_SECONDS, TimeUnit.SECONDS);
      }
      assertThat(done(log, 1, 0).sequence())
          .as("there is room again")
          .isEqualTo((long) accepted.size() * SignLog.MAX_BATCH + 1);
      assertThat(recordsOnDisk().subList(0, 2 * SignLog.MAX_BATCH))
          .isEqualTo(records(2 * SignLog.MAX_BATCH, 0));
    }
  }

  @Test
  void aDiskThatFillsUpDuringABatchStopsTheSigning() throws Exception {
    SignLog log = log();
    done(log, 2, 0);
    disk.fillUpAfter(300);
    Throwable why = catchThrowable(() -> done(log, 3, 2));
    assertThat(why)
        .hasCauseInstanceOf(UncheckedIOException.class)
        .hasStackTraceContaining("No space left");
    requireStopped(log, 2, true);

    disk.empty();
    try (SignLog again = log()) {
      assertThat(done(again, 3, 2).sequence()).as("the torn record is removed").isEqualTo(6);
    }
    assertThat(recordsOnDisk())
        .as("one complete record of the batch is there, and its signature was given again")
        .hasSize(6);
  }

  @Test
  void aFailedFsyncStopsTheSigningAlthoughTheNextWouldSucceed() throws Exception {
    SignLog log = log();
    done(log, 1, 0);
    disk.failOneSync();
    assertThat(catchThrowable(() -> done(log, 1, 1))).hasStackTraceContaining("Input/output error");
    requireStopped(log, 1, false);
  }

  @Test
  void doesNotOpenALogOnAFullDisk() throws Exception {
    try (SignLog log = log()) {
      done(log, 2, 0);
    }
    byte[] before = Files.readAllBytes(path);
    disk.fillUpAfter(SignLogFile.MAX_APPEND_BYTES - 1);
    assertThatThrownBy(this::log)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("No space left");
    assertThat(Files.readAllBytes(path)).as("the attempt leaves nothing").isEqualTo(before);
    disk.fillUpAfter(SignLogFile.MAX_APPEND_BYTES);
    try (SignLog log = log()) {
      assertThat(done(log, 1, 2).sequence()).isEqualTo(3);
    }
  }

  /** A crash during the check for room leaves zeros. */
  @Test
  void zerosAfterTheLastRecordAreATornTail() throws Exception {
    try (SignLog log = log()) {
      done(log, 2, 0);
    }
    Files.write(path, new byte[SignLogFile.MAX_APPEND_BYTES], StandardOpenOption.APPEND);
    try (SignLog log = log()) {
      assertThat(done(log, 1, 2).sequence()).isEqualTo(3);
    }
    assertThat(recordsOnDisk()).isEqualTo(records(3, 0));
  }

  /** Uses the full device of the kernel, which needs no privilege. */
  @Test
  void aFullDeviceAcceptsNothing() throws IOException {
    Path full = Path.of("/dev/full");
    assertThat(full).exists();
    try (SignLogFile file = SignLogFile.open(full, GENESIS, (r, at) -> {})) {
      assertThatThrownBy(() -> file.append(records(1, 0)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("takes no record");
      assertThatThrownBy(
              () -> {
                file.cutTornTail();
                file.append(records(1, 0));
              })
          .isInstanceOf(IOException.class);
      assertThatThrownBy(() -> file.append(records(1, 0)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("takes no record");
    }
  }

  @Test
  void anAnchorFileThatCannotBeWrittenStopsTheSigning() throws Exception {
    Path anchor = folder.resolve("anchor");
    AnchorFile outer = AnchorFile.open(anchor);
    outer.moveTo(GENESIS);
    SignLog log = log(Optional.of(outer));
    LogPosition first = done(log, 1, 0);
    assertThat(outer.position()).contains(first);
    outer.close();
    assertThat(catchThrowable(() -> done(log, 1, 1)))
        .hasCauseInstanceOf(UncheckedIOException.class);
    requireStopped(log, 2, true);
  }

  @Test
  void aFailedFsyncOfTheAnchorFileStopsTheSigning() throws Exception {
    FaultyDisk other = new FaultyDisk();
    AnchorFile outer = AnchorFile.open(folder.resolve("anchor"), other);
    outer.moveTo(GENESIS);
    SignLog log = log(Optional.of(outer));
    done(log, 1, 0);
    other.failOneSync();
    assertThat(catchThrowable(() -> done(log, 1, 1)))
        .as("its signatures do not leave")
        .hasStackTraceContaining("Input/output error");
    requireStopped(log, 2, false);
  }

  /** Attack: the fsync fails for the first batches, and would succeed for those that wait. */
  @Test
  void noBatchBehindAFailureLeaves() throws Exception {
    FaultyDisk other = new FaultyDisk();
    AnchorFile outer = AnchorFile.open(folder.resolve("anchor"), other);
    outer.moveTo(GENESIS);
    List<CompletableFuture<LogPosition>> batches = new ArrayList<>();
    try (SignLog log = log(Optional.of(outer))) {
      // the writer waits for the row with one or two batches
      authority
          .transaction()
          .executeWithoutResult(t -> {
            authority
                .jdbc()
                .sql("SELECT 1 FROM authority.sign_log_anchor FOR UPDATE")
                .query(Integer.class)
                .single();
            for (int batch = 0; batch < 4; batch++) {
              batches.add(append(log, batch).orElseThrow());
            }
            other.failOneSync();
          });
      for (CompletableFuture<LogPosition> batch : batches) {
        assertThat(catchThrowable(() -> batch.get(HANG_SECONDS, TimeUnit.SECONDS)))
            .hasStackTraceContaining("Input/output error");
      }
    }
  }

  /** The next start would trust what it reads there. */
  @Test
  void aLogIsNotReopenedWhenItsAnchorFileIsNotOnTheDisk() throws Exception {
    FaultyDisk other = new FaultyDisk();
    AnchorFile outer = AnchorFile.open(folder.resolve("anchor"), other);
    outer.moveTo(GENESIS);
    SignLog log = log(Optional.of(outer));
    done(log, 1, 0);
    disk.fillUpAfter(1);
    assertThat(catchThrowable(() -> done(log, 1, 1))).hasStackTraceContaining("No space left");
    disk.empty();
    other.failOneSync();
    assertThatThrownBy(log::closeToReopen).isInstanceOf(SyncFailedException.class);
  }

  /** Without its folder's entry a crash could take the whole file away. */
  @Test
  void aLogWhoseFolderIsNotOnTheDiskIsNotOpened() {
    disk.failFolders();
    assertThatThrownBy(this::log).isInstanceOf(SyncFailedException.class);
  }

  /**
   * Requires that nothing more is accepted, and that the database's anchor is at the last signature
   * that left, or at its own record.
   */
  private void requireStopped(SignLog log, long anchored, boolean mayBeReopened)
      throws IOException {
    assertThat(SignLog.mayBeReopened(log.failure().orElseThrow())).isEqualTo(mayBeReopened);
    assertThat(catchThrowable(() -> done(log, 1, 9)))
        .hasCauseInstanceOf(UncheckedIOException.class);
    assertThat(new LogAnchor(authority).read().orElseThrow().sequence()).isEqualTo(anchored);
    log.close();
  }

  private static Optional<CompletableFuture<LogPosition>> append(SignLog log, int batch) {
    return log.append(records(SignLog.MAX_BATCH, batch * SignLog.MAX_BATCH));
  }

  private static LogPosition done(SignLog log, int count, int first) throws Exception {
    return log.append(records(count, first)).orElseThrow().get(HANG_SECONDS, TimeUnit.SECONDS);
  }

  private static List<SignRecord> records(int count, int first) {
    return IntStream.range(first, first + count).mapToObj(SignLogFileTest::record).toList();
  }

  private List<SignRecord> recordsOnDisk() throws IOException {
    Path copy = folder.resolve("copy");
    Files.copy(path, copy);
    List<SignRecord> found = new ArrayList<>();
    try (SignLogFile file = SignLogFile.open(copy, GENESIS, (r, at) -> found.add(r))) {
      assertThat(file.position().sequence()).isEqualTo(found.size());
    }
    return found;
  }

  private SignLog log() throws IOException {
    return log(Optional.empty());
  }

  private SignLog log(Optional<AnchorFile> outer) throws IOException {
    SignLogFile file = SignLogFile.open(path, GENESIS, (r, at) -> {}, disk);
    try {
      file.cutTornTail();
    } catch (IOException e) {
      file.close();
      throw e;
    }
    LogAnchor anchor = new LogAnchor(authority);
    LogPosition from = anchor.read().orElseThrow();
    SignedSerials signed = new SignedSerials(authority);
    if (!from.equals(file.position())) {
      signed.restore(List.of(), file.position().sequence(), () -> {});
      anchor.advance(from, file.position());
    }
    return new SignLog(
        file,
        anchor,
        signed,
        outer,
        file.position(),
        records -> {},
        AuditCheckpointTest.audited(path, GENESIS, authority));
  }
}
