package io.solidus.edge.gateway.parameters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.networkkeys.NetworkProperties;
import io.solidus.protocol.Digest32;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder of keys that changes between the check of its bytes and their use. */
class KeyFolderTest {
  private static final TestCommittee NETWORK = TestCommittee.withShapes();
  private static final String SHAPES = "shapes.json";
  @TempDir Path folder;

  private KeyFolder read(KeySet keys) throws IOException {
    return new KeyFolder(
        new NetworkProperties(
            TestCommittee.NETWORK.value(),
            NETWORK.kind(),
            folder,
            NETWORK.manifestKeyBase64(),
            Set.of(KeyClass.DEVELOPMENT),
            List.of(),
            ""),
        keys);
  }

  private KeySet open() {
    return KeySet.open(
        folder,
        NETWORK.network(),
        NETWORK.kind(),
        Set.of(KeyClass.DEVELOPMENT),
        NETWORK.manifestKey());
  }

  @Test
  void servesNoShapesThatNobodyVerified() throws IOException {
    try (Stream<Path> all = Files.list(NETWORK.keysDir())) {
      for (Path file : all.filter(path -> !path.toString().endsWith(".pk")).toList()) {
        if (Files.isRegularFile(file)) {
          Files.copy(file, folder.resolve(file.getFileName()));
        }
      }
    }
    byte[] verified = Files.readAllBytes(folder.resolve(SHAPES));
    try (KeySet keys = open()) {
      assertThat(keys.shapesDigest()).contains(Digest32.sha256(verified));
      assertThat(read(keys).shapes().orElseThrow().content()).isEqualTo(verified);
      byte[] longer = Arrays.copyOf(verified, verified.length + 1);
      longer[verified.length] = ' ';
      Files.write(folder.resolve(SHAPES), longer);
      assertThatThrownBy(() -> read(keys))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("shapes changed");
    }
    Files.delete(folder.resolve(SHAPES));
    try (KeySet keys = open()) {
      Files.write(folder.resolve(SHAPES), verified);
      assertThat(keys.shapesDigest()).isEmpty();
      assertThat(read(keys).shapes()).as("they came after the check").isEmpty();
    }
  }
}
