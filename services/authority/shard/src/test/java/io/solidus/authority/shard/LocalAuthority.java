package io.solidus.authority.shard;

import com.zaxxer.hikari.HikariDataSource;
import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.DurableTransactions;
import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.shard.range.RangeSplit;
import io.solidus.authority.shard.range.SplitPoint;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteKeys;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * All shards of authority 1 on a real database, and a client that finds the right shard as a
 * gateway does.
 */
final class LocalAuthority implements AutoCloseable {

  static final NetworkId NETWORK = new NetworkId("range-test");
  static final int FIRST_SHARDS = 2;
  private static final int ATTEMPTS = 40;

  final SignatureTap tap = new SignatureTap();
  final RandomTransfers transfers = new RandomTransfers(NETWORK);
  final JdbcClient jdbc;
  private final TestDatabase testDatabase = TestPostgres.newDatabase();
  private final HikariDataSource database;
  private final Map<Integer, LocalShard> shards = new ConcurrentHashMap<>();
  private volatile NoteSigner signer = signer(0);
  private volatile NoteKeys noteKeys = NoteKeys.of(signer.publicKey());
  private volatile ShardMap clientMap;

  LocalAuthority() {
    this.database = pool("public");
    AuthorityDatabase.open(database);
    this.jdbc = JdbcClient.create(database);
    for (int i = 0; i < FIRST_SHARDS; i++) {
      start(i);
    }
    clientMap = shard(0).ownership.ranges().map();
  }

  private static NoteSigner signer(int number) {
    byte[] seed = new byte[32];
    seed[0] = (byte) number;
    return NoteSigner.fromSeed(CommitteeMember.noteName(1), seed);
  }

  NoteSigner signer() {
    return signer;
  }

  NoteKeys noteKeys() {
    return noteKeys;
  }

  /** Restarts all shards with another note key; the former one still counts. */
  void changeNoteKey() {
    NoteKeys.Former former = new NoteKeys.Former(signer.publicKey(), Instant.MAX);
    signer = signer(1);
    noteKeys = new NoteKeys(signer.publicKey(), List.of(former));
    for (LocalShard shard : shards()) {
      shard.close();
      start(shard.number);
    }
  }

  HikariDataSource pool(String schema) {
    HikariDataSource pool = new HikariDataSource();
    pool.setDataSource(testDatabase.dataSource());
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

  RangeSplit split(RangeSplit.Observer observer) {
    return new RangeSplit(
        database,
        only -> new DurableTransactions(only, 0, Duration.ofSeconds(5)),
        NETWORK,
        1,
        signer,
        shards::containsKey,
        observer);
  }

  RangeSplit.Result split(int shard, RangeSplit.Observer observer) {
    return split(observer).run(shard, newestMap().shards(), new SplitPoint.Middle());
  }

  RangeSplit.Result split(int shard) {
    return split(shard, new RangeSplit.Observer() {});
  }

  SpendRequest<Transfer> request() {
    return request(transfers.next());
  }

  SpendRequest<Transfer> request(TransferRequest request) {
    return new SpendRequest<>(
        request.statement().core(NETWORK),
        request.statement().serials(),
        Transfer.of(request, Codecs.toWire(request)));
  }

  /** One outcome for each. A request of a range that moved is sent on, as by a gateway. */
  List<Outcome<PartialSignature>> submit(List<SpendRequest<Transfer>> requests) {
    Map<TxCore, Outcome<PartialSignature>> outcomes = new ConcurrentHashMap<>();
    List<SpendRequest<Transfer>> left = requests;
    for (int i = 0; i < ATTEMPTS && !left.isEmpty(); i++) {
      attempt(left, outcomes);
      left = left.stream().filter(s -> isMoved(of(s, outcomes))).toList();
    }
    return requests.stream().map(s -> of(s, outcomes)).toList();
  }

  Outcome<PartialSignature> submit(SpendRequest<Transfer> request) {
    return submit(List.of(request)).getFirst();
  }

  private void attempt(
      List<SpendRequest<Transfer>> requests, Map<TxCore, Outcome<PartialSignature>> outcomes) {
    ShardMap map = clientMap;
    Map<Integer, List<SpendRequest<Transfer>>> byOwner = new TreeMap<>();
    requests.forEach(
        s -> byOwner.computeIfAbsent(map.owner(s.lead()), k -> new ArrayList<>()).add(s));
    byOwner.forEach((owner, sent) -> {
      LocalShard shard = shard(owner);
      shard.pipeline.run(sent, (i, outcome) -> outcomes.put(sent.get(i).core(), outcome));
      if (sent.stream().anyMatch(s -> isMoved(of(s, outcomes)))) {
        learn(shard.ownership.mapNote());
      }
    });
  }

  private static Outcome<PartialSignature> of(
      SpendRequest<Transfer> request, Map<TxCore, Outcome<PartialSignature>> outcomes) {
    return Objects.requireNonNull(outcomes.get(request.core()));
  }

  private synchronized void learn(String note) {
    ShardMap offered = ShardMap.signed(NETWORK, 1, noteKeys, note, Instant.now());
    if (offered.version() > clientMap.version()) {
      clientMap = offered;
    }
  }

  static boolean isMoved(Outcome<?> outcome) {
    return hasCode(outcome, RejectionCode.SHARD_MOVED);
  }

  static boolean hasCode(Outcome<?> outcome, RejectionCode code) {
    return outcome instanceof Outcome.Failed<?> failed
        && failed.reason() instanceof ProtocolException rejection
        && rejection.code() == code;
  }

  @Override
  public void close() {
    shards.values().forEach(LocalShard::close);
    database.close();
  }
}
