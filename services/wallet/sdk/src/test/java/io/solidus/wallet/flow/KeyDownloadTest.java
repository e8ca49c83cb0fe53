package io.solidus.wallet.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.Family;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.session.KeyDownload;
import io.solidus.wallet.session.WalletOptions;
import io.solidus.wire.json.Base64Url;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Downloads of keys that break off, and gateways that send something else. */
@Spec({"F-29", "F-85", "K-08"})
class KeyDownloadTest {
  private static final int PIECE = 512 * 1024;
  private static final Ed25519PrivateKey SIGNER = Ed25519PrivateKey.fromSeed(new byte[32]);
  private static final byte[] PINNED = SIGNER.publicKey().bytes();
  private static final WalletOptions OPTIONS =
      WalletBench.OPTIONS.withPatience(Duration.ofMillis(1));

  @TempDir private Path folder;
  private final List<Gateway> gateways = new ArrayList<>();
  private Gateway gateway;
  private final byte[] proving = random(1, 2 * PIECE + 17);
  private final byte[] verifying = random(2, 1_000);

  KeyDownloadTest() throws IOException {
    this.gateway = gateway();
  }

  /** A gateway that serves a manifest and files by digest. */
  private static final class Gateway {
    private final HttpServer server;
    private final Map<String, byte[]> files = new HashMap<>();
    private final List<String> ranges = new ArrayList<>();
    private byte[] manifest = new byte[0];
    private byte[] signature = new byte[0];
    private byte[] shapes = new byte[0];
    private byte[] shapesSignature = new byte[0];
    private List<Integer> families = List.of(1, 2, 3, 5);

    /** Answers this many pieces, then closes connections without an answer. */
    private int pieces = Integer.MAX_VALUE;

    private boolean wholeFiles;

    Gateway() throws IOException {
      this.server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/", this::handle);
      server.start();
    }

    URI uri() {
      return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private synchronized void handle(HttpExchange exchange) throws IOException {
      try (exchange) {
        String path = exchange.getRequestURI().getPath();
        if (path.equals("/v1/keys")) {
          String json =
              "{\"manifest\":\"%s\",\"signature\":\"%s\"}"
                  .formatted(Base64Url.encode(manifest), Base64Url.encode(signature));
          send(exchange, 200, json.getBytes(StandardCharsets.UTF_8));
          return;
        }
        if (path.equals("/v1/capabilities")) {
          String all =
              families.stream()
                  .map(code -> "{\"code\":" + code + ",\"circuitVersions\":[1]}")
                  .collect(Collectors.joining(","));
          send(exchange, 200, ("{\"families\":[" + all + "]}").getBytes(StandardCharsets.UTF_8));
          return;
        }
        if (path.equals("/v1/keys/shapes") && shapes.length > 0) {
          String json =
              "{\"shapes\":\"%s\",\"signature\":\"%s\"}"
                  .formatted(Base64Url.encode(shapes), Base64Url.encode(shapesSignature));
          send(exchange, 200, json.getBytes(StandardCharsets.UTF_8));
          return;
        }
        byte[] file = files.get(path.replace("/v1/keys/files/", ""));
        if (file == null) {
          String problem = "{\"code\":\"not-found\",\"detail\":\"there is no such file\"}";
          send(exchange, 404, problem.getBytes(StandardCharsets.UTF_8));
          return;
        }
        if (pieces-- <= 0) {
          return;
        }
        String range = exchange.getRequestHeaders().getFirst("Range");
        ranges.add(range);
        String[] bounds = range.substring("bytes=".length()).split("-", -1);
        send(
            exchange,
            wholeFiles ? 200 : 206,
            wholeFiles
                ? file
                : Arrays.copyOfRange(
                    file, Integer.parseInt(bounds[0]), Integer.parseInt(bounds[1]) + 1));
      }
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private Gateway gateway() throws IOException {
    Gateway made = new Gateway();
    gateways.add(made);
    return made;
  }

  @BeforeEach
  void ship() throws IOException {
    byte[] manifest = manifest(null, proving);
    ship("manifest.json", manifest);
    ship("manifest.sig", signature(manifest, SIGNER));
    serve(gateway, proving);
    gateway.manifest = manifest;
    gateway.signature = signature(manifest, SIGNER);
  }

  @AfterEach
  void stop() {
    gateways.forEach(one -> one.server.stop(0));
  }

  private static byte[] random(int seed, int size) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private void serve(Gateway to, byte[] provingKey) {
    to.files.put(Digest32.sha256(provingKey).hex(), provingKey);
    to.files.put(Digest32.sha256(verifying).hex(), verifying);
  }

  private byte[] manifest(byte @Nullable [] former, byte[] provingKey) {
    String formers =
        former == null
            ? ""
            : ",\"former\":[{\"manifestSha256\":\"%s\"}]".formatted(Digest32.sha256(former).hex());
    return "{\"networkId\":\"net-1\",\"class\":\"development\",\"kind\":\"regulated\",\"circuits\":[{\"provingKey\":%s,\"verifyingKey\":%s}]%s}"
        .formatted(key("transfer.pk", provingKey), key("transfer.vk", verifying), formers)
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String key(String name, byte[] content) {
    return "{\"file\":\"%s\",\"size\":%d,\"sha256\":\"%s\"}"
        .formatted(name, content.length, Digest32.sha256(content).hex());
  }

  private static byte[] signature(byte[] manifest, Ed25519PrivateKey signer) {
    return (HexFormat.of().formatHex(signer.sign(manifest)) + "\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  private void ship(String name, byte[] content) throws IOException {
    Files.write(folder.resolve(name), content);
  }

  private KeyDownload.Fetched run() {
    return run(gateway);
  }

  private KeyDownload.Fetched run(Gateway from) {
    return KeyDownload.run(folder, PINNED, from.uri(), OPTIONS, KeyDownload.Listener.NONE);
  }

  private List<String> files() {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString())
          .filter(name -> !name.equals("download.lock"))
          .sorted()
          .collect(Collectors.toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertFails(WalletError error, ThrowingCallable call) {
    WalletException failure = catchThrowableOfType(WalletException.class, call);
    assertThat(failure).isNotNull();
    assertThat(failure.error()).as(failure.getMessage()).isEqualTo(error);
  }

  private void assertComplete(byte[] provingKey) throws IOException {
    assertThat(files())
        .containsExactly("manifest.json", "manifest.sig", "transfer.pk", "transfer.vk");
    assertThat(folder.resolve("transfer.pk")).hasBinaryContent(provingKey);
    assertThat(folder.resolve("transfer.vk")).hasBinaryContent(verifying);
  }

  @Test
  void fetchesWhatTheFolderLacksOnce() throws IOException {
    List<Long> progress = new ArrayList<>();
    KeyDownload.Fetched fetched =
        KeyDownload.run(folder, PINNED, gateway.uri(), OPTIONS, (file, done) -> progress.add(done));
    assertThat(fetched)
        .isEqualTo(
            new KeyDownload.Fetched(
                false,
                false,
                List.of("transfer.vk", "transfer.pk"),
                proving.length + 1_000,
                List.of(),
                List.of()));
    assertThat(progress).containsExactly(1_000L, (long) PIECE, 2L * PIECE, (long) proving.length);
    assertComplete(proving);
    assertThat(run())
        .isEqualTo(new KeyDownload.Fetched(false, false, List.of(), 0, List.of(), List.of()));
  }

  @Test
  void aDownloadThatBrokeOffGoesOnAtAnotherGateway() throws IOException {
    gateway.pieces = 2; // the verifying key and the first piece of the proving key
    assertFails(WalletError.GATEWAY_UNREACHABLE, this::run);
    assertThat(folder.resolve("transfer.pk")).doesNotExist();
    Gateway second = gateway();
    serve(second, proving);
    assertThat(run(second).bytes()).isEqualTo(proving.length - PIECE);
    assertThat(second.ranges)
        .containsExactly(
            "bytes=" + PIECE + "-" + (2 * PIECE - 1),
            "bytes=" + 2 * PIECE + "-" + (2 * PIECE + 16));
    assertComplete(proving);
  }

  /** The keys of a liar could make proofs that show a secret. */
  @Test
  void whatDiffersFromTheManifestIsThrownAway() throws IOException {
    byte[] other = proving.clone();
    other[PIECE + 5] ^= 1;
    gateway.files.put(Digest32.sha256(proving).hex(), other);
    assertFails(WalletError.GATEWAY_MISBEHAVED, this::run);
    assertThat(files()).doesNotContain("transfer.pk").noneMatch(name -> name.contains("pk."));
    serve(gateway, proving);
    run();
    assertComplete(proving);
  }

  @Test
  void aFileThatChangedOnThisMachineIsFetchedAgain() throws IOException {
    run();
    byte[] changed = proving.clone();
    changed[3] ^= 4;
    ship("transfer.pk", changed);
    assertThat(run().files()).containsExactly("transfer.pk");
    assertComplete(proving);
  }

  @Test
  void aGatewayThatIgnoresRangesOrHasNoKeysIsRefused() {
    gateway.wholeFiles = true;
    gateway.files.remove(Digest32.sha256(verifying).hex());
    assertThatThrownBy(this::run)
        .isInstanceOfSatisfying(
            ProtocolException.class, e -> assertThat(e.code()).isEqualTo(RejectionCode.NOT_FOUND));
    serve(gateway, proving);
    assertFails(WalletError.GATEWAY_MISBEHAVED, this::run);
    assertThat(folder.resolve("transfer.pk")).doesNotExist();
  }

  @Test
  void aManifestThatFollowsReplacesTheOldOne() throws IOException {
    run();
    byte[] before = Files.readAllBytes(folder.resolve("manifest.json"));
    byte[] newKey = random(3, PIECE);
    gateway.manifest = manifest(before, newKey);
    gateway.signature = signature(gateway.manifest, SIGNER);

    assertThatThrownBy(this::run).as("no gateway has the new key").isNotNull();
    assertThat(folder.resolve("manifest.json")).hasBinaryContent(before);
    assertThat(folder.resolve("transfer.pk")).hasBinaryContent(proving);

    serve(gateway, newKey);
    assertThat(run())
        .isEqualTo(
            new KeyDownload.Fetched(
                true, false, List.of("transfer.pk"), newKey.length, List.of(), List.of()));
    assertThat(folder.resolve("manifest.json")).hasBinaryContent(gateway.manifest);
    assertThat(folder.resolve("manifest.sig")).hasBinaryContent(gateway.signature);
    assertComplete(newKey);
  }

  /** A gateway can neither invent a manifest nor bring an old one back. */
  @Test
  void noOtherManifestReplacesTheOldOne() throws IOException {
    byte[] before = Files.readAllBytes(folder.resolve("manifest.json"));
    byte[] follower = manifest(before, proving);
    gateway.manifest = follower;
    gateway.signature = signature(follower, Ed25519PrivateKey.fromSeed(random(4, 32)));
    assertThat(run().renewed()).isFalse();
    gateway.manifest = manifest(random(5, 10), proving);
    gateway.signature = signature(gateway.manifest, SIGNER);
    assertThat(run().renewed()).isFalse();
    assertThat(folder.resolve("manifest.json")).hasBinaryContent(before);

    gateway.manifest = follower;
    gateway.signature = signature(follower, SIGNER);
    assertThat(run().renewed()).isTrue();
    gateway.manifest = before;
    gateway.signature = signature(before, SIGNER);
    assertThat(run().renewed()).isFalse();
    assertThat(folder.resolve("manifest.json")).hasBinaryContent(follower);
  }

  /** Killed after each of the four writes of a new manifest. */
  @Test
  void aRenewalThatWasKilledIsFinishedOrForgotten() throws IOException {
    run();
    byte[] before = Files.readAllBytes(folder.resolve("manifest.json"));
    byte[] newer = manifest(before, proving);
    ship("manifest.json.next", Arrays.copyOf(newer, 20));
    run();
    assertThat(folder.resolve("manifest.json")).hasBinaryContent(before);
    assertComplete(proving);

    ship("manifest.json.next", newer);
    ship("manifest.sig.next", signature(newer, SIGNER));
    run();
    assertThat(folder.resolve("manifest.json")).hasBinaryContent(before);
    assertComplete(proving);

    ship("manifest.json.next", newer);
    ship("manifest.sig", signature(newer, SIGNER));
    run();
    assertThat(folder.resolve("manifest.json")).hasBinaryContent(newer);
    assertComplete(proving);
  }

  @Test
  void aFolderWhoseManifestAnotherKeySignedIsLeftAlone() throws IOException {
    ship("manifest.sig", signature(manifest(null, proving), Ed25519PrivateKey.fromSeed(PINNED)));
    assertFails(WalletError.MANIFEST_UNTRUSTED, this::run);
    assertThat(gateway.ranges).isEmpty();
    byte[] outside =
        new String(manifest(null, proving), StandardCharsets.UTF_8)
            .replace("transfer.pk", "../transfer.pk")
            .getBytes(StandardCharsets.UTF_8);
    ship("manifest.json", outside);
    ship("manifest.sig", signature(outside, SIGNER));
    assertFails(WalletError.MANIFEST_UNTRUSTED, this::run);
    assertFails(
        WalletError.MANIFEST_UNTRUSTED,
        () -> KeyDownload.run(folder, PINNED, null, OPTIONS, KeyDownload.Listener.NONE));
  }

  private final byte[] claimKey = random(6, 3_000);

  /** An entry of claims of 16, and of names that this wallet does not know. */
  private String circuit(String name, int version) {
    return "{\"name\":\"%s\",\"version\":%d,\"provingKey\":%s,\"verifyingKey\":%s}"
        .formatted(name, version, key(name + ".pk", claimKey), key(name + ".vk", verifying));
  }

  private static String shapesOf(String network, String keyClass, String... circuits) {
    return "{\"format\":\"solidus/shapes/v1\",\"networkId\":\"%s\",\"class\":\"%s\",\"circuits\":[%s]}"
        .formatted(network, keyClass, String.join(",", circuits));
  }

  private String shapes(String... circuits) {
    return shapesOf("net-1", "development", circuits);
  }

  private void serveShapes(String json, Ed25519PrivateKey signer) {
    gateway.shapes = json.getBytes(StandardCharsets.UTF_8);
    gateway.shapesSignature = signature(gateway.shapes, signer);
    gateway.families = List.of(1, 2, 3, 5, 7);
    gateway.files.put(Digest32.sha256(claimKey).hex(), claimKey);
  }

  private void shipShapes(String json) throws IOException {
    byte[] content = json.getBytes(StandardCharsets.UTF_8);
    ship("shapes.json", content);
    ship("shapes.sig", signature(content, SIGNER));
  }

  @Test
  void aFolderWithoutShapesGetsThoseOfTheNetwork() throws IOException {
    run();
    serveShapes(shapes(circuit("claim-16", 1)), SIGNER);
    KeyDownload.Fetched fetched = run();
    assertThat(fetched)
        .isEqualTo(
            new KeyDownload.Fetched(
                false,
                true,
                List.of("claim-16.vk", "claim-16.pk"),
                1_000 + 3_000,
                List.of(),
                List.of()));
    assertThat(folder.resolve("shapes.json")).hasBinaryContent(gateway.shapes);
    assertThat(folder.resolve("shapes.sig")).hasBinaryContent(gateway.shapesSignature);
    assertThat(folder.resolve("claim-16.pk")).hasBinaryContent(claimKey);
    assertThat(run())
        .isEqualTo(new KeyDownload.Fetched(false, false, List.of(), 0, List.of(), List.of()));
  }

  /** A gateway that invents circuits, or serves those of another network, changes nothing. */
  @Test
  void noShapesAreTakenThatThePinnedKeyDidNotSignForThisNetwork() throws IOException {
    run();
    serveShapes(shapes(circuit("claim-16", 1)), Ed25519PrivateKey.fromSeed(random(7, 32)));
    assertNoShapes("another signer");
    serveShapes(shapes(circuit("claim-16", 1)), SIGNER);
    gateway.shapes[gateway.shapes.length - 2] ^= 1;
    assertNoShapes("changed bytes");
    for (String other :
        List.of(
            shapesOf("net-2", "development", circuit("claim-16", 1)),
            shapesOf("net-1", "ceremony", circuit("claim-16", 1)),
            shapes(circuit("claim-16", 2)),
            shapes(circuit("pay-9", 1)),
            shapes(circuit("claim-16", 1), circuit("claim-16", 1)),
            shapes(circuit("claim-16", 1)).replace("shapes/v1", "shapes/v2"),
            shapes(circuit("claim-16", 1)).replace("claim-16.pk", "../claim-16.pk"),
            shapes())) {
      serveShapes(other, SIGNER);
      assertNoShapes(other);
    }
    serveShapes(shapes(circuit("claim-16", 1)), SIGNER);
    gateway.families = List.of(1, 2, 3, 5);
    assertNoShapes("no family of shapes");
    gateway.families = List.of(7);
    gateway.files.remove(Digest32.sha256(claimKey).hex());
    assertThat(run().shapes()).as("no keys").isFalse();
    assertThat(folder.resolve("shapes.json")).doesNotExist();
    assertThat(folder.resolve("claim-16.vk")).doesNotExist();
    gateway.files.put(Digest32.sha256(claimKey).hex(), claimKey);
    assertThat(run().bytes()).as("goes on").isEqualTo(3_000);
    assertThat(folder.resolve("shapes.json")).exists();
  }

  private void assertNoShapes(String why) throws IOException {
    assertThat(run().shapes()).as(why).isFalse();
    assertThat(folder.resolve("shapes.json")).as(why).doesNotExist();
    assertComplete(proving);
  }

  /** The folder's shapes are a part of all that follow them, so an older file never does. */
  @Test
  void anOlderFileOfShapesDoesNotComeBack() throws IOException {
    String claims = circuit("claim-16", 1);
    String pays = circuit("pay-9", 1);
    shipShapes(shapes(claims, pays));
    serveShapes(shapes(claims), SIGNER);
    run();
    for (String other :
        List.of(
            shapes(claims),
            shapes(pays, claims),
            shapes(claims, pays),
            shapes(claims, circuit("pay-10", 1), pays),
            shapes(claims.replace("3000", "3001"), pays, circuit("pay-10", 1)),
            shapes(pays, circuit("pay-10", 1), circuit("pay-11", 1)))) {
      serveShapes(other, SIGNER);
      assertThat(run().shapes()).as(other).isFalse();
      assertThat(folder.resolve("shapes.json")).hasContent(shapes(claims, pays));
    }
    serveShapes(shapes(claims, pays, circuit("pay-10", 1)), SIGNER);
    assertThat(run())
        .isEqualTo(new KeyDownload.Fetched(false, true, List.of(), 0, List.of(), List.of()));
    assertThat(folder.resolve("shapes.json")).hasBinaryContent(gateway.shapes);
    assertThat(folder.resolve("shapes.sig")).hasBinaryContent(gateway.shapesSignature);
  }

  /** The ceremonies of the folder's shapes stay named, in their order. */
  @Test
  void shapesThatDropACeremonyAreNotTaken() throws IOException {
    byte[] manifest =
        new String(manifest(null, proving), StandardCharsets.UTF_8)
            .replace("development", "ceremony")
            .getBytes(StandardCharsets.UTF_8);
    ship("manifest.json", manifest);
    ship("manifest.sig", signature(manifest, SIGNER));
    String claims = circuit("claim-16", 1);
    String sealed = shapesOf("net-1", "ceremony", claims);
    String more = shapesOf("net-1", "ceremony", claims, circuit("pay-9", 1));
    String first = "{\"name\":\"a\",\"sha256\":\"" + "5a".repeat(32) + "\"}";
    String second = "{\"name\":\"b\",\"sha256\":\"" + "5b".repeat(32) + "\"}";
    serveShapes(sealed, SIGNER);
    assertThat(run().shapes()).as("keys of a ceremony name it").isFalse();
    serveShapes(withTranscripts(sealed, first), SIGNER);
    assertThat(run().shapes()).isTrue();
    for (String dropped : List.of(second, second + "," + first)) {
      serveShapes(withTranscripts(more, dropped), SIGNER);
      assertThat(run().shapes()).as(dropped).isFalse();
    }
    serveShapes(withTranscripts(more, first + "," + second), SIGNER);
    assertThat(run().shapes()).isTrue();
  }

  private static String withTranscripts(String shapes, String transcripts) {
    return shapes.substring(0, shapes.length() - 1) + ",\"transcripts\":[" + transcripts + "]}";
  }

  @Test
  void shapesWhoseRenewalWasKilledAreFinished() throws IOException {
    String claims = circuit("claim-16", 1);
    shipShapes(shapes(claims));
    serveShapes(shapes(claims), SIGNER);
    run();
    byte[] newer = shapes(claims, circuit("pay-9", 1)).getBytes(StandardCharsets.UTF_8);
    ship("shapes.json.next", newer);
    ship("shapes.sig", signature(newer, SIGNER));
    run();
    assertThat(folder.resolve("shapes.json")).hasBinaryContent(newer);
    assertThat(folder.resolve("shapes.json.next")).doesNotExist();
  }

  /** Killed after each of the four writes of a folder's first shapes. */
  @Test
  void firstShapesThatWereKilledAreFetchedAgain() throws IOException {
    byte[] first = shapes(circuit("claim-16", 1)).getBytes(StandardCharsets.UTF_8);
    byte[] signed = signature(first, SIGNER);
    serveShapes(shapes(circuit("claim-16", 1)), SIGNER);
    for (Map<String, byte[]> left :
        List.of(
            Map.of("shapes.json.next", Arrays.copyOf(first, 20)),
            Map.of("shapes.json.next", first),
            Map.of("shapes.json.next", first, "shapes.sig.next", Arrays.copyOf(signed, 20)),
            Map.of("shapes.json.next", first, "shapes.sig.next", signed),
            Map.of("shapes.json.next", first, "shapes.sig", signed))) {
      for (String name : List.of("shapes.json", "shapes.sig")) {
        Files.deleteIfExists(folder.resolve(name));
      }
      for (Map.Entry<String, byte[]> file : left.entrySet()) {
        ship(file.getKey(), file.getValue());
      }
      run();
      assertThat(folder.resolve("shapes.json")).as("%s", left.keySet()).hasBinaryContent(first);
      assertThat(folder.resolve("shapes.sig")).hasBinaryContent(signed);
      assertThat(files()).noneMatch(name -> name.endsWith(".next"));
    }
  }

  /** Gateways need no proving keys: one that is missing keeps no newer manifest away. */
  @Test
  void aManifestIsRenewedThoughNoGatewayHasTheProvingKeyOfAShape() throws IOException {
    String claims = circuit("claim-16", 1);
    shipShapes(shapes(claims));
    serveShapes(shapes(claims), SIGNER);
    gateway.files.remove(Digest32.sha256(claimKey).hex());
    byte[] before = Files.readAllBytes(folder.resolve("manifest.json"));
    gateway.manifest = manifest(before, proving);
    gateway.signature = signature(gateway.manifest, SIGNER);
    KeyDownload.Fetched fetched = run();
    assertThat(fetched.renewed()).isTrue();
    assertThat(fetched.missing()).containsExactly("claim-16.pk");
    assertThat(folder.resolve("manifest.json")).hasBinaryContent(gateway.manifest);
    assertThat(folder.resolve("claim-16.vk")).hasBinaryContent(verifying);

    serveShapes(shapes(claims), SIGNER);
    assertThat(run())
        .isEqualTo(
            new KeyDownload.Fetched(
                false, false, List.of("claim-16.pk"), 3_000, List.of(), List.of()));
    gateway.files.remove(Digest32.sha256(verifying).hex());
    Files.delete(folder.resolve("claim-16.vk"));
    assertThatThrownBy(this::run).as("without it no wallet opens").isNotNull();
  }

  /** "No gateway has it" would tell an owner to wait for a ceremony, and not to try again. */
  @Test
  void aProvingKeyThatAGatewayDidNotSendIsNotMissing() throws IOException {
    String claims = circuit("claim-16", 1);
    shipShapes(shapes(claims));
    serveShapes(shapes(claims), SIGNER);
    assertThat(run().failed()).isEmpty();
    Files.delete(folder.resolve("claim-16.pk"));
    gateway.pieces = 0;
    KeyDownload.Fetched fetched = run();
    assertThat(fetched.missing()).isEmpty();
    assertThat(fetched.failed()).containsExactly("claim-16.pk");
  }

  /** With every shape that the native library knows. */
  @Test
  void aWalletOpensTheFolderThatWasDownloaded() throws IOException {
    TestCommittee network = TestCommittee.withShapes();
    for (String name : List.of("manifest.json", "manifest.sig")) {
      Files.copy(
          network.keysDir().resolve(name),
          folder.resolve(name),
          StandardCopyOption.REPLACE_EXISTING);
    }
    try (Stream<Path> all = Files.list(network.keysDir())) {
      for (Path file : all.filter(path -> path.toString().matches(".*\\.[pv]k")).toList()) {
        byte[] content = Files.readAllBytes(file);
        gateway.files.put(Digest32.sha256(content).hex(), content);
      }
    }
    gateway.manifest = Files.readAllBytes(folder.resolve("manifest.json"));
    gateway.signature = Files.readAllBytes(folder.resolve("manifest.sig"));
    gateway.shapes = Files.readAllBytes(network.keysDir().resolve("shapes.json"));
    gateway.shapesSignature = Files.readAllBytes(network.keysDir().resolve("shapes.sig"));
    gateway.families = List.of(1, 2, 3, 5, 7, 8);
    Set<Family> known =
        Arrays.stream(Family.values()).filter(Family::isShape).collect(Collectors.toSet());
    assertThat(network.keys().transfers().shapes()).isEqualTo(known);

    KeyDownload.Fetched fetched =
        KeyDownload.run(
            folder, network.manifestKey(), gateway.uri(), OPTIONS, KeyDownload.Listener.NONE);
    assertThat(fetched.shapes()).isTrue();
    try (KeySet keys =
        KeySet.open(
            folder,
            network.network(),
            network.kind(),
            Set.of(KeyClass.DEVELOPMENT),
            network.manifestKey())) {
      assertThat(keys.transfers().shapes()).isEqualTo(known);
      assertThat(known).allMatch(keys::canProve);
    }
  }

  @Test
  void shapesOfPaymentsAloneAreTaken() throws IOException {
    run();
    serveShapes(shapes(circuit("pay-8", 1)), SIGNER);
    gateway.families = List.of(1, 2, 3, 5, 8);
    assertThat(run().files()).containsExactly("pay-8.vk", "pay-8.pk");
  }

  @Test
  void oneProcessDownloadsAtATime() throws IOException {
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve("download.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        var lock = channel.lock()) {
      assertThat(lock.isValid()).isTrue();
      assertFails(WalletError.STORE_LOCKED, this::run);
    }
    run();
  }
}
