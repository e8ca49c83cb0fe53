package io.solidus.platform.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretFileTest {

  @TempDir private Path folder;

  @Test
  void passesTheKeyAndOverwritesItAfterwards() throws IOException {
    Path file = Files.write(folder.resolve("key"), ones(32));
    AtomicReference<byte[]> passed = new AtomicReference<>();
    byte[] used =
        SecretFile.read(
            file,
            "the key",
            key -> {
              passed.set(key);
              return key.clone();
            });
    assertThat(used).isEqualTo(ones(32));
    assertThat(passed.get()).isEqualTo(new byte[32]);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 31, 33, 64})
  void refusesAnotherLength(int length) throws IOException {
    assertRefused(Files.write(folder.resolve("key"), ones(length)), "must hold exactly 32");
  }

  @Test
  void refusesZerosAndAMissingFile() throws IOException {
    assertRefused(Files.write(folder.resolve("zeros"), new byte[32]), "must hold exactly 32");
    assertRefused(folder.resolve("missing"), "cannot be read");
  }

  private static void assertRefused(Path file, String why) {
    assertThatIllegalStateException()
        .isThrownBy(() -> SecretFile.read(file, "the key", byte[]::clone))
        .withMessageContaining("the key " + why);
  }

  private static byte[] ones(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 1);
    return bytes;
  }
}
