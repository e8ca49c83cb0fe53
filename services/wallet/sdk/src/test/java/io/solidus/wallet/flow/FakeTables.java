package io.solidus.wallet.flow;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailQuery;
import io.solidus.protocol.MailReplica;
import io.solidus.protocol.MailState;
import io.solidus.protocol.MailTable;
import io.solidus.protocol.MailTableList;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;
import io.solidus.retrieval.QueryShare;
import io.solidus.retrieval.RetrievalTable;
import io.solidus.retrieval.RetrievalWindow;
import io.solidus.retrieval.TableTree;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.QueryEnvelope;
import io.solidus.wire.hpke.SealedMessage;
import io.solidus.wire.json.Base64Url;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The tables of a fake gateway's mailbox, and four replicas that sign lists and answer queries. */
final class FakeTables {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final List<HpkePrivateKey> shares = new ArrayList<>();
  private final List<NoteSigner> lists = new ArrayList<>();
  private final List<Closed> tables = new CopyOnWriteArrayList<>();
  private volatile MailTableList list = new MailTableList(1, new TreeMap<>());
  private volatile int cut;

  /** Authorities whose replicas do not answer. */
  final Set<Integer> down = ConcurrentHashMap.newKeySet();

  /** Lists close, and what was posted comes into none of their tables yet. */
  volatile boolean lags;

  /** How many replicas sign the newest list; below three there is none. */
  volatile int signers = 3;

  /** A list that the gateway goes on serving; null for the newest. */
  volatile @Nullable String withheld;

  /** The queries that came, as the buckets' times that their shares name. */
  final List<Long> queries = new CopyOnWriteArrayList<>();

  private record Closed(
      MailTable table, MailState before, List<byte[]> blobs, List<Long> numbers) {}

  FakeTables() {
    for (int i = 1; i <= TestCommittee.N; i++) {
      shares.add(HpkePrivateKey.generate(RANDOM));
      byte[] seed = new byte[32];
      seed[0] = (byte) i;
      lists.add(NoteSigner.fromSeed(CommitteeMember.replicaName(i), seed));
    }
  }

  /** The keys that the network's services would name. */
  List<MailReplica> keys() {
    List<MailReplica> keys = new ArrayList<>();
    for (int i = 0; i < lists.size(); i++) {
      keys.add(new MailReplica(shares.get(i).publicKey(), lists.get(i).publicKey().publicKey()));
    }
    return keys;
  }

  /** Closes the tables of what was posted since the last time, at the time of a clock. */
  void close(Clock clock, List<String> mailbox, Function<String, MailboxBucket> bucketOf) {
    long closed = Math.max(clock.instant().getEpochSecond(), list.closed() + 1);
    Map<MailboxBucket, Closed> open = new HashMap<>();
    Map<MailboxBucket, List<byte[]>> blobs = new HashMap<>();
    Map<MailboxBucket, List<Long>> numbers = new HashMap<>();
    int end = lags ? cut : mailbox.size();
    for (int i = cut; i < end; i++) {
      MailboxBucket bucket = bucketOf.apply(mailbox.get(i));
      blobs
          .computeIfAbsent(bucket, any -> new ArrayList<>())
          .add(Base64Url.decode(mailbox.get(i), "blob"));
      numbers.computeIfAbsent(bucket, any -> new ArrayList<>()).add((long) i + 1);
    }
    blobs.forEach((bucket, all) -> {
      ByteArrayOutputStream headers = new ByteArrayOutputStream();
      all.forEach(blob -> headers.write(blob, 0, MailTable.HEADER_BYTES));
      MailTable table =
          new MailTable(
              bucket,
              closed,
              numbers.get(bucket).getFirst(),
              all.size(),
              Digest32.sha256(headers.toByteArray()),
              TableTree.root(all));
      open.put(bucket, new Closed(table, list.state(bucket), all, numbers.get(bucket)));
    });
    tables.addAll(open.values());
    list = list.with(closed, open.values().stream().map(Closed::table).toList());
    cut = end;
  }

  /** The replicas were started anew for a mailbox that came back from a backup. */
  void forget() {
    tables.clear();
    list = new MailTableList(list.closed() + 1, new TreeMap<>());
    cut = 0;
  }

  String note() {
    String old = withheld;
    if (signers < TestCommittee.N - 1) {
      throw new ProtocolException(RejectionCode.NOT_FOUND, "no list is signed by enough");
    }
    return old != null
        ? old
        : SignedNote.sign(
                list.toNoteText(TestCommittee.NETWORK),
                lists.subList(0, signers).toArray(NoteSigner[]::new))
            .encode();
  }

  byte[] headers(MailboxBucket bucket, Map<String, Long> query) {
    List<Closed> shown = shown(bucket, query.get("after"), query.get("upto"));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    MailState before = shown.isEmpty() ? MailState.NONE : shown.getFirst().before();
    out.write(1);
    out.writeBytes(before.digest().bytes());
    out.writeBytes(
        ByteBuffer.allocate(16).putLong(before.closed()).putLong(query.get("upto")).array());
    for (Closed each : shown) {
      out.writeBytes(
          ByteBuffer.allocate(20)
              .putLong(each.table().closed())
              .putLong(each.table().first())
              .putInt(each.table().records())
              .array());
      out.writeBytes(each.table().root().bytes());
      each.blobs().forEach(blob -> out.write(blob, 0, MailTable.HEADER_BYTES));
    }
    return out.toByteArray();
  }

  byte[] records(MailboxBucket bucket, Map<String, Long> query) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(1);
    long left = query.get("limit");
    for (Closed each : shown(bucket, 0, query.get("upto"))) {
      for (int i = 0; i < each.blobs().size(); i++) {
        if (each.numbers().get(i) > query.get("after") && left > 0) {
          left--;
          out.writeBytes(ByteBuffer.allocate(8).putLong(each.numbers().get(i)).array());
          out.writeBytes(each.blobs().get(i));
        }
      }
    }
    return out.toByteArray();
  }

  private List<Closed> shown(MailboxBucket bucket, long after, long upto) {
    return tables.stream()
        .filter(each -> each.table().bucket().equals(bucket))
        .filter(each -> each.table().closed() > after && each.table().closed() <= upto)
        .toList();
  }

  Object query(JsonNode body) {
    List<Map<String, Object>> answers = new ArrayList<>();
    for (JsonNode share : body.path("shares")) {
      int authority = share.path("authority").asInt();
      if (down.contains(authority)) {
        answers.add(Map.of("authority", authority, "code", "unavailable"));
      } else {
        SealedMessage sealed =
            new SealedMessage(
                Base64Url.decode(share.path("encapsulatedKey").asString(), "encapsulatedKey"),
                Base64Url.decode(share.path("sealedShare").asString(), "sealedShare"));
        answers.add(
            Map.of(
                "authority",
                authority,
                "sealedAnswer",
                Base64Url.encode(answer(authority, sealed))));
      }
    }
    queries.add(list.closed());
    return Map.of("answers", answers);
  }

  private byte[] answer(int authority, SealedMessage sealed) {
    try (QueryEnvelope.Opened opened =
        QueryEnvelope.open(shares.get(authority - 1), TestCommittee.NETWORK, authority, sealed)) {
      MailQuery query = MailQuery.decode(opened.query());
      RetrievalWindow window =
          new RetrievalWindow(
              shown(query.bucket(), query.after(), query.upto()).stream()
                  .map(each -> new RetrievalTable(each.blobs()))
                  .toList());
      return opened.sealAnswer(window.answer(QueryShare.decode(query.share())), RANDOM);
    }
  }
}
