package io.solidus.dev.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A primary and a hot standby that streams from it, both real and with fsync on. The primary
 * acknowledges a commit when the standby has flushed it, until a test says otherwise.
 */
public final class PrimaryAndStandby implements AutoCloseable {
  private static final String STANDBY = "standby";

  private final PostgresServer primary;
  private final PostgresServer standby;

  private PrimaryAndStandby(PostgresServer primary, PostgresServer standby) {
    this.primary = primary;
    this.standby = standby;
  }

  /**
   * @param folder for both data directories and both logs
   */
  public static PrimaryAndStandby start(Path folder) {
    PostgresServer primary = PostgresServer.create(folder.resolve("primary"));
    PostgresServer standby = primary.on(folder.resolve(STANDBY));
    backUp(primary, standby);
    standby.configure(
        "primary_conninfo = 'host=127.0.0.1 port="
            + primary.port()
            + " user=postgres application_name="
            + STANDBY
            + "'\n");
    PrimaryAndStandby pair = new PrimaryAndStandby(primary, standby);
    standby.start();
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

  /**
   * Whether the primary's commits wait; without it the pair is what a careless operator makes of
   * it.
   */
  public void waitForStandby(boolean wait) {
    primary.set("synchronous_standby_names", wait ? "FIRST 1 (" + STANDBY + ")" : "");
  }

  /** Back when the standby is attached and counts as synchronous. */
  public void awaitStreaming() {
    PostgresServer.await(
        "the standby streams",
        () ->
            primary
                .jdbc("postgres")
                .sql(
                    "SELECT EXISTS (SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming')")
                .query(Boolean.class)
                .single());
  }

  /** Back when the standby shows everything that the primary has written up to now. */
  public void awaitReplayed() {
    String written =
        primary
            .jdbc("postgres")
            .sql("SELECT pg_current_wal_insert_lsn()::text")
            .query(String.class)
            .single();
    PostgresServer.await(
        "the standby has replayed " + written,
        () ->
            standby
                .jdbc("postgres")
                .sql("SELECT coalesce(pg_last_wal_replay_lsn() >= ?::pg_lsn, false)")
                .param(written)
                .query(Boolean.class)
                .single());
  }

  /** How many commits of the primary wait for the standby now. */
  public long waiting() {
    return primary
        .jdbc("postgres")
        .sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        .query(Long.class)
        .single();
  }

  /** Back when at least one commit waits. */
  public void awaitWaiting() {
    PostgresServer.await("a commit waits for the standby", () -> waiting() > 0);
  }

  /** Cancels every such wait, as an impatient operator does. */
  public void cancelWaiting() {
    primary.execute(
        "postgres",
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
  }

  /**
   * The primary is lost for good, and the standby takes over with what it has. It waits for no
   * standby of its own.
   */
  public PostgresServer failOver() {
    primary.kill();
    standby.start();
    boolean promoted =
        standby.jdbc("postgres").sql("SELECT pg_promote(true, 60)").query(Boolean.class).single();
    if (!promoted) {
      throw new IllegalStateException("the standby does not take over");
    }
    return standby;
  }

  @Override
  public void close() {
    primary.close();
    standby.close();
  }

  /** The distribution has no pg_basebackup; this is what it does. */
  private static void backUp(PostgresServer primary, PostgresServer standby) {
    try (Connection session = DriverManager.getConnection(primary.url("postgres"));
        Statement statement = session.createStatement()) {
      statement.execute("SELECT pg_backup_start('standby', true)");
      DataDirectory.copy(primary.data(), standby.data());
      try (ResultSet end = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
        end.next();
        Files.writeString(standby.data().resolve("backup_label"), end.getString(1));
      }
      Files.writeString(standby.data().resolve("standby.signal"), "");
    } catch (SQLException e) {
      throw new IllegalStateException("no standby", e);
    } catch (IOException e) {
      throw new UncheckedIOException("no standby", e);
    }
  }
}
