package io.solidus.authority.complianceissuer;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.DevelopmentKeys;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import io.solidus.prover.Share;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Development keys of the network "solidus-test", made once per machine and shared with the tests
 * of other modules.
 */
final class TestKeys {
  static final NetworkId NETWORK = new NetworkId("solidus-test");
  private static final int VALIDATORS = 4;
  private static final Path DIR =
      DevelopmentKeys.directory(
          base().resolve("test-keys").resolve("regulated"), NETWORK, NetworkKind.REGULATED);
  private static final byte[] MANIFEST_KEY =
      DevelopmentKeys.make(DIR, NETWORK, NetworkKind.REGULATED, VALIDATORS);

  private TestKeys() {}

  static Path dir() {
    return DIR;
  }

  static byte[] manifestKey() {
    return MANIFEST_KEY.clone();
  }

  static KeySet open() {
    return KeySet.open(
        DIR, NETWORK, NetworkKind.REGULATED, Set.of(KeyClass.DEVELOPMENT), manifestKey());
  }

  static Share share(int index) {
    try {
      String json = Files.readString(DIR.resolve("shares").resolve("authority-" + index + ".json"));
      return Share.open(value(json, "x"), value(json, "y"), index);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path base() {
    String home = System.getenv("SOLIDUS_HOME");
    return home == null
        ? Path.of(System.getProperty("user.home"), ".cache", "solidus")
        : Path.of(home);
  }

  private static byte[] value(String json, String name) {
    Matcher matcher = Pattern.compile("\"" + name + "\":\\s*\"([0-9a-f]{64})\"").matcher(json);
    if (!matcher.find()) {
      throw new IllegalStateException("no " + name + " in the share file");
    }
    return HexFormat.of().parseHex(matcher.group(1));
  }
}
