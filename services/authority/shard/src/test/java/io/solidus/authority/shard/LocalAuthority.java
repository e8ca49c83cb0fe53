package io.solidus.authority.shard;

import com.zaxxer.hikari.HikariDataSource;
import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.DurableTransactions;
import io.solidus.authority.shard.Submitted.Transfer;
import io.solidus.authority.shard.range.Cut;
import io.solidus.authority.shard.range.RangeSplit;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Spend;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.PartialSignature;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * All shards of authority 1 on a real database, and a client who finds the right one as a gateway
 * does.
 */
final class LocalAuthority implements AutoCloseable {

  static final NetworkId NETWORK = new NetworkId("range-test");
  static final int FIRST_SHARDS = 2;
  private static final int ATTEMPTS = 40;

  final NoteSigner signer = NoteSigner.fromSeed(CommitteeMember.noteName(1), new byte[32]);
  final SignatureTap tap = new SignatureTap();
  final RandomTransfers transfers = new RandomTransfers(NETWORK);
  final JdbcClient jdbc;
  private final PostgresServer postgres;
  private final String name;
  private final HikariDataSource database;
  private final Map<Integer, LocalShard> shards = new ConcurrentHashMap<>();
  private final AtomicReference<ShardMap> clientMap = new AtomicReference<>();

  LocalAuthority(PostgresServer postgres, String name) {
    this.postgres = postgres;
    this.name = name;
    postgres.createDatabase(name);
    this.database = pool("public");
    AuthorityDatabase.open(database);
    this.jdbc = JdbcClient.create(database);
    for (int i = 0; i < FIRST_SHARDS; i++) {
      start(i);
    }
    clientMap.set(shard(0).ownership.ranges().map());
  }

  HikariDataSource pool(String schema) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(postgres.url(name));
    pool.setSchema(schema);
    pool.setMaximumPoolSize(8);
    pool.setMinimumIdle(1);
    return pool;
  }

  void start(int shard) {
    shards.put(shard, new LocalShard(this, shard));
  }

  LocalShard shard(int number) {
    LocalShard shard = shards.get(number);
    if (shard == null) {
      throw new IllegalStateException("shard " + number + " is not running");
    }
    return shard;
  }

  List<LocalShard> shards() {
    return List.copyOf(new TreeMap<>(shards).values());
  }

  ShardMap newestMap() {
    LocalShard any = shard(0);
    any.ownership.refresh();
    return any.ownership.ranges().map();
  }

  LocalShard ownerOf(SerialNumber serial) {
    return shard(newestMap().owner(serial));
  }

  RangeSplit split(RangeSplit.Watcher watcher) {
    return new RangeSplit(
        database,
        only -> new DurableTransactions(only, 0, Duration.ofSeconds(5)),
        NETWORK,
        1,
        signer,
        shards::containsKey,
        watcher);
  }

  RangeSplit.Result split(int shard, RangeSplit.Watcher watcher) {
    return split(watcher).run(shard, newestMap().shards(), new Cut.Middle());
  }

  RangeSplit.Result split(int shard) {
    return split(shard, new RangeSplit.Watcher() {});
  }

  Spend<Transfer> spend() {
    return spend(transfers.next());
  }

  Spend<Transfer> spend(TransferRequest request) {
    return new Spend<>(
        request.statement().core(NETWORK),
        request.statement().serials(),
        Transfer.of(request, Codecs.toWire(request)));
  }

  /** One outcome for each; a shard that moved on is followed, as a gateway follows it. */
  List<Outcome<PartialSignature>> submit(List<Spend<Transfer>> spends) {
    Map<TxCore, Outcome<PartialSignature>> outcomes = new ConcurrentHashMap<>();
    List<Spend<Transfer>> left = spends;
    for (int i = 0; i < ATTEMPTS && !left.isEmpty(); i++) {
      attempt(left, outcomes);
      left = left.stream().filter(s -> isMoved(outcomes.get(s.core()))).toList();
    }
    return spends.stream().map(s -> outcomes.get(s.core())).toList();
  }

  Outcome<PartialSignature> submit(Spend<Transfer> spend) {
    return submit(List.of(spend)).getFirst();
  }

  private void attempt(
      List<Spend<Transfer>> spends, Map<TxCore, Outcome<PartialSignature>> outcomes) {
    ShardMap map = clientMap.get();
    Map<Integer, List<Spend<Transfer>>> byOwner = new TreeMap<>();
    spends.forEach(
        s -> byOwner.computeIfAbsent(map.owner(s.lead()), k -> new ArrayList<>()).add(s));
    byOwner.forEach((owner, asked) -> {
      LocalShard shard = shard(owner);
      shard.submissions.run(asked, (i, outcome) -> outcomes.put(asked.get(i).core(), outcome));
      if (asked.stream().anyMatch(s -> isMoved(outcomes.get(s.core())))) {
        learn(shard.ownership.mapNote());
      }
    });
  }

  private void learn(String note) {
    ShardMap offered = ShardMap.signed(NETWORK, 1, signer.publicKey(), note);
    clientMap.accumulateAndGet(
        offered, (known, other) -> other.version() > known.version() ? other : known);
  }

  static boolean isMoved(Outcome<?> outcome) {
    return hasCode(outcome, RejectionCode.SHARD_MOVED);
  }

  static boolean hasCode(Outcome<?> outcome, RejectionCode code) {
    return outcome instanceof Outcome.Failed<?> failed
        && failed.reason() instanceof ProtocolException refusal
        && refusal.code() == code;
  }

  @Override
  public void close() {
    shards.values().forEach(LocalShard::close);
    database.close();
  }
}
