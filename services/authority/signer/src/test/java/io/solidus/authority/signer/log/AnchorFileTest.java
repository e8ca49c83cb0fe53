package io.solidus.authority.signer.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnchorFileTest {

  private static final int SECOND_SLOT = 4096;
  private static final int SLOT_BYTES = 8 + 8 + 32 + 32;

  @TempDir Path folder;
  private Path path;

  @BeforeEach
  void place() {
    path = folder.resolve("anchor");
  }

  @Test
  void holdsTheLastPosition() throws IOException {
    for (int n = 0; n < 5; n++) {
      move(n);
      assertThat(read()).isEqualTo(at(n));
    }
    assertThat(Files.getPosixFilePermissions(path))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void aTornWriteLeavesThePositionBefore() throws IOException {
    move(1);
    byte[] before = Files.readAllBytes(path);
    move(2);
    byte[] after = Files.readAllBytes(path);
    int changedFrom = Arrays.mismatch(before, after);
    assertThat(changedFrom).as("the other slot").isGreaterThanOrEqualTo(SECOND_SLOT);
    for (int written = 0; SECOND_SLOT + written < after.length; written++) {
      byte[] torn = before.clone();
      System.arraycopy(after, SECOND_SLOT, torn, SECOND_SLOT, written);
      Files.write(path, torn);
      assertThat(read()).as("%d bytes of it", written).isEqualTo(at(1));
    }
    move(3);
    assertThat(read()).isEqualTo(at(3));
  }

  @Test
  void rejectsAFileWithoutAValidSlot() throws IOException {
    move(1);
    byte[] bytes = Files.readAllBytes(path);
    bytes[10] ^= 1;
    bytes[SECOND_SLOT + 10] ^= 1;
    Files.write(path, bytes);
    assertThatThrownBy(() -> AnchorFile.open(path)).isInstanceOf(LogDamagedException.class);
    Files.write(path, Arrays.copyOf(bytes, 7));
    assertThatThrownBy(() -> AnchorFile.open(path)).isInstanceOf(LogDamagedException.class);
  }

  @Test
  void rejectsASecondSigner() throws IOException {
    move(1);
    try (AnchorFile first = AnchorFile.open(path)) {
      assertThat(first.position()).contains(at(1));
      assertThatThrownBy(() -> AnchorFile.open(path))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another signer");
    }
  }

  @Test
  void createsNoFolderForAMissingVolume() throws IOException {
    path = folder.resolve("not-mounted").resolve("anchor");
    assertThatThrownBy(() -> move(0)).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void anAnchorIsOnTheDiskBeforeItCounts() throws IOException {
    FaultyDisk disk = new FaultyDisk();
    try (AnchorFile file = AnchorFile.open(path, disk)) {
      disk.failOneSync();
      assertThatThrownBy(() -> file.moveTo(at(0))).isInstanceOf(SyncFailedException.class);
      assertThat(path).as("no file without its content").doesNotExist();
      file.moveTo(at(0));
      disk.failOneSync();
      assertThatThrownBy(() -> file.advance(at(1))).isInstanceOf(SyncFailedException.class);
      assertThat(file.position()).contains(at(0));
    }
    Files.delete(path);
    disk.failFolders();
    try (AnchorFile file = AnchorFile.open(path, disk)) {
      assertThatThrownBy(() -> file.moveTo(at(0)))
          .as("nor without the folder's entry")
          .isInstanceOf(SyncFailedException.class);
    }
  }

  /** A crash damages the slot that is written, so that must never be the newest. */
  @Test
  void theNewestAnchorIsNeverOverwritten() throws IOException {
    move(0);
    byte[] before = Files.readAllBytes(path);
    for (int n = 1; n <= 6; n += 2) {
      try (AnchorFile file = AnchorFile.open(path)) {
        for (int next = n; next < n + 2; next++) {
          file.advance(at(next));
          byte[] after = Files.readAllBytes(path);
          assertThat(slots(after)).as("after anchor %d", next).contains(at(next), at(next - 1));
          assertThat(after).hasSameSizeAs(before);
        }
      }
    }
  }

  /** The file as its description has it: other versions of the signer read it. */
  @Test
  void hasTwoSlotsWithTheirChecksums() throws IOException {
    move(3);
    byte[] bytes = Files.readAllBytes(path);
    assertThat(bytes).hasSize(SECOND_SLOT + SLOT_BYTES);
    for (int slot : new int[] {0, SECOND_SLOT}) {
      byte[] content = Arrays.copyOfRange(bytes, slot, slot + SLOT_BYTES - Digest32.BYTES);
      assertThat(content)
          .isEqualTo(
              ByteBuffer.allocate(content.length)
                  .put("slanchr1".getBytes(StandardCharsets.US_ASCII))
                  .putLong(3)
                  .put(at(3).head().bytes())
                  .array());
      assertThat(Arrays.copyOfRange(bytes, slot + content.length, slot + SLOT_BYTES))
          .isEqualTo(Digest32.sha256(content).bytes());
    }
  }

  @Test
  void aSlotOfAnotherFormatOrNoSlotDoesNotCount() throws IOException {
    move(1);
    move(2);
    byte[] bytes = Files.readAllBytes(path);
    byte[] other = bytes.clone();
    other[SECOND_SLOT] ^= 1;
    byte[] content =
        Arrays.copyOfRange(other, SECOND_SLOT, SECOND_SLOT + SLOT_BYTES - Digest32.BYTES);
    System.arraycopy(
        Digest32.sha256(content).bytes(), 0, other, SECOND_SLOT + content.length, Digest32.BYTES);
    Files.write(path, other);
    assertThat(read()).as("another label, with its checksum").isEqualTo(at(1));
    Files.write(path, Arrays.copyOf(bytes, SECOND_SLOT));
    assertThat(read()).as("a file that ends before the second slot").isEqualTo(at(1));
  }

  /** Attack: the volume of the anchor file is not mounted, and the log was taken back. */
  @Test
  void aMissingFileIsRefusedBesideRecords() throws IOException {
    try (AnchorFile missing = AnchorFile.open(path)) {
      missing.requireMayBegin(at(0));
      assertThatThrownBy(() -> missing.requireMayBegin(at(1)))
          .isInstanceOf(LogDamagedException.class)
          .hasMessageContaining("missing");
      assertThat(missing.position()).isEmpty();
    }
    Files.createFile(path);
    try (AnchorFile confirmed = AnchorFile.open(path)) {
      confirmed.requireMayBegin(at(1)); // a person put an empty file there
      assertThat(confirmed.position()).isEmpty();
      confirmed.moveTo(at(1));
    }
    assertThat(read()).isEqualTo(at(1));
  }

  @Test
  void nothingIsWrittenForAnAnchorThatIsThere() throws IOException {
    FaultyDisk disk = new FaultyDisk();
    move(2);
    try (AnchorFile file = AnchorFile.open(path, disk)) {
      disk.failOneSync();
      file.moveTo(at(2));
      assertThatThrownBy(() -> file.moveTo(at(3))).isInstanceOf(SyncFailedException.class);
      disk.failOneSync();
      assertThatThrownBy(file::sync).isInstanceOf(SyncFailedException.class);
      file.sync();
    }
  }

  @Test
  void anAnchorThatDidNotBeginCannotMove() throws IOException {
    FaultyDisk disk = new FaultyDisk();
    try (AnchorFile file = AnchorFile.open(path, disk)) {
      assertThatThrownBy(() -> file.advance(at(1))).isInstanceOf(NullPointerException.class);
      disk.failOneSync();
      file.sync(); // there is nothing to put on the disk
      assertThat(path).doesNotExist();
    }
  }

  /** A signer that failed to start is started again. */
  @Test
  void aFailedAttemptLeavesNoFileOpen() throws IOException {
    move(1);
    byte[] good = Files.readAllBytes(path);
    List<FileChannel> opened = new ArrayList<>();
    DurableFiles.Opener opener =
        place -> {
          FileChannel channel = DurableFiles.OF_THE_FILE_SYSTEM.open(place);
          opened.add(channel);
          return channel;
        };
    Files.write(path, new byte[good.length]);
    assertThatThrownBy(() -> AnchorFile.open(path, opener)).isInstanceOf(LogDamagedException.class);
    assertThat(opened).hasSize(1).noneMatch(FileChannel::isOpen);
    Files.write(path, good);
    AnchorFile.open(path, opener).close();
    assertThat(opened).hasSize(2).noneMatch(FileChannel::isOpen);
  }

  /** The anchors in the two slots. */
  private static List<LogPosition> slots(byte[] file) {
    List<LogPosition> found = new ArrayList<>();
    for (int slot : new int[] {0, SECOND_SLOT}) {
      ByteBuffer in = ByteBuffer.wrap(file, slot, SLOT_BYTES);
      in.getLong(); // the label
      long sequence = in.getLong();
      byte[] head = new byte[Digest32.BYTES];
      in.get(head);
      found.add(new LogPosition(sequence, new Digest32(head)));
    }
    return found;
  }

  private void move(int n) throws IOException {
    try (AnchorFile file = AnchorFile.open(path)) {
      file.moveTo(at(n));
    }
  }

  private LogPosition read() throws IOException {
    try (AnchorFile file = AnchorFile.open(path)) {
      return file.position().orElseThrow();
    }
  }

  private static LogPosition at(int n) {
    LogPosition position = HashChain.genesis(new NetworkId("anchor-test"), 1);
    for (int i = 0; i < n; i++) {
      position = HashChain.next(position, SignLogFileTest.record(i).toBytes());
    }
    return position;
  }
}
