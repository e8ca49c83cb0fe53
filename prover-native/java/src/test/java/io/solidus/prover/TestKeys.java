package io.solidus.prover;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Development keys for tests. They are made once per machine and set of circuits and kept under
 * $SOLIDUS_HOME or ~/.cache/solidus.
 */
final class TestKeys {
  static final NetworkId NETWORK = new NetworkId("solidus-test");
  private static final Map<NetworkKind, TestKeys> CACHE = new ConcurrentHashMap<>();

  final Path dir;
  final byte[] manifestKey;
  private final NetworkKind kind;

  private TestKeys(Path dir, NetworkKind kind, byte[] manifestKey) {
    this.dir = dir;
    this.kind = kind;
    this.manifestKey = manifestKey;
  }

  /** Those of a regulated network, with the keys of shapes as well. */
  static TestKeys withShapes() {
    TestKeys without = of(NetworkKind.REGULATED);
    DevelopmentKeys.Made made =
        DevelopmentKeys.withShapes(without.dir, NETWORK, without.kind, without.manifestKey);
    return new TestKeys(made.dir(), without.kind, made.manifestKey());
  }

  static TestKeys of(NetworkKind kind) {
    return CACHE.computeIfAbsent(kind, TestKeys::make);
  }

  KeySet open() {
    return KeySet.open(dir, NETWORK, kind, Set.of(KeyClass.DEVELOPMENT), manifestKey);
  }

  Share share(int index) {
    String json = read(dir.resolve("shares").resolve("authority-" + index + ".json"));
    return Share.open(value(json, "x"), value(json, "y"), index);
  }

  private static TestKeys make(NetworkKind kind) {
    String home = System.getenv("SOLIDUS_HOME");
    Path base =
        home == null
            ? Path.of(System.getProperty("user.home"), ".cache", "solidus")
            : Path.of(home);
    Path cache = base.resolve("test-keys").resolve(kind.name().toLowerCase(Locale.ROOT));
    Path dir = DevelopmentKeys.directory(cache, NETWORK, kind);
    return new TestKeys(dir, kind, DevelopmentKeys.make(dir, NETWORK, kind, 4));
  }

  private static byte[] value(String json, String name) {
    Matcher m = Pattern.compile("\"" + name + "\":\"([0-9a-f]{64})\"").matcher(json);
    if (!m.find()) {
      throw new IllegalStateException("no " + name + " in the share file");
    }
    return HexFormat.of().parseHex(m.group(1));
  }

  private static String read(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
