package io.solidus.wallet.mailbox;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailQuery;
import io.solidus.protocol.MailReplica;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.retrieval.RetrievalQuery;
import io.solidus.retrieval.RetrievalWindow;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.MailPlace;
import io.solidus.wire.hpke.HpkeException;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.QueryEnvelope;
import io.solidus.wire.hpke.SealedMessage;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Asks f+1 authorities, drawn at random for each query, for one message of a window of tables: the
 * oldest that waits, or a random one. What the others see depends on the window and on how many
 * queries were wanted, and on nothing else.
 */
final class PrivateQueries {
  private final NetworkId network;
  private final int servers;
  private final List<MailReplica> replicas;
  private final MailboxBucket bucket;
  private final ParcelCipher parcels;
  private final HpkePrivateKey key;
  private final SecureRandom random;

  /**
   * Tables that a query is for.
   *
   * @param after they closed later than this
   * @param upto and not later than this
   * @param state digest of the bucket's state after the last of them
   * @param tables the oldest first; at least one
   */
  record Window(long after, long upto, Digest32 state, List<MailPlace.Table> tables) {
    Window {
      tables = List.copyOf(tables);
      if (tables.isEmpty()) {
        throw new IllegalArgumentException("a query is for at least one table");
      }
    }
  }

  /**
   * What queries brought.
   *
   * @param left what waits still
   * @param blobs messages that waited
   * @param answered queries that all of their authorities answered
   */
  record Asked(List<MailPlace.Waiting> left, List<byte[]> blobs, int answered) {
    Asked {
      left = List.copyOf(left);
      blobs = List.copyOf(blobs);
    }
  }

  /**
   * @param servers f+1, of the authorities that a query asks
   * @param replicas of all authorities, in their order
   */
  PrivateQueries(
      NetworkId network,
      int servers,
      List<MailReplica> replicas,
      MailboxBucket bucket,
      HpkePrivateKey key,
      SecureRandom random) {
    this.network = network;
    this.servers = servers;
    this.replicas = List.copyOf(replicas);
    this.bucket = bucket;
    this.parcels = new ParcelCipher(network);
    this.key = key;
    this.random = random;
  }

  /**
   * Makes so many queries. What a query brought is looked at in the same way whether or not
   * something waited for it.
   *
   * @param mayFail how many may have no answer; behind one more, no further query is made
   * @param posted SHA-256 of what the wallet posted, by that of its header
   */
  Asked ask(
      MailServer server,
      Window window,
      List<MailPlace.Waiting> wanted,
      int queries,
      int mayFail,
      Map<Digest32, Digest32> posted) {
    List<MailPlace.Waiting> waiting = new ArrayList<>(wanted);
    List<byte[]> read = new ArrayList<>();
    int answered = 0;
    for (int i = 0; i < queries && i - answered <= mayFail; i++) {
      Optional<MailPlace.Waiting> oldest = waiting.stream().findFirst();
      Optional<byte[]> blob = ask(server, window, oldest.orElseGet(() -> any(window)));
      boolean right = blob.filter(body -> isRight(body, posted)).isPresent();
      answered += blob.isPresent() ? 1 : 0;
      if (oldest.isPresent()) {
        waiting.removeFirst();
        if (right && MailPlace.header(blob.get()).equals(oldest.get().header())) {
          read.add(blob.get());
        } else {
          waiting.add(oldest.get()); // after the others: it may be no message of this wallet
        }
      }
    }
    return new Asked(waiting, read, answered);
  }

  /** Whether a body is sealed to this wallet, or is what the wallet posted. */
  private boolean isRight(byte[] blob, Map<Digest32, Digest32> posted) {
    boolean own = parcels.open(key, blob).isPresent();
    Digest32 sent = posted.get(MailPlace.header(blob));
    return own || (sent != null && sent.equals(Digest32.sha256(blob)));
  }

  private MailPlace.Waiting any(Window window) {
    int record =
        random.nextInt(
            window.tables().stream().mapToInt(MailPlace.Table::records).reduce(0, Math::addExact));
    for (MailPlace.Table table : window.tables()) {
      if (record < table.records()) {
        return new MailPlace.Waiting(table.closed(), record, Digest32.sha256());
      }
      record -= table.records();
    }
    throw new IllegalStateException("a random record is of some table");
  }

  /** One query; empty when an answer is missing, which shows nothing of the record. */
  private Optional<byte[]> ask(MailServer server, Window window, MailPlace.Waiting wanted) {
    List<Integer> records = window.tables().stream().map(MailPlace.Table::records).toList();
    int table = 0;
    while (window.tables().get(table).closed() != wanted.closed()) {
      table++;
    }
    RetrievalQuery query =
        RetrievalQuery.of(
            RetrievalWindow.place(records, table, wanted.record()),
            RetrievalWindow.size(records),
            servers,
            random);
    List<Integer> drawn =
        new ArrayList<>(IntStream.rangeClosed(1, replicas.size()).boxed().toList());
    Collections.shuffle(drawn, random);
    Map<Integer, QueryEnvelope.Asked> asked = new LinkedHashMap<>();
    Map<Integer, SealedMessage> shares = new LinkedHashMap<>();
    for (int i = 0; i < servers; i++) {
      int authority = drawn.get(i);
      MailQuery share =
          new MailQuery(
              bucket,
              window.after(),
              window.upto(),
              window.state(),
              query.shares().get(i).encode());
      QueryEnvelope.Asked sealed =
          QueryEnvelope.seal(replicas.get(authority - 1).shares(), network, authority, share);
      asked.put(authority, sealed);
      shares.put(authority, sealed.message());
    }
    try {
      Map<Integer, byte[]> answers = server.query(shares);
      List<byte[]> opened = new ArrayList<>();
      for (Map.Entry<Integer, QueryEnvelope.Asked> each : asked.entrySet()) {
        byte[] answer = answers.get(each.getKey());
        if (answer == null) {
          return Optional.empty();
        }
        opened.add(each.getValue().openAnswer(answer));
      }
      return Optional.of(query.combine(opened, ParcelCipher.BLOB_BYTES));
    } catch (HpkeException | ProtocolException | WalletException e) {
      return Optional.empty();
    } finally {
      asked.values().forEach(QueryEnvelope.Asked::close);
    }
  }
}
