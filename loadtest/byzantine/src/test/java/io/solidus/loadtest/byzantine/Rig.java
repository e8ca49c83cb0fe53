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
import java.util.Base64;
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

/** The real gateway in front of N authorities, of which some lie. */
final class Rig implements AutoCloseable {
  private static final Set<String> LATE =
      Set.of(
          "forged-shard-map", "conflicting-shard-maps", "contradicts-quorum", "disputes-evidence");

  private static final long STATUS_SECONDS = 5;

  final World world;
  final List<AuthorityServer> authorities = new ArrayList<>();
  final DoubleSpends doubleSpends;
  final CorrectWallet wallet;
  final RestProbe rest;

  /** Where the gateway is. */
  final URI uri;

  private final Map<Integer, Set<Attack>> attacked = new HashMap<>();
  private final Share stranger;
  private final ConfigurableApplicationContext gateway;
  private final Lines lines = new Lines();

  /**
   * @param seed of what the liars draw
   */
  Rig(int n, long seed) {
    world = new World(n);
    stranger = LoadTestKeys.cached(World.NETWORK, NetworkKind.REGULATED, n == 4 ? 7 : 4).share(1);
    Map<String, Object> properties = new HashMap<>(TestPostgres.newDatabase().springProperties());
    for (int i = 0; i < n; i++) {
      AuthorityServer authority = new AuthorityServer(world, i + 1, stranger, new Random(seed + i));
      authorities.add(authority);
      String prefix = "solidus.gateway.authorities[" + i + "].";
      properties.put(prefix + "index", i + 1);
      properties.put(prefix + "shards[0]", authority.address());
      properties.put(prefix + "shards[1]", authority.address());
    }
    properties.put("server.port", 0);
    properties.put("solidus.network.id", World.NETWORK.value());
    properties.put("solidus.network.keys-dir", world.keys.dir());
    properties.put(
        "solidus.network.manifest-key",
        Base64.getEncoder().encodeToString(world.keys.manifestKey()));
    properties.put("solidus.network.allowed-key-classes", "LOAD_TEST");
    properties.put("solidus.gateway.urls.registration", "http://127.0.0.1:1");
    properties.put("solidus.gateway.urls.sanctions", "http://127.0.0.1:1");
    properties.put("solidus.gateway.urls.issuance", "http://127.0.0.1:1");
    properties.put(
        "logging.level.io.grpc.netty.NettyServerHandler", "OFF"); // the liars' own troubles
    properties.put("solidus.gateway.call-timeout", "4s");
    properties.put("solidus.gateway.request-timeout", "10s");
    gateway = GatewayApplication.start(properties);
    lines.listen();
    rest = new RestProbe(ServicePorts.http(gateway));
    uri = URI.create("http://127.0.0.1:" + ServicePorts.http(gateway));
    doubleSpends = new DoubleSpends(world);
    wallet = new CorrectWallet(world, rest, doubleSpends);
  }

  AuthorityServer authority(int index) {
    return authorities.get(index - 1);
  }

  void attack(int authority, Attack attack) {
    attacked.computeIfAbsent(authority, any -> EnumSet.noneOf(Attack.class)).add(attack);
    authority(authority).attack(attack);
  }

  /**
   * What an authority may still be named for after its attack: the gateway sends what it has not
   * signed again, whenever that is, and looks at the maps of those answers too; who contradicts a
   * quorum is named when nobody is waited for any more, the silent included.
   */
  Set<String> mayFollow(int authority) {
    return attacked.getOrDefault(authority, Set.of()).stream()
        .flatMap(attack -> attack.proves().stream())
        .filter(LATE::contains)
        .collect(Collectors.toSet());
  }

  /** Everybody is correct and reachable again. */
  void peace() {
    GrpcChannels channels = gateway.getBean(GrpcChannels.class);
    for (AuthorityServer authority : authorities) {
      authority.attack(null);
      ManagedChannel channel = channels.to(authority.address());
      channel.resetConnectBackoff();
      // a connection that was cut may look open still; the call that finds out should be none of
      // the next round's
      Eventually.holds(() -> assertThatCode(() -> status(channel)).doesNotThrowAnyException());
    }
  }

  private static void status(ManagedChannel channel) {
    ValidatorServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(STATUS_SECONDS, TimeUnit.SECONDS)
        .getStatus(GetStatusRequest.getDefaultInstance());
  }

  /** How often the gateway has named each authority, by reason. */
  Map<Integer, Map<String, Double>> culprits() {
    return counters("solidus.gateway.culprits", "reason");
  }

  /** The gateway's count of answers of each authority, by outcome. */
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

  /** Everything logged since the gateway has started. */
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
    world.close();
  }

  /** Every log line of this process with its exception's text. */
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
