package io.solidus.authority.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InternalTokenTest {

  /** Of the seed 07 07 ... 07, as the command in docs/how-to/install.md makes it. */
  private static final byte[] TOKEN =
      HexFormat.of().parseHex("c6293bdb5d87567b7bc5c28895c11610a2366f95b2fe2955f4bfd155c3ac65ae");

  private static final byte[] SEED = new byte[32];

  static {
    Arrays.fill(SEED, (byte) 7);
  }

  @TempDir Path folder;

  @Test
  void aHolderOfTheTokenAloneShowsWhatHoldersOfTheNoteKeyExpect() throws Exception {
    Path seed = Files.write(folder.resolve("note.seed"), SEED);
    Path token = Files.write(folder.resolve("internal.token"), TOKEN);
    InternalToken shown = InternalToken.readDerived(token);
    assertThat(InternalToken.bytes(SEED)).isEqualTo(TOKEN);
    assertThat(InternalToken.read(seed).matches(shown.value())).isTrue();
    assertThat(InternalToken.readDerived(seed).matches(shown.value()))
        .as("the note key itself is no token")
        .isFalse();
  }

  @Test
  void aFileOfAnotherLengthIsNoToken() throws Exception {
    Path token = Files.write(folder.resolve("internal.token"), Arrays.copyOf(TOKEN, 31));
    assertThatThrownBy(() -> InternalToken.readDerived(token))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("internal token's file");
  }
}
