package io.solidus.loadtest.forge;

import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.NoteSigner;
import io.solidus.prover.DevelopmentKeys;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import io.solidus.prover.Share;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A directory of load-test keys. It is laid out as development keys are, shares and manifest
 * included, without proving keys and with the simulator's secrets. Making one takes a second.
 */
public final class LoadTestKeys {
  /** Another process may be making the same keys. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Path dir;
  private final NetworkId network;
  private final NetworkKind kind;
  private final byte[] manifestKey;

  private LoadTestKeys(Path dir, NetworkId network, NetworkKind kind, byte[] manifestKey) {
    this.dir = dir;
    this.network = network;
    this.kind = kind;
    this.manifestKey = manifestKey;
  }

  /**
   * Under $SOLIDUS_HOME or ~/.cache/solidus, in a directory whose name ends with a fingerprint of
   * the circuits: made once, and made anew for other circuits.
   *
   * @param validators 3f+1
   */
  public static LoadTestKeys cached(NetworkId network, NetworkKind kind, int validators) {
    String home = System.getenv("SOLIDUS_HOME");
    Path base =
        home == null
            ? Path.of(System.getProperty("user.home"), ".cache", "solidus")
            : Path.of(home);
    String name = network + "-" + kind.name().toLowerCase(Locale.ROOT) + "-" + validators;
    return make(
        DevelopmentKeys.directory(base.resolve("load-test-keys").resolve(name), network, kind),
        network,
        kind,
        validators);
  }

  /**
   * Makes the directory, or finds that it already holds such keys.
   *
   * @throws ForgeException when it holds other keys
   */
  public static LoadTestKeys make(Path dir, NetworkId network, NetworkKind kind, int validators) {
    List<String> command =
        List.of(
            "keys",
            "--out",
            dir.toAbsolutePath().toString(),
            "--network",
            network.value(),
            "--kind",
            kind.name().toLowerCase(Locale.ROOT),
            "--n",
            Integer.toString(validators));
    byte[] manifestKey = HexFormat.of().parseHex(ForgeProgram.run(command, PATIENCE).strip());
    return new LoadTestKeys(dir, network, kind, manifestKey);
  }

  /**
   * A directory that was made before.
   *
   * @throws ForgeException when it holds no key manifest
   */
  public static LoadTestKeys at(Path dir) {
    try {
      JsonNode manifest = JSON.readTree(Files.readString(dir.resolve("manifest.json")));
      byte[] key = HexFormat.of().parseHex(Files.readString(dir.resolve("manifest.pub")).strip());
      NetworkKind kind =
          NetworkKind.valueOf(manifest.path("kind").asString().toUpperCase(Locale.ROOT));
      return new LoadTestKeys(dir, new NetworkId(manifest.path("networkId").asString()), kind, key);
    } catch (IOException | RuntimeException e) {
      throw new ForgeException("no load-test keys in " + dir, e);
    }
  }

  public Path dir() {
    return dir;
  }

  public NetworkId network() {
    return network;
  }

  public NetworkKind kind() {
    return kind;
  }

  /** What a service pins. */
  public byte[] manifestKey() {
    return manifestKey.clone();
  }

  /** As a service in a load-test profile opens them. */
  public KeySet open() {
    return KeySet.open(dir, network, kind, Set.of(KeyClass.LOAD_TEST), manifestKey);
  }

  /**
   * @param index from 1
   */
  public Share share(int index) {
    return share(dir, index);
  }

  /** An authority's share out of a directory that one party made: of development keys too. */
  static Share share(Path dir, int index) {
    JsonNode json = shareFile(dir, index);
    return Share.open(hex(json, "x"), hex(json, "y"), index);
  }

  /**
   * @param index from 1
   */
  public NoteSigner noteSigner(int index) {
    return NoteSigner.fromSeed(
        CommitteeMember.noteName(index), hex(shareFile(dir, index), "noteKeySeed"));
  }

  private static JsonNode shareFile(Path dir, int index) {
    try {
      return JSON.readTree(
          Files.readString(dir.resolve("shares").resolve("authority-" + index + ".json")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] hex(JsonNode json, String name) {
    return HexFormat.of().parseHex(json.path(name).asString());
  }
}
