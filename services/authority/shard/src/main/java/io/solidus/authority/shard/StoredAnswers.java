package io.solidus.authority.shard;

import com.google.protobuf.InvalidProtocolBufferException;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.SpendStore.Stored;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.PartialSignature;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Runs the statements of {@link CoreStore} and {@link RecoverStore} over requests and answers. The
 * tables differ, the parameters and columns are the same.
 */
final class StoredAnswers {

  private static final Comparator<TxCore> BY_BYTES =
      (a, b) -> Arrays.compareUnsigned(a.bytes(), b.bytes());

  private final JdbcClient jdbc;
  private final int epoch;
  private final Clock clock;

  /**
   * Makes the statements of one store.
   *
   * @param epoch of this authority's shares
   */
  StoredAnswers(JdbcClient jdbc, int epoch, Clock clock) {
    this.jdbc = jdbc;
    this.epoch = epoch;
    this.clock = clock;
  }

  /**
   * Reads answers.
   *
   * @param sql takes {@code :cores}, returns core, reply and share_epoch
   */
  Map<TxCore, Stored<PartialSignature>> of(Collection<TxCore> cores, String sql) {
    Map<TxCore, Stored<PartialSignature>> found = new HashMap<>();
    jdbc.sql(sql)
        .param("cores", bytes(cores))
        .query(rs -> {
          found.put(
              TxCore.of(rs.getBytes(1)),
              new Stored<>(answer(rs.getBytes(2)), rs.getInt(3) >= epoch));
        });
    return found;
  }

  /**
   * Inserts answers in the caller's transaction.
   *
   * @param sql takes {@code :cores}, {@code :replies}, {@code :epochs} and the time {@code :at},
   *     returns the cores whose answer was stored
   */
  Set<TxCore> put(Map<TxCore, PartialSignature> answers, String sql) {
    SortedMap<TxCore, PartialSignature> sorted = new TreeMap<>(BY_BYTES);
    sorted.putAll(answers);
    Set<TxCore> stored = new HashSet<>();
    jdbc.sql(sql)
        .param("cores", bytes(sorted.keySet()))
        .param(
            "replies",
            sorted.values().stream().map(PartialSignature::toByteArray).toArray(byte[][]::new))
        .param(
            "epochs", sorted.values().stream().mapToInt(PartialSignature::getShareEpoch).toArray())
        .param("at", clock.instant().atOffset(ZoneOffset.UTC))
        .query(rs -> {
          stored.add(TxCore.of(rs.getBytes(1)));
        });
    return stored;
  }

  /**
   * Inserts requests in the caller's transaction.
   *
   * @param sql takes {@code :cores}, {@code :families}, {@code :leads} and {@code :requests}, or
   *     some of them
   */
  <R extends SubmittedRequest> void putRequests(Collection<SpendRequest<R>> requests, String sql) {
    // ascending, so that overlapping batches wait for each other instead of deadlocking
    List<SpendRequest<R>> sorted =
        requests.stream().sorted(Comparator.comparing(SpendRequest::core, BY_BYTES)).toList();
    short[] families = new short[sorted.size()];
    for (int i = 0; i < families.length; i++) {
      families[i] = (short) sorted.get(i).content().family().code();
    }
    jdbc.sql(sql)
        .param("cores", bytes(sorted.stream().map(SpendRequest::core).toList()))
        .param("families", families)
        .param("leads", sorted.stream().map(s -> s.lead().bytes()).toArray(byte[][]::new))
        .param(
            "requests",
            sorted.stream().map(s -> s.content().message().toByteArray()).toArray(byte[][]::new))
        .update();
  }

  static PartialSignature answer(byte[] reply) {
    try {
      return PartialSignature.parseFrom(reply);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored answer cannot be parsed", e);
    }
  }

  private static byte[][] bytes(Collection<TxCore> cores) {
    return cores.stream().map(TxCore::bytes).toArray(byte[][]::new);
  }
}
