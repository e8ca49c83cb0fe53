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
 * The publisher of rules: signs policies, sanction checkpoints and heartbeats, and publishes them
 * on HTTP pages and on Kafka topics, as the sanctions service does.
 */
public final class RulesPublisher implements AutoCloseable {

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
  private volatile @Nullable RulesRelay relay;

  /** The channels on which a policy or a checkpoint is published. */
  public enum Channel {
    /** The public pages and Kafka, as the service does. */
    EVERYWHERE,
    /** Kafka alone, to test that channel; {@link #reveal} adds the pages later. */
    KAFKA_ONLY
  }

  public RulesPublisher(NetworkId network) {
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

  /** The properties by which a service trusts these signatures. */
  Map<String, String> trust() {
    return Map.of(
        "solidus.trust.policy",
        base64(policySigner),
        "solidus.trust.sanctions",
        base64(sanctionSigner));
  }

  /** Sends to Kafka too from now on, first the policy and the checkpoint in force. */
  void relayTo(String bootstrapServers) {
    RulesRelay started = new RulesRelay(bootstrapServers);
    relay = started;
    send(started, Topics.POLICY, pages.get(POLICY_PAGE));
    send(started, Topics.SANCTIONS_CHECKPOINTS, pages.get(CHECKPOINT_PAGE));
  }

  public void publish(Policy policy) {
    publish(policy, Channel.EVERYWHERE);
  }

  public void publish(Policy policy, Channel channel) {
    byte[] note = utf8(SignedNote.sign(policy.toNoteText(network), policySigner).encode());
    sendToKafka(Topics.POLICY, note);
    publishPages(channel, Map.of("/v1/policies/" + policy.version(), note, POLICY_PAGE, note));
  }

  /** Publishes the checkpoint of at least one key. */
  public SanctionCheckpoint publish(long version, List<SanctionKey> keys) {
    return publish(version, keys, Channel.EVERYWHERE);
  }

  /** Publishes a checkpoint; the list always has its page, because Kafka never carries it. */
  public SanctionCheckpoint publish(long version, List<SanctionKey> keys, Channel channel) {
    SanctionList list = new SanctionList(keys);
    SanctionCheckpoint checkpoint;
    try (SanctionTree tree = SanctionTree.build(network, list.toBytes())) {
      checkpoint =
          new SanctionCheckpoint(
              version, tree.root(), keys.size(), list.digest(network), System.currentTimeMillis());
    }
    byte[] note = utf8(SignedNote.sign(checkpoint.toNoteText(network), sanctionSigner).encode());
    pages.put("/v1/sanctions/checkpoints/" + version + "/list", list.toBytes());
    sendToKafka(Topics.SANCTIONS_CHECKPOINTS, note);
    publishPages(
        channel, Map.of("/v1/sanctions/checkpoints/" + version, note, CHECKPOINT_PAGE, note));
    newestCheckpoint = version;
    return checkpoint;
  }

  /** Adds the pages of what was published on Kafka alone. */
  public synchronized void reveal() {
    pages.putAll(hidden);
    hidden.clear();
  }

  private synchronized void publishPages(Channel channel, Map<String, byte[]> added) {
    if (channel == Channel.EVERYWHERE) {
      pages.putAll(hidden);
      hidden.clear();
      pages.putAll(added);
    } else {
      hidden.putAll(added);
    }
  }

  private void sendToKafka(String topic, byte[] note) {
    RulesRelay to = relay;
    if (to != null) {
      send(to, topic, note);
    }
  }

  private void send(RulesRelay to, String topic, byte @Nullable [] note) {
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

  /** Switches the heartbeats off or on. */
  public void beSilent(boolean silent) {
    this.silent = silent;
  }

  @Override
  public void close() {
    http.stop(0);
    RulesRelay open = relay;
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
