package io.solidus.loadtest.forge;

import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.Ed25519PrivateKey;
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
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A directory of load-test keys. It has the layout of development keys with shares and manifest,
 * without proving keys and with the simulator's secrets. Making one takes a second.
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
   * The keys under $SOLIDUS_HOME or ~/.cache/solidus, made when they are missing. The directory's
   * name ends with a fingerprint of the circuits, so that other circuits get other keys.
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
   * Makes the directory, unless it holds such keys already.
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
   * Opens an existing directory.
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

  /**
   * Makes fresh shares of the same key, as a refresh of the committee does.
   *
   * @param overlap how long authorities sign with the former shares too, from now
   */
  public LoadTestKeys refreshed(Path into, Duration overlap) {
    return refreshed(into, overlap, overlap, 0);
  }

  /**
   * Makes fresh shares, and another note key of one authority, as a recovery does.
   *
   * @param formerNoteKeys how long votes of the note key of before count, from now
   * @param newNoteKey the authority, from 1; 0 for none
   */
  public LoadTestKeys refreshed(
      Path into, Duration overlap, Duration formerNoteKeys, int newNoteKey) {
    try (KeySet keys = open()) {
      byte[] key =
          DevelopmentKeys.refresh(
              keys, dir, manifestKey, into, overlap, formerNoteKeys, newNoteKey);
      return new LoadTestKeys(into, network, kind, key);
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

  /** The key that a service pins. */
  public byte[] manifestKey() {
    return manifestKey.clone();
  }

  public String manifestKeyBase64() {
    return Base64.getEncoder().encodeToString(manifestKey);
  }

  /** Opens the keys as a service in a load-test profile does. */
  public KeySet open() {
    return KeySet.open(dir, network, kind, Set.of(KeyClass.LOAD_TEST), manifestKey);
  }

  /** The share of an authority, from 1; the caller closes it. */
  public Share share(int index) {
    return share(dir, index);
  }

  /** The share of an authority from a directory of one dealer; also for development keys. */
  static Share share(Path dir, int index) {
    JsonNode json = shareFile(dir, index);
    return Share.open(hex(json, "x"), hex(json, "y"), index);
  }

  /** The signer of an authority's notes, from 1. */
  public NoteSigner noteSigner(int index) {
    return new NoteSigner(CommitteeMember.noteName(index), noteKey(index));
  }

  /** The note key of an authority, from 1. */
  public Ed25519PrivateKey noteKey(int index) {
    return Ed25519PrivateKey.fromSeed(hex(shareFile(dir, index), "noteKeySeed"));
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
