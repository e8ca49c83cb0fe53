package io.solidus.authority.shard;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.solidus.protocol.Family;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.RecoverRequest;
import io.solidus.wire.v1.StoredRequest;
import io.solidus.wire.v1.TransferRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Finds the request of a core in the schemas of all shards of this authority: the shard that
 * refuses a serial number need not be the one that coordinates the core that holds it.
 */
class HolderRequests {

  private static final String SCHEMAS =
      """
      SELECT schemaname FROM pg_catalog.pg_tables
      WHERE tablename = :table AND schemaname ~ '^shard_[0-9]+$' ORDER BY schemaname
      """;

  private final JdbcClient jdbc;

  HolderRequests(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** The core, with its request and newest answer where this authority has them. */
  StoredRequest of(TxCore core) {
    return first("recovers", HolderRequests::recover, core)
        .or(() -> first("cores", HolderRequests::transfer, core))
        .orElseGet(() -> bare(core).build());
  }

  /** The message for a stored row. */
  static StoredRequest message(CoreStore.Row row) {
    StoredRequest.Builder stored = bare(row.core());
    try {
      if (row.family() == Family.RECOVER) {
        stored.setRecover(RecoverRequest.parseFrom(row.request()));
      } else if (row.family().isTransfer()) {
        stored.setTransfer(TransferRequest.parseFrom(row.request()));
      }
      ByteString reply = row.reply();
      if (reply != null) {
        stored.setSigned(PartialSignature.parseFrom(reply));
      }
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored message cannot be parsed", e);
    }
    return stored.build();
  }

  private static StoredRequest.Builder bare(TxCore core) {
    return StoredRequest.newBuilder().setCore(ByteString.copyFrom(core.bytes()));
  }

  /** A query of one schema for the columns family, request, reply and share epoch. */
  @FunctionalInterface
  private interface Query {
    String in(String schema);
  }

  private Optional<StoredRequest> first(String table, Query query, TxCore core) {
    List<String> schemas = jdbc.sql(SCHEMAS).param("table", table).query(String.class).list();
    if (schemas.isEmpty()) {
      return Optional.empty();
    }
    String all = schemas.stream().map(query::in).collect(Collectors.joining(" UNION ALL "));
    return jdbc.sql(
            "SELECT family, request, reply FROM ("
                + all
                + ") AS stored ORDER BY share_epoch DESC NULLS LAST LIMIT 1")
        .param("core", core.bytes())
        .query((rs, row) -> {
          byte @Nullable [] reply = rs.getBytes(3);
          return message(
              new CoreStore.Row(
                  core,
                  Family.of(rs.getInt(1)),
                  ByteString.copyFrom(rs.getBytes(2)),
                  reply == null ? null : ByteString.copyFrom(reply)));
        })
        .optional();
  }

  private static String recover(String schema) {
    return """
    (SELECT 5 AS family, request, reply, share_epoch
     FROM %1$s.recovers LEFT JOIN %1$s.recover_answers USING (core)
     WHERE core = :core ORDER BY share_epoch DESC NULLS LAST LIMIT 1)
    """
        .formatted(schema);
  }

  private static String transfer(String schema) {
    return "SELECT family, request, reply, share_epoch FROM %s.cores WHERE core = :core"
        .formatted(schema);
  }
}
