package io.solidus.wallet.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CorePagesTest {
  @TempDir private Path folder;

  @Test
  void keepsReplacesAndLosesPages() throws IOException {
    CorePages pages = new CorePages(folder.resolve("history"));
    assertThat(pages.read(0)).isEmpty();
    assertThat(pages.write(0, new byte[] {1})).isTrue();
    assertThat(pages.write(11, new byte[] {2})).isTrue();
    assertThat(pages.write(0, new byte[] {3})).isTrue();
    CorePages again = new CorePages(folder.resolve("history"));
    assertThat(again.read(0)).containsExactly(3);
    assertThat(again.read(11)).containsExactly(2);
    Files.delete(folder.resolve("history/history-000011.page"));
    assertThat(again.read(11)).isEmpty();
  }

  @Test
  void takesNoPageThatItDoesNotReadAgain() throws IOException {
    CorePages pages = new CorePages(folder);
    assertThat(pages.write(0, new byte[256 << 10])).isTrue();
    assertThat(pages.read(0)).hasSize(256 << 10);
    assertThat(pages.write(1, new byte[(256 << 10) + 1])).isFalse();
    Files.write(folder.resolve("history-000001.page"), new byte[(256 << 10) + 1]);
    assertThat(pages.read(1)).isEmpty();
  }

  @Test
  void aFolderThatCannotBeMadeKeepsNothing() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    CorePages pages = new CorePages(file.resolve("history"));
    assertThat(
            catchThrowableOfType(WalletException.class, () -> pages.write(0, new byte[1])).error())
        .isEqualTo(WalletError.STORE_UNWRITABLE);
    assertThat(pages.read(0)).isEmpty();
  }
}
