package io.solidus.loadtest.byzantine;

import static org.assertj.core.api.Assertions.assertThatCode;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.grpc.ManagedChannel;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.edge.gateway.GatewayApplication;
import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.platform.grpc.GrpcChannels;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.Share;
import io.solidus.wire.v1.GetStatusRequest;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;

/** The real gateway in front of N authorities, some of which are Byzantine. */
final class GatewayRig implements AutoCloseable {
  private static final Set<String> LATE =
      Set.of(
          "forged-shard-map", "conflicting-shard-maps", "contradicts-quorum", "disputes-evidence");

  private static final long STATUS_SECONDS = 5;

  /** A key without an owner: this network sees no registrations. */
  private static final String NOBODYS_KEY = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

  final ForgedNetwork network;
  final List<AuthorityServer> authorities = new ArrayList<>();
  final DoubleSpendDetector doubleSpends;
  final CorrectWallet wallet;
  final RestProbe rest;

  /** The gateway's address. */
  final URI uri;

  private final Map<Integer, Set<Attack>> attacked = new HashMap<>();
  private final Share stranger;
  private final ConfigurableApplicationContext gateway;
  private final Lines lines = new Lines();

  /**
   * Starts authorities and gateway.
   *
   * @param seed of the random choices of the attackers
   */
  GatewayRig(int n, long seed) {
    network = new ForgedNetwork(n);
    stranger =
        LoadTestKeys.cached(ForgedNetwork.NETWORK, NetworkKind.REGULATED, n == 4 ? 7 : 4).share(1);
    Map<String, Object> properties = new HashMap<>(TestPostgres.newDatabase().springProperties());
    for (int i = 0; i < n; i++) {
      AuthorityServer authority =
          new AuthorityServer(network, i + 1, stranger, new Random(seed + i));
      authorities.add(authority);
      String prefix = "solidus.gateway.authorities[" + i + "].";
      properties.put(prefix + "index", i + 1);
      properties.put(prefix + "shards[0]", authority.address());
      properties.put(prefix + "shards[1]", authority.address());
    }
    properties.put("server.port", 0);
    properties.put("solidus.network.id", ForgedNetwork.NETWORK.value());
    properties.put("solidus.network.keys-dir", network.keys.dir());
    properties.put("solidus.network.manifest-key", network.keys.manifestKeyBase64());
    properties.put("solidus.network.allowed-key-classes", "LOAD_TEST");
    properties.put("solidus.trust.registration", NOBODYS_KEY);
    properties.put("solidus.gateway.urls.registration", "http://127.0.0.1:1");
    properties.put("solidus.gateway.urls.sanctions", "http://127.0.0.1:1");
    properties.put("solidus.gateway.urls.issuance", "http://127.0.0.1:1");
    properties.put(
        "logging.level.io.grpc.netty.NettyServerHandler",
        "OFF"); // failures of the attackers' servers
    properties.put("solidus.gateway.call-timeout", "4s");
    properties.put("solidus.gateway.request-timeout", "10s");
    gateway = GatewayApplication.start(properties);
    lines.listen();
    rest = new RestProbe(ServicePorts.http(gateway));
    uri = URI.create("http://127.0.0.1:" + ServicePorts.http(gateway));
    doubleSpends = new DoubleSpendDetector(network);
    wallet = new CorrectWallet(network, rest, doubleSpends);
  }

  AuthorityServer authority(int index) {
    return authorities.get(index - 1);
  }

  void attack(int authority, Attack attack) {
    attacked.computeIfAbsent(authority, any -> EnumSet.noneOf(Attack.class)).add(attack);
    authority(authority).attack(attack);
  }

  /**
   * The reasons for which the gateway may still report an authority after its attack. The gateway
   * sends unsigned transfers again later and checks the maps of those answers too. It reports an
   * authority that contradicts a quorum only when it no longer waits for others, silent ones
   * included.
   */
  Set<String> lateReasons(int authority) {
    return attacked.getOrDefault(authority, Set.of()).stream()
        .flatMap(attack -> attack.proves().stream())
        .filter(LATE::contains)
        .collect(Collectors.toSet());
  }

  /** Ends all attacks; returns when every authority is reachable. */
  void endAttacks() {
    GrpcChannels channels = gateway.getBean(GrpcChannels.class);
    for (AuthorityServer authority : authorities) {
      authority.attack(null);
      ManagedChannel channel = channels.to(authority.address());
      channel.resetConnectBackoff();
      // a connection that was cut may still look open; this call finds out, not one of the next
      // round
      Eventually.holds(() -> assertThatCode(() -> status(channel)).doesNotThrowAnyException());
    }
  }

  private static void status(ManagedChannel channel) {
    ValidatorServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(STATUS_SECONDS, TimeUnit.SECONDS)
        .getStatus(GetStatusRequest.getDefaultInstance());
  }

  /** How often the gateway has reported each authority, by reason. */
  Map<Integer, Map<String, Double>> reports() {
    return counters("solidus.gateway.culprits", "reason");
  }

  /** The gateway's counts of the answers of each authority, by outcome. */
  Map<Integer, Map<String, Double>> answers() {
    return counters("solidus.gateway.authority.answers", "outcome");
  }

  private Map<Integer, Map<String, Double>> counters(String name, String tag) {
    Map<Integer, Map<String, Double>> counts = new TreeMap<>();
    Collection<Counter> counters = gateway.getBean(MeterRegistry.class).find(name).counters();
    for (Counter counter : counters) {
      counts
          .computeIfAbsent(
              Integer.parseInt(counter.getId().getTag("authority")), any -> new TreeMap<>())
          .put(counter.getId().getTag(tag), counter.count());
    }
    return counts;
  }

  /** The log since the gateway's start. */
  List<String> log() {
    return List.copyOf(lines.texts);
  }

  @Override
  public void close() throws IOException {
    lines.stop();
    gateway.close();
    for (AuthorityServer authority : authorities) {
      authority.close();
    }
    stranger.close();
    network.close();
  }

  /** Collects every log line of this process with the exception's text. */
  private static final class Lines extends AppenderBase<ILoggingEvent> {
    private final Queue<String> texts = new ConcurrentLinkedQueue<>();

    void listen() {
      Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
      setContext(root.getLoggerContext());
      start();
      root.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
      if (event.getLevel().isGreaterOrEqual(Level.INFO)) {
        String failure =
            event.getThrowableProxy() == null ? "" : " " + event.getThrowableProxy().getMessage();
        texts.add(event.getLevel() + " " + event.getFormattedMessage() + failure);
      }
    }
  }
}
