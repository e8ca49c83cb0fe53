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
import java.time.Instant;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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
  private static final String LIST = "/list";

  private final NetworkId network;
  private final Map<Issuer, Keys> keys = new EnumMap<>(Issuer.class);
  private final HttpServer http;
  private final Map<String, byte[]> pages = new ConcurrentHashMap<>();
  private final Map<String, byte[]> hidden = new HashMap<>();
  private volatile long newestCheckpoint;
  private volatile boolean silent;
  private volatile @Nullable RulesRelay relay;

  /** The issuers of notes. */
  public enum Issuer {
    POLICY(NoteTrust.POLICY, POLICY_PAGE, "/v1/policies/"),
    SANCTIONS(NoteTrust.SANCTIONS, CHECKPOINT_PAGE, "/v1/sanctions/checkpoints/");

    private final String noteName;
    private final String newestPage;
    private final String pages;

    Issuer(String noteName, String newestPage, String pages) {
      this.noteName = noteName;
      this.newestPage = newestPage;
      this.pages = pages;
    }

    private NoteSigner newSigner() {
      return NoteSigner.fromSeed(noteName, seed());
    }

    private boolean signs(String page) {
      return page.equals(newestPage) || (page.startsWith(pages) && !page.endsWith(LIST));
    }
  }

  /** The keys of an issuer: what signs, what will, and the former ones with their times. */
  private record Keys(
      NoteSigner signer, @Nullable NoteSigner next, Map<NoteSigner, Instant> former) {
    NoteSigner newest() {
      return next == null ? signer : next;
    }
  }

  /** The channels on which a policy or a checkpoint is published. */
  public enum Channel {
    /** The public pages and Kafka, as the service does. */
    EVERYWHERE,
    /** Kafka alone, to test that channel; {@link #reveal} adds the pages later. */
    KAFKA_ONLY
  }

  public RulesPublisher(NetworkId network) {
    this.network = network;
    for (Issuer issuer : Issuer.values()) {
      keys.put(issuer, new Keys(issuer.newSigner(), null, Map.of()));
    }
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
  synchronized Map<String, String> trust() {
    Map<String, String> trust = new HashMap<>();
    int number = 0;
    for (Issuer issuer : Issuer.values()) {
      String name = issuer.name().toLowerCase(Locale.ROOT);
      trust.put("solidus.trust." + name, base64(keys(issuer).newest()));
      for (Map.Entry<NoteSigner, Instant> former : keys(issuer).former().entrySet()) {
        String prefix = "solidus.trust.former[" + number++ + "].";
        trust.put(prefix + "issuer", name);
        trust.put(prefix + "key", base64(former.getKey()));
        trust.put(prefix + "until", former.getValue().toString());
      }
    }
    return trust;
  }

  /**
   * Makes an issuer's next key. Services that start from now on trust it, and the present one until
   * a time. The present one signs until {@link #change}.
   */
  public synchronized void announce(Issuer issuer, Instant until) {
    Keys was = keys(issuer);
    Map<NoteSigner, Instant> former = new LinkedHashMap<>(was.former());
    former.put(was.signer(), until);
    keys.put(issuer, new Keys(was.signer(), issuer.newSigner(), former));
  }

  /** Signs with the announced key from now on, also what was published before. */
  public synchronized void change(Issuer issuer) {
    Keys was = keys(issuer);
    keys.put(issuer, new Keys(was.newest(), null, was.former()));
    for (Map<String, byte[]> each : List.of(pages, hidden)) {
      each.replaceAll((page, note) -> issuer.signs(page) ? signedAgain(issuer, note) : note);
    }
  }

  private byte[] signedAgain(Issuer issuer, byte[] note) {
    String text = SignedNote.parse(new String(note, StandardCharsets.UTF_8)).text();
    return signed(issuer, text);
  }

  private synchronized byte[] signed(Issuer issuer, String text) {
    return utf8(SignedNote.sign(text, keys(issuer).signer()).encode());
  }

  private Keys keys(Issuer issuer) {
    return Objects.requireNonNull(keys.get(issuer));
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
    byte[] note = signed(Issuer.POLICY, policy.toNoteText(network));
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
    byte[] note = signed(Issuer.SANCTIONS, checkpoint.toNoteText(network));
    pages.put("/v1/sanctions/checkpoints/" + version + LIST, list.toBytes());
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
          : signed(Issuer.SANCTIONS, heartbeat.toNoteText(network));
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
