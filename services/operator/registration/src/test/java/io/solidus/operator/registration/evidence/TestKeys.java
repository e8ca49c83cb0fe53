package io.solidus.operator.registration.evidence;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.DevelopmentKeys;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import java.nio.file.Path;
import java.util.Set;

/**
 * Development keys of the network "solidus-test", made once per machine and shared with the tests
 * of other modules.
 */
public final class TestKeys {
  public static final NetworkId NETWORK = new NetworkId("solidus-test");
  private static final int VALIDATORS = 4;
  private static final Path DIR =
      DevelopmentKeys.directory(
          base().resolve("test-keys").resolve("regulated"), NETWORK, NetworkKind.REGULATED);
  private static final byte[] MANIFEST_KEY =
      DevelopmentKeys.make(DIR, NETWORK, NetworkKind.REGULATED, VALIDATORS);

  private TestKeys() {}

  public static Path dir() {
    return DIR;
  }

  public static byte[] manifestKey() {
    return MANIFEST_KEY.clone();
  }

  public static KeySet open() {
    return KeySet.open(
        DIR, NETWORK, NetworkKind.REGULATED, Set.of(KeyClass.DEVELOPMENT), manifestKey());
  }

  private static Path base() {
    String home = System.getenv("SOLIDUS_HOME");
    return home == null
        ? Path.of(System.getProperty("user.home"), ".cache", "solidus")
        : Path.of(home);
  }
}
