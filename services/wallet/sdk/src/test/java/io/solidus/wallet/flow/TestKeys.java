package io.solidus.wallet.flow;

import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.NoteSigner;
import io.solidus.prover.DevelopmentKeys;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import io.solidus.prover.Prover;
import io.solidus.prover.Share;
import io.solidus.wallet.session.StubProofs;
import io.solidus.wallet.session.WalletPlatform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Development keys, made once per machine and kept under $SOLIDUS_HOME or ~/.cache/solidus; opened
 * once per test run.
 */
public final class TestKeys {
  public static final NetworkId NETWORK = new NetworkId("solidus-test");
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final class Holder {
    static final TestKeys INSTANCE = new TestKeys(folder());
  }

  final Path dir;
  final byte[] manifestKey;
  final KeySet keys;
  final Prover prover;
  final WalletPlatform platform;
  final WalletPlatform withoutProofs;
  final List<Share> shares;
  final List<NoteSigner> noteSigners;

  private TestKeys(Path dir) {
    this.dir = dir;
    this.manifestKey = DevelopmentKeys.make(dir, NETWORK, NetworkKind.REGULATED, 4);
    this.keys =
        KeySet.open(dir, NETWORK, NetworkKind.REGULATED, Set.of(KeyClass.DEVELOPMENT), manifestKey);
    this.prover = Prover.open(keys, 1);
    this.platform = WalletPlatform.over(keys, prover);
    this.withoutProofs = StubProofs.platform(keys, prover);
    this.shares = IntStream.rangeClosed(1, 4).mapToObj(this::share).toList();
    this.noteSigners = IntStream.rangeClosed(1, 4).mapToObj(this::noteSigner).toList();
  }

  public static TestKeys get() {
    return Holder.INSTANCE;
  }

  public Path dir() {
    return dir;
  }

  public byte[] manifestKey() {
    return manifestKey.clone();
  }

  public WalletPlatform platform() {
    return platform;
  }

  private static Path folder() {
    String home = System.getenv("SOLIDUS_HOME");
    Path base =
        home == null
            ? Path.of(System.getProperty("user.home"), ".cache", "solidus")
            : Path.of(home);
    return DevelopmentKeys.directory(
        base.resolve("test-keys").resolve("regulated"), NETWORK, NetworkKind.REGULATED);
  }

  private Share share(int index) {
    JsonNode json = shareFile(index);
    return Share.open(hex(json, "x"), hex(json, "y"), index);
  }

  private NoteSigner noteSigner(int index) {
    return NoteSigner.fromSeed(
        CommitteeMember.noteName(index), hex(shareFile(index), "noteKeySeed"));
  }

  private JsonNode shareFile(int index) {
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
