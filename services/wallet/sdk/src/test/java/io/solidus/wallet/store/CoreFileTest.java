package io.solidus.wallet.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Spec;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Spec("W-41")
class CoreFileTest {
  private static final byte[] STATE = "a state with a seed".getBytes(StandardCharsets.UTF_8);
  private static final SecretKey KEY = new SecretKeySpec(new byte[32], "AES");
  private static final SecretKey OTHER =
      new SecretKeySpec("another key of this same machine".getBytes(StandardCharsets.UTF_8), "AES");

  @TempDir private Path folder;

  private Path path() {
    return folder.resolve("wallet.core");
  }

  private static void refused(WalletError error, ThrowingCallable step) {
    assertThat(catchThrowableOfType(WalletException.class, step).error()).isEqualTo(error);
  }

  @Test
  void sealsReplacesAndReadsForItsOwnerAlone() throws IOException {
    try (CoreFile file = CoreFile.open(path(), KEY)) {
      assertThat(file.read()).isEmpty();
      file.write(new byte[] {1});
      byte[] first = Files.readAllBytes(path());
      file.write(STATE);
      assertThat(file.read()).isEqualTo(STATE);
      byte[] second = Files.readAllBytes(path());
      assertThat(new String(second, StandardCharsets.ISO_8859_1)).doesNotContain("seed");
      file.write(STATE);
      assertThat(Files.readAllBytes(path())).as("another nonce").isNotEqualTo(second);
      assertThat(first).isNotEqualTo(second);
      refused(WalletError.STORE_LOCKED, () -> CoreFile.open(path(), KEY));
    }
    assertThat(Files.getPosixFilePermissions(path()))
        .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    try (CoreFile file = CoreFile.open(path(), KEY)) {
      assertThat(file.read()).isEqualTo(STATE);
    }
  }

  /** A write that did not reach its rename. */
  @Test
  void aHalfWrittenStateLeavesTheOneBefore() throws IOException {
    try (CoreFile file = CoreFile.open(path(), KEY)) {
      file.write(STATE);
    }
    Files.write(folder.resolve("wallet.core.tmp"), new byte[100]);
    try (CoreFile file = CoreFile.open(path(), KEY)) {
      assertThat(file.read()).isEqualTo(STATE);
      file.write(new byte[] {2});
      assertThat(file.read()).containsExactly(2);
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(Path::getFileName).map(Path::toString))
          .containsExactlyInAnyOrder("wallet.core", "wallet.core.lock");
    }
  }

  @Test
  void refusesWhatAnotherHandOrKeyWrote() throws IOException {
    try (CoreFile file = CoreFile.open(path(), KEY)) {
      file.write(STATE);
    }
    try (CoreFile file = CoreFile.open(path(), OTHER)) {
      refused(WalletError.STORE_CORRUPT, file::read);
    }
    byte[] kept = Files.readAllBytes(path());
    for (int at = 0; at < kept.length; at++) {
      byte[] altered = kept.clone();
      altered[at] ^= 1;
      Files.write(path(), altered);
      try (CoreFile file = CoreFile.open(path(), KEY)) {
        refused(WalletError.STORE_CORRUPT, file::read);
      }
    }
    Files.write(path(), new byte[3]);
    try (CoreFile file = CoreFile.open(path(), KEY)) {
      refused(WalletError.STORE_CORRUPT, file::read);
    }
  }

  /** What is longer than a file that is read leaves the state before. */
  @Test
  void keepsNothingThatItDoesNotReadAgain() {
    byte[] longest = new byte[(48 << 20) - 49];
    try (CoreFile file = CoreFile.open(path(), KEY)) {
      file.write(longest);
      assertThat(file.read()).hasSize(longest.length);
      refused(WalletError.STORE_UNWRITABLE, () -> file.write(new byte[longest.length + 1]));
      assertThat(file.read()).hasSize(longest.length);
    }
  }
}
