package io.solidus.dev.testkit;

import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.BaseBackup;
import io.solidus.dev.processes.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A primary and a hot standby that streams from it, both durable. The primary acknowledges a commit
 * when the standby has flushed it, until a test changes that.
 */
public final class PrimaryAndStandby implements AutoCloseable {
  private static final String STANDBY = "standby";
  private static final Map<String, String> SETTINGS =
      Map.of(
          "shared_buffers",
          "32MB",
          "wal_keep_size",
          "256MB",
          "wal_retrieve_retry_interval",
          "200ms",
          "wal_receiver_status_interval",
          "1s");

  private final PostgresServer primary;
  private final PostgresServer standby;

  private PrimaryAndStandby(PostgresServer primary, PostgresServer standby) {
    this.primary = primary;
    this.standby = standby;
  }

  /** Starts both servers with their data directories and logs in a folder. */
  public static PrimaryAndStandby start(Path folder) {
    PostgresServer primary = PostgresServer.start(folder.resolve("primary"), SETTINGS);
    Path copy = folder.resolve(STANDBY);
    BaseBackup.take(primary, copy, false);
    try {
      Files.createFile(copy.resolve("standby.signal"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, String> settings = new HashMap<>(SETTINGS);
    settings.put(
        "primary_conninfo",
        "host=127.0.0.1 port="
            + primary.port()
            + " user="
            + PostgresServer.USER
            + " application_name="
            + STANDBY);
    PrimaryAndStandby pair = new PrimaryAndStandby(primary, PostgresServer.start(copy, settings));
    pair.waitForStandby(true);
    pair.awaitStreaming();
    return pair;
  }

  public PostgresServer primary() {
    return primary;
  }

  public PostgresServer standby() {
    return standby;
  }

  /** Sets whether commits of the primary wait for the standby; a careless operator passes false. */
  public void waitForStandby(boolean wait) {
    primary.set("synchronous_standby_names", wait ? "FIRST 1 (" + STANDBY + ")" : "");
  }

  /** Returns when the standby is attached and counts as synchronous. */
  public void awaitStreaming() {
    Await.until(
        "the standby streams",
        () ->
            primary
                .jdbc("postgres")
                .sql(
                    "SELECT EXISTS (SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming')")
                .query(Boolean.class)
                .single());
  }

  /** The number of the primary's commits that wait for the standby now. */
  public long waiting() {
    return primary
        .jdbc("postgres")
        .sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        .query(Long.class)
        .single();
  }

  /** Returns when at least one commit waits. */
  public void awaitWaiting() {
    Await.until("a commit waits for the standby", () -> waiting() > 0);
  }

  /** Cancels every such wait, as an impatient operator does. */
  public void cancelWaiting() {
    primary.execute(
        "postgres",
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
  }

  /** Kills the primary for good and promotes the standby, which waits for no standby of its own. */
  public PostgresServer failOver() {
    primary.kill();
    standby.restart();
    boolean promoted =
        standby.jdbc("postgres").sql("SELECT pg_promote(true, 60)").query(Boolean.class).single();
    if (!promoted) {
      throw new IllegalStateException("the standby was not promoted");
    }
    return standby;
  }

  @Override
  public void close() {
    primary.kill();
    standby.kill();
  }
}
