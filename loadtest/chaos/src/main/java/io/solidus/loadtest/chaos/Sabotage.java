package io.solidus.loadtest.chaos;

import io.solidus.dev.processes.AuthorityProcesses;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;

/**
 * Breaks an invariant on purpose after the last process has stopped, in the data that a defect
 * would have damaged. The checks of such a run must report a violation; otherwise they are
 * worthless.
 */
public enum Sabotage {
  /** Deletes a signature that left the authority from its tables. */
  FORGET_ANSWER("forget-answer"),
  /** Deletes a reserved serial number, so that it could be signed for again. */
  FORGET_SERIAL("forget-serial"),
  /** Changes the core for which a serial number is held. */
  CHANGE_CORE("change-core"),
  /** Cuts the last byte off the sign-log. */
  CUT_LOG("cut-log"),
  /** Adds an event that is marked as published and never reached Kafka. */
  INVENT_EVENT("invent-event");

  private static final String A_SERIAL =
      "(SELECT serial FROM shard_0.serials ORDER BY serial LIMIT 1)";

  private final String label;

  Sabotage(String label) {
    this.label = label;
  }

  public static Sabotage of(String label) {
    return Arrays.stream(values())
        .filter(each -> each.label.equals(label))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException("no such sabotage: " + label + "; there are " + labels()));
  }

  public static List<String> labels() {
    return Arrays.stream(values()).map(each -> each.label).toList();
  }

  /** Breaks the state of an authority whose processes have stopped. */
  public void commit(AuthorityProcesses authority) {
    switch (this) {
      case FORGET_ANSWER ->
          run(
              authority,
              "DELETE FROM shard_0.cores WHERE core ="
                  + " (SELECT core FROM shard_0.cores WHERE reply IS NOT NULL ORDER BY core LIMIT 1)");
      case FORGET_SERIAL ->
          run(authority, "DELETE FROM shard_0.serials WHERE serial = " + A_SERIAL);
      case CHANGE_CORE ->
          run(
              authority,
              "UPDATE shard_0.serials SET core = sha256(core) WHERE serial = " + A_SERIAL);
      case CUT_LOG -> cut(authority);
      case INVENT_EVENT ->
          run(
              authority,
              "INSERT INTO shard_0.outbox (event_id, topic, message_key, payload, published_at)"
                  + " SELECT gen_random_uuid(), topic, message_key, payload, now() FROM shard_0.outbox LIMIT 1");
    }
  }

  @Override
  public String toString() {
    return label;
  }

  private static void run(AuthorityProcesses authority, String sql) {
    authority
        .database()
        .execute(authority.databaseName(), "SET session_replication_role = replica; " + sql);
  }

  private static void cut(AuthorityProcesses authority) {
    try (RandomAccessFile log = new RandomAccessFile(authority.signLog().toFile(), "rw")) {
      log.setLength(log.length() - 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
