package io.solidus.loadtest.chaos.oracle;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Cluster;
import io.solidus.loadtest.chaos.load.Tap;
import io.solidus.protocol.TxCore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Looks up, while the run is on, whether signatures that were seen since the last look are in the
 * tables: not yet the verdict.
 */
public final class StoredAnswers {

  private final Cluster cluster;
  private final Tap tap;
  private int looked;

  public StoredAnswers(Cluster cluster, Tap tap) {
    this.cluster = cluster;
    this.tap = tap;
  }

  /**
   * @return a line for each signature that its authority does not hold
   */
  public List<String> missing() {
    List<Tap.Signed> fresh = tap.after(looked);
    looked += fresh.size();
    Map<Integer, List<Tap.Signed>> byAuthority = new TreeMap<>();
    fresh.forEach(signed ->
        byAuthority.computeIfAbsent(signed.authority(), a -> new ArrayList<>()).add(signed));
    List<String> missing = new ArrayList<>();
    byAuthority.forEach(
        (authority, signed) -> missing.addAll(missing(cluster.authority(authority), signed)));
    return missing;
  }

  private static List<String> missing(AuthorityProcesses authority, List<Tap.Signed> signed) {
    Map<TxCore, byte[]> stored = stored(authority, signed);
    return signed.stream()
        .filter(each -> !Arrays.equals(each.bytes(), stored.get(each.core())))
        .map(each ->
            "authority "
                + authority.index()
                + " signed "
                + each.core()
                + " and does not hold these bytes")
        .toList();
  }

  private static Map<TxCore, byte[]> stored(AuthorityProcesses authority, List<Tap.Signed> signed) {
    byte[][] cores = signed.stream().map(each -> each.core().bytes()).toArray(byte[][]::new);
    Map<TxCore, byte[]> stored = new HashMap<>();
    try (Connection connection = authority.database().connect(authority.databaseName());
        Statement statement = connection.createStatement()) {
      for (int shard : HoldingsReader.shards(statement)) {
        try (PreparedStatement query =
            connection.prepareStatement(
                "SELECT core, reply FROM shard_"
                    + shard
                    + ".cores WHERE core = ANY(?) AND reply IS NOT NULL")) {
          query.setArray(1, connection.createArrayOf("bytea", cores));
          try (ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
              stored.put(TxCore.of(rows.getBytes(1)), rows.getBytes(2));
            }
          }
        }
      }
      return stored;
    } catch (SQLException e) {
      throw new IllegalStateException(
          "the tables of authority " + authority.index() + " cannot be read", e);
    }
  }
}
