package io.solidus.operator.issuance;

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
 * Development keys with their shares, made once per machine and shared by the tests of every
 * module.
 */
final class TestKeys {
  static final NetworkId NETWORK = new NetworkId("solidus-test");
  private static final int VALIDATORS = 4;

  final Path dir;
  final byte[] manifestKey;

  private TestKeys(Path dir, byte[] manifestKey) {
    this.dir = dir;
    this.manifestKey = manifestKey;
  }

  static TestKeys make() {
    String home = System.getenv("SOLIDUS_HOME");
    Path base =
        home == null
            ? Path.of(System.getProperty("user.home"), ".cache", "solidus")
            : Path.of(home);
    Path dir =
        DevelopmentKeys.directory(
            base.resolve("test-keys").resolve("regulated"), NETWORK, NetworkKind.REGULATED);
    return new TestKeys(dir, DevelopmentKeys.make(dir, NETWORK, NetworkKind.REGULATED, VALIDATORS));
  }

  KeySet open() {
    return KeySet.open(
        dir, NETWORK, NetworkKind.REGULATED, Set.of(KeyClass.DEVELOPMENT), manifestKey);
  }

  Share share(int index) {
    try {
      String json = Files.readString(dir.resolve("shares").resolve("authority-" + index + ".json"));
      return Share.open(value(json, "x"), value(json, "y"), index);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] value(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\":\"([0-9a-f]{64})\"").matcher(json);
    if (!found.find()) {
      throw new IllegalStateException("no " + name + " in the share file");
    }
    return HexFormat.of().parseHex(found.group(1));
  }
}
