package io.solidus.loadtest.chaos.oracle;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.PartialSignature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the state of an authority from its database and files, with code that shares nothing with
 * the services.
 */
public final class AuthorityStateReader {

  private AuthorityStateReader() {}

  public static AuthorityState read(NetworkId network, AuthorityProcesses authority) {
    try (Connection connection = authority.database().connect(authority.databaseName());
        Statement statement = connection.createStatement()) {
      List<AuthorityState.Shard> shards = new ArrayList<>();
      for (int shard : shards(statement)) {
        shards.add(shard(statement, shard));
      }
      SignLogReader.Log log = SignLogReader.read(authority.signLog(), network, authority.index());
      return new AuthorityState(authority.index(), shards, log.entries(), log.whole());
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

  private static AuthorityState.Shard shard(Statement statement, int index) throws SQLException {
    String schema = "shard_" + index;
    Map<SerialNumber, TxCore> serials = new HashMap<>();
    try (ResultSet rows =
        statement.executeQuery("SELECT serial, core FROM " + schema + ".serials")) {
      while (rows.next()) {
        serials.put(SerialNumber.of(rows.getBytes(1)), TxCore.of(rows.getBytes(2)));
      }
    }
    Map<TxCore, Set<ByteString>> answers = new HashMap<>();
    try (ResultSet rows =
        statement.executeQuery(
            "SELECT core, reply FROM "
                + schema
                + ".cores WHERE reply IS NOT NULL UNION ALL SELECT core, later.reply FROM "
                + schema
                + ".later_answers later JOIN "
                + schema
                + ".cores USING (lead_serial)")) {
      while (rows.next()) {
        answers
            .computeIfAbsent(TxCore.of(rows.getBytes(1)), core -> new HashSet<>())
            .addAll(parts(rows.getBytes(2)));
      }
    }
    long counted = counted(statement, schema);
    try (ResultSet row =
        statement.executeQuery("SELECT lo, hi_exclusive, fenced FROM " + schema + ".ownership")) {
      if (!row.next()) {
        // the shard has not joined yet
        return new AuthorityState.Shard(
            index, FieldElement.ZERO, null, true, serials, answers, counted);
      }
      return new AuthorityState.Shard(
          index,
          FieldElement.of(row.getBytes(1)),
          elementOrNull(row.getBytes(2)),
          row.getBoolean(3),
          serials,
          answers,
          counted);
    }
  }

  /** A stored answer has one part for each epoch. */
  private static Set<ByteString> parts(byte[] stored) {
    try {
      PartialSignature answer = PartialSignature.parseFrom(stored);
      Set<ByteString> parts = new HashSet<>();
      parts.add(answer.toBuilder().clearFormer().build().toByteString());
      if (answer.hasFormer()) {
        parts.add(answer.getFormer().toByteString());
      }
      return parts;
    } catch (InvalidProtocolBufferException e) {
      return Set.of(ByteString.copyFrom(stored));
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
