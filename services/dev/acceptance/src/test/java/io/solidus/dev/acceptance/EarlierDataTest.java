package io.solidus.dev.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.sandbox.secrets.EarlierData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sandbox sets the data of an earlier build aside when that build had other circuits and
 * therefore other keys.
 */
class EarlierDataTest {
  @TempDir Path folder;

  private Path data() {
    return folder.resolve("data");
  }

  /** A key directory whose first authority has this countersigning seed. */
  private Path keys(int seed) throws IOException {
    Path keys = folder.resolve("keys-" + seed);
    Files.createDirectories(keys.resolve("shares"));
    Files.writeString(
        keys.resolve("shares").resolve("authority-1.json"),
        "{\"index\":1,\"noteKeySeed\":\"" + hex(seed) + "\"}");
    return keys;
  }

  private static String hex(int seed) {
    return "%064x".formatted(seed);
  }

  private void start(int seed) throws IOException {
    for (String name : new String[] {"secrets", "postgres", "logs"}) {
      Files.createDirectories(data().resolve(name));
    }
    Files.write(
        data().resolve("secrets").resolve("authority-1.note-seed"),
        HexFormat.of().parseHex(hex(seed)));
    Files.writeString(data().resolve("postgres").resolve("state"), "of " + seed);
  }

  @Test
  void newDataAndDataOfTheSameKeysAreKept() throws IOException {
    Files.createDirectories(data());
    assertThat(EarlierData.setAside(data(), keys(1))).isEmpty();
    start(1);
    assertThat(EarlierData.setAside(data(), keys(1))).isEmpty();
    assertThat(data().resolve("postgres").resolve("state")).hasContent("of 1");
  }

  @Test
  void dataOfOtherKeysIsSetAside() throws IOException {
    for (int build = 1; build <= 2; build++) {
      start(build);
      assertThat(EarlierData.fits(data(), keys(build + 1))).isFalse();
      Path aside = EarlierData.setAside(data(), keys(build + 1)).orElseThrow();
      assertThat(aside).isEqualTo(data().resolve("earlier-" + build));
      assertThat(aside.resolve("postgres").resolve("state")).hasContent("of " + build);
      assertThat(aside.resolve("secrets").resolve("authority-1.note-seed")).exists();
      assertThat(data().resolve("postgres")).doesNotExist();
      assertThat(data().resolve("secrets")).doesNotExist();
      assertThat(data().resolve("logs")).exists();
      assertThat(EarlierData.fits(data(), keys(build + 1))).isTrue();
    }
  }
}
