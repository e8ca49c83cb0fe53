package io.solidus.loadtest.chaos.oracle;

import com.google.protobuf.ByteString;
import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Cluster;
import io.solidus.loadtest.chaos.load.SignatureTap;
import io.solidus.protocol.TxCore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Checks during a run whether the tables hold the signatures seen since the last check. */
public final class StoredSignatures {

  private final Cluster cluster;
  private final SignatureTap tap;
  private int looked;

  public StoredSignatures(Cluster cluster, SignatureTap tap) {
    this.cluster = cluster;
    this.tap = tap;
  }

  /** Returns a line for each new signature that its authority's tables do not hold. */
  public List<String> missing() {
    List<SignatureTap.Signed> fresh = tap.after(looked);
    looked += fresh.size();
    Map<Integer, List<SignatureTap.Signed>> byAuthority = new TreeMap<>();
    fresh.forEach(signed ->
        byAuthority.computeIfAbsent(signed.authority(), a -> new ArrayList<>()).add(signed));
    List<String> missing = new ArrayList<>();
    byAuthority.forEach(
        (authority, signed) -> missing.addAll(missing(cluster.authority(authority), signed)));
    return missing;
  }

  private static List<String> missing(
      AuthorityProcesses authority, List<SignatureTap.Signed> signed) {
    Map<TxCore, ByteString> stored = stored(authority, signed);
    return signed.stream()
        .filter(each -> !each.bytes().equals(stored.get(each.core())))
        .map(each ->
            "authority "
                + authority.index()
                + " signed "
                + each.core()
                + " and does not hold these bytes")
        .toList();
  }

  private static Map<TxCore, ByteString> stored(
      AuthorityProcesses authority, List<SignatureTap.Signed> signed) {
    byte[][] cores = signed.stream().map(each -> each.core().bytes()).toArray(byte[][]::new);
    Map<TxCore, ByteString> stored = new HashMap<>();
    try (Connection connection = authority.database().connect(authority.databaseName());
        Statement statement = connection.createStatement()) {
      for (int shard : AuthorityStateReader.shards(statement)) {
        try (PreparedStatement query =
            connection.prepareStatement(
                "SELECT core, reply FROM shard_"
                    + shard
                    + ".cores WHERE core = ANY(?) AND reply IS NOT NULL")) {
          query.setArray(1, connection.createArrayOf("bytea", cores));
          try (ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
              stored.put(TxCore.of(rows.getBytes(1)), ByteString.copyFrom(rows.getBytes(2)));
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
