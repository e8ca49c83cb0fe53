package io.solidus.dev.authorities.world;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.solidus.authority.common.facts.FactBook;
import io.solidus.authority.shard.ShardApplication;
import io.solidus.authority.shard.SplitApplication;
import io.solidus.authority.shard.range.RangeSplit;
import io.solidus.authority.signer.LogHolder;
import io.solidus.authority.signer.SignerApplication;
import io.solidus.authority.spend.Failpoints;
import io.solidus.dev.processes.Ports;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.TestSanctions;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import io.solidus.wire.v1.SignerServiceGrpc;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * The processes of authority 1, each a context that can be stopped and started: two shards, the
 * signer and a shard that may join.
 */
public final class Authority implements AutoCloseable {

  public static final int SHARDS = 2;

  /** The shard that is not on the first map. */
  public static final int JOINING = 2;

  private static final int INDEX = 1;
  private static final int SIGNER = JOINING + 1;
  private static final Duration HEARTBEAT_MAX_AGE = Duration.ofSeconds(60);

  private final TestCommittee keys;
  private final TestSanctions sanctions;
  private final PostgresServer postgres;
  private final String database;
  private final Path folder;
  private final Clock clock;
  private final SwitchableFailpoints failpoints = new SwitchableFailpoints();
  private final Map<String, String> approvers = new LinkedHashMap<>();
  private final Map<String, Object> overrides = new HashMap<>();
  private String registrationKey = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
  private final int[] ports = {Ports.next(), Ports.next(), Ports.next(), Ports.next()};
  private final ConfigurableApplicationContext[] contexts =
      new ConfigurableApplicationContext[SIGNER + 1];
  private final List<ManagedChannel> channels = new ArrayList<>();

  public Authority(
      TestCommittee keys,
      TestSanctions sanctions,
      PostgresServer postgres,
      String database,
      Path folder,
      Clock clock) {
    this.keys = keys;
    this.sanctions = sanctions;
    this.postgres = postgres;
    this.database = database;
    this.folder = folder;
    this.clock = clock;
    postgres.createDatabase(database);
    for (int port : ports) {
      channels.add(NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build());
    }
  }

  public Authority approver(String name, String publicKey) {
    approvers.put(name, publicKey);
    return this;
  }

  public Authority registrationKey(String publicKey) {
    registrationKey = publicKey;
    return this;
  }

  public Authority with(String property, Object value) {
    overrides.put(property, value);
    return this;
  }

  public SwitchableFailpoints failpoints() {
    return failpoints;
  }

  public static Predicate<SerialNumber> ownedBy(int shard) {
    return serial -> ownerOf(serial) == shard;
  }

  public static int ownerOf(SerialNumber serial) {
    return ShardMap.equal(SHARDS).owner(serial);
  }

  public boolean signerKnows(long policy, long checkpoint) {
    var facts = signerContext().getBean(FactBook.class).facts();
    return signerReady()
        && facts.policies().containsKey(policy)
        && facts.fresh(clock.instant(), HEARTBEAT_MAX_AGE)
        && facts.newestCheckpoint().filter(c -> c.version() == checkpoint).isPresent();
  }

  public boolean signerKnowsPolicy(long version) {
    return signerContext().getBean(FactBook.class).facts().policies().containsKey(version);
  }

  public boolean signerReady() {
    return signerContext().getBean(LogHolder.class).problem().isEmpty();
  }

  public Authority startAll() {
    startSigner();
    for (int i = 0; i < SHARDS; i++) {
      startShard(i);
    }
    return this;
  }

  public void startSigner() {
    Map<String, Object> p = common();
    p.put("spring.config.name", "solidus-signer");
    p.put("spring.grpc.server.port", ports[SIGNER]);
    p.put("solidus.network.id", keys.network().value());
    p.put("solidus.network.kind", keys.kind());
    p.put("solidus.signer.authority", INDEX);
    p.put("solidus.network.keys-dir", keys.keysDir());
    p.put("solidus.network.manifest-key", keys.manifestKeyBase64());
    p.put("solidus.network.allowed-key-classes", "development");
    p.put("solidus.signer.share-file", keys.shareFile(INDEX));
    p.put("solidus.signer.sign-log", signLog());
    p.put("solidus.signer.refresh-interval", "100ms");
    contexts[SIGNER] = start(SignerApplication.class, p);
  }

  public void startShard(int shard) {
    contexts[shard] = start(ShardApplication.class, shardProperties(shard));
  }

  /** Runs the command with the configuration of the shard that is split. */
  public RangeSplit.Result split(int shard, int newShard, String at) {
    Map<String, Object> p = shardProperties(shard);
    p.putAll(overrides);
    p.put("solidus.split.shard", shard);
    p.put("solidus.split.new-shard", newShard);
    p.put("solidus.split.at", at);
    return SplitApplication.run(p);
  }

  private Map<String, Object> shardProperties(int shard) {
    Map<String, Object> p = common();
    p.put("spring.config.name", "solidus-validator");
    p.put("spring.grpc.server.port", ports[shard]);
    p.put("spring.kafka.bootstrap-servers", "127.0.0.1:1");
    p.put("solidus.network.id", keys.network().value());
    p.put("solidus.network.kind", keys.kind());
    p.put("solidus.validator.authority", INDEX);
    p.put("solidus.validator.shard", shard);
    p.put("solidus.validator.initial-shards", SHARDS);
    for (int i = 0; i <= JOINING; i++) {
      p.put("solidus.validator.shards[" + i + "].index", i);
      p.put("solidus.validator.shards[" + i + "].address", "127.0.0.1:" + ports[i]);
    }
    p.put("solidus.validator.signer", "127.0.0.1:" + ports[SIGNER]);
    p.put("solidus.network.keys-dir", keys.keysDir());
    p.put("solidus.network.manifest-key", keys.manifestKeyBase64());
    p.put("solidus.network.allowed-key-classes", "development");
    p.put("solidus.validator.note-key-file", noteKeyFile());
    p.put("solidus.validator.sanctions-url", sanctions.url());
    p.put("solidus.validator.pull-interval", "100ms");
    p.put("solidus.validator.refresh-interval", "100ms");
    p.put("solidus.validator.kafka", "false");
    return p;
  }

  public void stopShard(int shard) {
    stop(shard);
  }

  public void stopSigner() {
    stop(SIGNER);
  }

  public ConfigurableApplicationContext shard(int shard) {
    return contexts[shard];
  }

  public ConfigurableApplicationContext signerContext() {
    return contexts[SIGNER];
  }

  public ManagedChannel shardChannel(int shard) {
    return channels.get(shard);
  }

  public ValidatorServiceGrpc.ValidatorServiceBlockingStub validator(int shard) {
    return ValidatorServiceGrpc.newBlockingStub(channels.get(shard))
        .withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  /** Without the authority's token, as an outsider has it. */
  public SignerServiceGrpc.SignerServiceBlockingStub signer() {
    return SignerServiceGrpc.newBlockingStub(channels.get(SIGNER))
        .withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  public Path signLog() {
    return folder.resolve("log").resolve("sign.log");
  }

  public String jdbcUrl() {
    return postgres.url(database);
  }

  @Override
  public void close() {
    for (int i = 0; i < contexts.length; i++) {
      stop(i);
    }
    channels.forEach(ManagedChannel::shutdownNow);
  }

  private void stop(int index) {
    ConfigurableApplicationContext context = contexts[index];
    if (context != null) {
      context.close();
    }
  }

  private Map<String, Object> common() {
    Map<String, Object> p = new LinkedHashMap<>();
    p.put("management.server.port", -1);
    p.put("spring.datasource.url", jdbcUrl());
    p.put("spring.datasource.hikari.connection-timeout", "2000");
    p.put("spring.grpc.server.shutdown.grace-period", "1s");
    p.put("spring.lifecycle.timeout-per-shutdown-phase", "3s");
    p.put("solidus.trust.policy", sanctions.policyKey());
    p.put("solidus.trust.sanctions", sanctions.sanctionKey());
    p.put("solidus.trust.registration", registrationKey);
    approvers.forEach((name, key) -> p.put("solidus.trust.approvers." + name, key));
    p.put("logging.level.org.apache.kafka", "off");
    p.put("logging.level.io.solidus.platform.outbox", "off");
    return p;
  }

  private ConfigurableApplicationContext start(
      Class<?> application, Map<String, Object> properties) {
    List<String> args = new ArrayList<>();
    properties.putAll(overrides);
    properties.forEach((key, value) -> args.add("--" + key + "=" + value));
    return new SpringApplicationBuilder(application)
        .registerShutdownHook(false)
        .initializers(context -> {
          GenericApplicationContext beans = (GenericApplicationContext) context;
          beans.registerBean(Clock.class, () -> clock);
          beans.registerBean(Failpoints.class, () -> failpoints);
        })
        .run(args.toArray(String[]::new));
  }

  private Path noteKeyFile() {
    Path file = folder.resolve("note-key");
    try {
      if (!Files.exists(file)) {
        Files.createDirectories(folder);
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(file, keys.noteKeySeed(INDEX));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }
}
