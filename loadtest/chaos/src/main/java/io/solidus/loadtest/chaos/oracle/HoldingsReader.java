package io.solidus.loadtest.chaos.oracle;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what an authority keeps behind its back, with code of its own: what is judged must not be
 * asked.
 */
public final class HoldingsReader {

  private HoldingsReader() {}

  public static Holdings read(NetworkId network, AuthorityProcesses authority) {
    try (Connection connection = authority.database().connect(authority.databaseName());
        Statement statement = connection.createStatement()) {
      List<Holdings.Shard> shards = new ArrayList<>();
      for (int shard : shards(statement)) {
        shards.add(shard(statement, shard));
      }
      SignLogReader.Log log = SignLogReader.read(authority.signLog(), network, authority.index());
      return new Holdings(authority.index(), shards, log.entries(), log.whole());
    } catch (SQLException e) {
      throw new IllegalStateException(
          "the database of authority " + authority.index() + " cannot be read", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The numbers of the shards that have tables. */
  static List<Integer> shards(Statement statement) throws SQLException {
    List<Integer> shards = new ArrayList<>();
    try (ResultSet rows =
        statement.executeQuery(
            "SELECT schemaname FROM pg_tables WHERE tablename = 'serials' AND schemaname ~ '^shard_[0-9]+$' ORDER BY 1")) {
      while (rows.next()) {
        shards.add(Integer.valueOf(rows.getString(1).substring("shard_".length())));
      }
    }
    return shards;
  }

  private static Holdings.Shard shard(Statement statement, int index) throws SQLException {
    String schema = "shard_" + index;
    Map<SerialNumber, TxCore> serials = new HashMap<>();
    try (ResultSet rows =
        statement.executeQuery("SELECT serial, core FROM " + schema + ".serials")) {
      while (rows.next()) {
        serials.put(SerialNumber.of(rows.getBytes(1)), TxCore.of(rows.getBytes(2)));
      }
    }
    Map<TxCore, byte[]> answers = new HashMap<>();
    try (ResultSet rows =
        statement.executeQuery(
            "SELECT core, reply FROM " + schema + ".cores WHERE reply IS NOT NULL")) {
      while (rows.next()) {
        answers.put(TxCore.of(rows.getBytes(1)), rows.getBytes(2));
      }
    }
    long counted = counted(statement, schema);
    try (ResultSet row =
        statement.executeQuery("SELECT lo, hi_exclusive, fenced FROM " + schema + ".ownership")) {
      if (!row.next()) {
        // it has not joined yet
        return new Holdings.Shard(index, FieldElement.ZERO, null, true, serials, answers, counted);
      }
      return new Holdings.Shard(
          index,
          FieldElement.of(row.getBytes(1)),
          elementOrNull(row.getBytes(2)),
          row.getBoolean(3),
          serials,
          answers,
          counted);
    }
  }

  private static long counted(Statement statement, String schema) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            "SELECT (SELECT signed FROM "
                + schema
                + ".signed_total)"
                + " + (SELECT coalesce(sum(answers), 0) FROM "
                + schema
                + ".uncounted_batches)"
                + " + (SELECT count(*) FROM "
                + schema
                + ".uncounted)")) {
      row.next();
      return row.getLong(1);
    }
  }

  private static @Nullable FieldElement elementOrNull(byte @Nullable [] bytes) {
    return bytes == null ? null : FieldElement.of(bytes);
  }
}
