package io.solidus.dev.processes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.platform.outbox.Topics;
import io.solidus.protocol.Heartbeat;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.SanctionList;
import io.solidus.protocol.SignedNote;
import io.solidus.prover.SanctionTree;
import io.solidus.wire.v1.CheckpointPublished;
import io.solidus.wire.v1.EventEnvelope;
import io.solidus.wire.v1.PolicyPublished;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * The policy and the sanction authority with their public pages and topics: signs what it
 * publishes, as the real services do.
 */
public final class FactServer implements AutoCloseable {

  private static final String POLICY_PAGE = "/v1/policy";
  private static final String CHECKPOINT_PAGE = "/v1/sanctions/checkpoint";

  private final NetworkId network;
  private final NoteSigner policySigner = NoteSigner.fromSeed(NoteTrust.POLICY, seed());
  private final NoteSigner sanctionSigner = NoteSigner.fromSeed(NoteTrust.SANCTIONS, seed());
  private final HttpServer http;
  private final Map<String, byte[]> pages = new ConcurrentHashMap<>();
  private final Map<String, byte[]> hidden = new HashMap<>();
  private volatile long newestCheckpoint;
  private volatile boolean silent;
  private volatile @Nullable FactRelay relay;

  /** Where a fact is told. */
  public enum Way {
    /** On the public pages and on Kafka, as the services do. */
    EVERYWHERE,
    /**
     * On Kafka alone, so that it can be seen whether that way works; {@link #reveal} puts it on the
     * pages.
     */
    KAFKA_ONLY
  }

  public FactServer(NetworkId network) {
    this.network = network;
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    http.createContext("/", this::serve);
    http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http.start();
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
  }

  /** The properties by which a process trusts this server's signatures. */
  Map<String, String> trust() {
    return Map.of(
        "solidus.trust.policy",
        base64(policySigner),
        "solidus.trust.sanctions",
        base64(sanctionSigner));
  }

  /** From now on facts are sent to Kafka too; those that are out already are sent first. */
  void relayTo(String bootstrapServers) {
    FactRelay started = new FactRelay(bootstrapServers);
    relay = started;
    send(started, Topics.POLICY, pages.get(POLICY_PAGE));
    send(started, Topics.SANCTIONS_CHECKPOINTS, pages.get(CHECKPOINT_PAGE));
  }

  public void publish(Policy policy) {
    publish(policy, Way.EVERYWHERE);
  }

  public void publish(Policy policy, Way way) {
    byte[] note = utf8(SignedNote.sign(policy.toNoteText(network), policySigner).encode());
    tell(Topics.POLICY, note);
    publishPages(way, Map.of("/v1/policies/" + policy.version(), note, POLICY_PAGE, note));
  }

  /** Publishes the checkpoint of these keys, at least one. */
  public SanctionCheckpoint publish(long version, List<SanctionKey> keys) {
    return publish(version, keys, Way.EVERYWHERE);
  }

  /** The list itself has its page whatever the way: Kafka never carries it. */
  public SanctionCheckpoint publish(long version, List<SanctionKey> keys, Way way) {
    SanctionList list = new SanctionList(keys);
    SanctionCheckpoint checkpoint;
    try (SanctionTree tree = SanctionTree.build(network, list.toBytes())) {
      checkpoint =
          new SanctionCheckpoint(
              version, tree.root(), keys.size(), list.digest(network), System.currentTimeMillis());
    }
    byte[] note = utf8(SignedNote.sign(checkpoint.toNoteText(network), sanctionSigner).encode());
    pages.put("/v1/sanctions/checkpoints/" + version + "/list", list.toBytes());
    tell(Topics.SANCTIONS_CHECKPOINTS, note);
    publishPages(way, Map.of("/v1/sanctions/checkpoints/" + version, note, CHECKPOINT_PAGE, note));
    newestCheckpoint = version;
    return checkpoint;
  }

  /** What was told on Kafka alone gets its pages. */
  public synchronized void reveal() {
    pages.putAll(hidden);
    hidden.clear();
  }

  private synchronized void publishPages(Way way, Map<String, byte[]> added) {
    if (way == Way.EVERYWHERE) {
      pages.putAll(hidden);
      hidden.clear();
      pages.putAll(added);
    } else {
      hidden.putAll(added);
    }
  }

  private void tell(String topic, byte[] note) {
    FactRelay to = relay;
    if (to != null) {
      send(to, topic, note);
    }
  }

  private void send(FactRelay to, String topic, byte @Nullable [] note) {
    if (note == null) {
      return;
    }
    String text = new String(note, StandardCharsets.UTF_8);
    EventEnvelope.Builder event = EventEnvelope.newBuilder();
    if (topic.equals(Topics.POLICY)) {
      event.setPolicyPublished(PolicyPublished.newBuilder().setPolicyNote(text));
    } else {
      event.setCheckpointPublished(
          CheckpointPublished.newBuilder().setCheckpointNote(text).setListUrl(url().toString()));
    }
    to.send(topic, event);
  }

  /** Gives no heartbeat any more, or gives them again. */
  public void beSilent(boolean silent) {
    this.silent = silent;
  }

  @Override
  public void close() {
    http.stop(0);
    FactRelay open = relay;
    if (open != null) {
      open.close();
    }
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
    if (path.equals("/v1/sanctions/heartbeat")) {
      Heartbeat heartbeat =
          new Heartbeat(Math.max(1, newestCheckpoint), System.currentTimeMillis());
      return silent || newestCheckpoint == 0
          ? new byte[0]
          : utf8(SignedNote.sign(heartbeat.toNoteText(network), sanctionSigner).encode());
    }
    return pages.getOrDefault(path, new byte[0]);
  }

  private static byte[] seed() {
    byte[] seed = new byte[32];
    new SecureRandom().nextBytes(seed);
    return seed;
  }

  private static String base64(NoteSigner signer) {
    return Base64.getEncoder().encodeToString(signer.publicKey().publicKey().bytes());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
