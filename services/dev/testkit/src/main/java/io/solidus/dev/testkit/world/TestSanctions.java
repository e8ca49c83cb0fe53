package io.solidus.dev.testkit.world;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Heartbeat;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.SanctionList;
import io.solidus.protocol.SignedNote;
import io.solidus.prover.SanctionTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The publisher of policies and checkpoints with its HTTP pages. It can stop its heartbeats,
 * publish wrong roots, fork and roll back.
 */
public final class TestSanctions implements AutoCloseable {

  public static final long CAP = 1_000_000;

  private final NetworkId network;
  private final Clock clock;
  private final NoteSigner policySigner =
      NoteSigner.fromSeed(NoteTrust.POLICY, TestRandom.bytes(32));
  private final NoteSigner sanctionSigner =
      NoteSigner.fromSeed(NoteTrust.SANCTIONS, TestRandom.bytes(32));
  private final HttpServer http;
  private final Map<String, byte[]> pages = new ConcurrentHashMap<>();
  private volatile long newestCheckpoint;
  private volatile boolean silent;
  private volatile boolean listsOnly;

  public TestSanctions(NetworkId network, Clock clock) {
    this.network = network;
    this.clock = clock;
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    http.createContext("/", this::serve);
    http.start();
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
  }

  public String policyKey() {
    return base64(policySigner);
  }

  public String sanctionKey() {
    return base64(sanctionSigner);
  }

  public void beSilent(boolean silent) {
    this.silent = silent;
  }

  /** Serves only lists, so that everything else must come through Kafka. */
  public void serveListsOnly() {
    listsOnly = true;
  }

  public static Policy policy(long version, int period, long maxPerTransfer, Clock clock) {
    return new Policy(
        version,
        new Period(period),
        Amount.of(maxPerTransfer),
        Amount.of(1_000_000_000_000L),
        Amount.of(5_000_000_000_000L),
        Amount.ZERO,
        1_000,
        Amount.of(CAP),
        clock.millis());
  }

  public String sign(Policy policy) {
    return SignedNote.sign(policy.toNoteText(network), policySigner).encode();
  }

  public String sign(SanctionCheckpoint checkpoint) {
    return SignedNote.sign(checkpoint.toNoteText(network), sanctionSigner).encode();
  }

  public String sign(Heartbeat heartbeat) {
    return SignedNote.sign(heartbeat.toNoteText(network), sanctionSigner).encode();
  }

  public void publish(Policy policy) {
    byte[] note = utf8(sign(policy));
    pages.put("/v1/policies/" + policy.version(), note);
    pages.put("/v1/policy", note);
  }

  /** Publishes a correct checkpoint of these keys. */
  public SanctionCheckpoint publish(long version, List<SanctionKey> keys) {
    SanctionCheckpoint checkpoint = checkpointOf(version, keys);
    publish(checkpoint, new SanctionList(keys).toBytes());
    return checkpoint;
  }

  public void publish(SanctionCheckpoint checkpoint, byte[] list) {
    pages.put("/v1/sanctions/checkpoints/" + checkpoint.version() + "/list", list);
    pages.put("/v1/sanctions/checkpoint", utf8(sign(checkpoint)));
    newestCheckpoint = checkpoint.version();
  }

  public SanctionCheckpoint checkpointOf(long version, List<SanctionKey> keys) {
    SanctionList list = new SanctionList(keys);
    try (SanctionTree tree = SanctionTree.build(network, list.toBytes())) {
      return new SanctionCheckpoint(
          version, tree.root(), keys.size(), list.digest(network), clock.millis());
    }
  }

  @Override
  public void close() {
    http.stop(0);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] page = page(exchange.getRequestURI().getPath());
      exchange.sendResponseHeaders(
          page.length == 0 ? 404 : 200, page.length == 0 ? -1 : page.length);
      exchange.getResponseBody().write(page);
    }
  }

  private byte[] page(String path) {
    if (listsOnly && !path.endsWith("/list")) {
      return new byte[0];
    }
    if (path.equals("/v1/sanctions/heartbeat")) {
      return silent || newestCheckpoint == 0
          ? new byte[0]
          : utf8(sign(new Heartbeat(newestCheckpoint, clock.millis())));
    }
    // a list without keys would be an empty page, which this server answers with 404
    return pages.getOrDefault(path, new byte[0]);
  }

  private static String base64(NoteSigner signer) {
    return Base64.getEncoder().encodeToString(signer.publicKey().publicKey().bytes());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
