package io.solidus.authority.signer.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.NetworkId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnchorFileTest {

  private static final int SECOND_SLOT = 4096;

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
