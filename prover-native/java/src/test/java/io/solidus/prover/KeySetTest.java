package io.solidus.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A directory opens only for its own network, kind, class and key. The rules of files and manifests
 * are tested in Go.
 */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KeySetTest {
  private TestKeys keys;

  @BeforeAll
  void make() {
    keys = TestKeys.of(NetworkKind.REGULATED);
  }

  private NativeErrorCode refusal(
      Path dir, String network, NetworkKind kind, Set<KeyClass> allowed, byte[] key) {
    return catchThrowableOfType(
            NativeException.class,
            () -> KeySet.open(dir, new NetworkId(network), kind, allowed, key).close())
        .code();
  }

  @Test
  void refusesOtherKeysThanExpected() {
    Set<KeyClass> development = Set.of(KeyClass.DEVELOPMENT);
    String network = TestKeys.NETWORK.value();
    assertThat(
            refusal(keys.dir, "another-net", NetworkKind.REGULATED, development, keys.manifestKey))
        .isEqualTo(NativeErrorCode.KEYS_NETWORK);
    assertThat(refusal(keys.dir, network, NetworkKind.UNREGULATED, development, keys.manifestKey))
        .isEqualTo(NativeErrorCode.KEYS_KIND);
    assertThat(
            refusal(
                keys.dir,
                network,
                NetworkKind.REGULATED,
                Set.of(KeyClass.CEREMONY, KeyClass.LOAD_TEST),
                keys.manifestKey))
        .isEqualTo(NativeErrorCode.KEYS_CLASS);
    assertThat(refusal(keys.dir, network, NetworkKind.REGULATED, Set.of(), keys.manifestKey))
        .isEqualTo(NativeErrorCode.KEYS_CLASS);
    assertThat(refusal(keys.dir, network, NetworkKind.REGULATED, development, new byte[32]))
        .isEqualTo(NativeErrorCode.KEYS_SIGNATURE);
    assertThat(refusal(keys.dir, network, NetworkKind.REGULATED, development, new byte[5]))
        .isEqualTo(NativeErrorCode.KEYS_SIGNATURE);
    assertThat(
            refusal(
                keys.dir.resolve("nowhere"),
                network,
                NetworkKind.REGULATED,
                development,
                keys.manifestKey))
        .isEqualTo(NativeErrorCode.KEYS_MISSING);
  }

  @Test
  void aChangedManifestDoesNotOpen(@TempDir Path dir) throws IOException {
    Files.copy(keys.dir.resolve("manifest.sig"), dir.resolve("manifest.sig"));
    String manifest = Files.readString(keys.dir.resolve("manifest.json"));
    Files.writeString(
        dir.resolve("manifest.json"), manifest.replace("\"development\"", "\"ceremony\""));
    assertThat(
            refusal(
                dir,
                TestKeys.NETWORK.value(),
                NetworkKind.REGULATED,
                Set.of(KeyClass.values()),
                keys.manifestKey))
        .isEqualTo(NativeErrorCode.KEYS_SIGNATURE);
  }

  @Test
  void setsOfOneDirectoryCloseIndependently() {
    KeySet first = keys.open();
    KeySet second = keys.open();
    assertThat(first.manifestDigest()).isEqualTo(second.manifestDigest());
    first.close();
    second.warmUp(Family.MINT);
    NativeException e =
        catchThrowableOfType(NativeException.class, () -> first.warmUp(Family.MINT));
    assertThat(e.code()).isEqualTo(NativeErrorCode.UNKNOWN_HANDLE);
    second.close();
    try (KeySet third = keys.open()) {
      assertThat(third.circuitVersion(Family.MINT)).isEqualTo(1);
      NativeException none =
          catchThrowableOfType(
              NativeException.class, () -> third.circuitVersion(Family.TRANSFER_UNREGULATED));
      assertThat(none.code()).isEqualTo(NativeErrorCode.KEYS_NO_CIRCUIT);
    }
  }

  /** The directory's name depends on the circuits, so keys of other circuits are never used. */
  @Test
  void theDirectoryOfDevelopmentKeysDependsOnTheCircuits(@TempDir Path dir) {
    Path cache = dir.resolve("some-keys");
    Path regulated = DevelopmentKeys.directory(cache, TestKeys.NETWORK, NetworkKind.REGULATED);
    assertThat(regulated.getParent()).isEqualTo(dir);
    assertThat(regulated.getFileName().toString()).matches("some-keys-[0-9a-f]{12}");
    assertThat(DevelopmentKeys.directory(cache, TestKeys.NETWORK, NetworkKind.REGULATED))
        .isEqualTo(regulated);
    assertThat(DevelopmentKeys.directory(cache, TestKeys.NETWORK, NetworkKind.UNREGULATED))
        .isNotEqualTo(regulated);
    assertThat(
            DevelopmentKeys.directory(cache, new NetworkId("another-net"), NetworkKind.REGULATED))
        .isNotEqualTo(regulated);
  }

  @Test
  void refusesCommitteesOfOtherSizesThan3fPlus1(@TempDir Path dir) {
    for (int validators : new int[] {0, 1, 3, 5, 6}) {
      NativeException e =
          catchThrowableOfType(
              NativeException.class,
              () -> DevelopmentKeys.make(dir, TestKeys.NETWORK, NetworkKind.REGULATED, validators));
      assertThat(e.code()).isEqualTo(NativeErrorCode.COMMITTEE_INVALID);
    }
  }
}
