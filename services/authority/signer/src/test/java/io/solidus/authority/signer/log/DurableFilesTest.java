package io.solidus.authority.signer.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableFilesTest {

  @TempDir Path folder;
  private final FaultyDisk disk = new FaultyDisk();
  private Path path;

  @BeforeEach
  void place() {
    path = folder.resolve("file");
  }

  /** A crash leaves a half-written file beside the good one. */
  @Test
  void replacesAFileAlsoAfterACrashedAttempt() throws IOException {
    Files.writeString(path, "old");
    Files.writeString(folder.resolve("file.new"), "half of something longer");
    replace("new");
    assertThat(path).hasContent("new");
    assertThat(Files.getPosixFilePermissions(path))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(folder.resolve("file.new")).doesNotExist();
  }

  @Test
  void aFileIsNotReplacedByWhatIsNotOnTheDisk() throws IOException {
    Files.writeString(path, "old");
    disk.failOneSync();
    assertThatThrownBy(() -> replace("new"))
        .isInstanceOf(SyncFailedException.class)
        .hasMessageContaining("an fsync of the file");
    assertThat(path).hasContent("old");
    disk.failFolders();
    assertThatThrownBy(() -> replace("new"))
        .isInstanceOf(SyncFailedException.class)
        .hasMessageContaining("the folder of file");
  }

  @Test
  void theFolderOfARelativePathIsTheWorkingFolder() {
    assertThat(DurableFiles.folder(Path.of("file"))).isEqualTo(Path.of("").toAbsolutePath());
    assertThat(DurableFiles.folder(path)).isEqualTo(folder.toAbsolutePath());
  }

  private void replace(String text) throws IOException {
    DurableFiles.replace(
        path,
        disk,
        "the file",
        out -> out.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8))));
  }
}
