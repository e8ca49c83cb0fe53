package io.solidus.dev.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A primary and a hot standby that streams from it, both durable, behind one address. The primary
 * acknowledges a commit when the standby has flushed it, until a test changes that.
 */
public final class PrimaryAndStandby implements AutoCloseable {
  private static final String STANDBY = "standby";
  private static final String STANDBY_NAMES = "synchronous_standby_names";
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

  private final Path folder;
  private final Map<String, String> settings;
  private final Link address;
  private volatile PostgresServer primary;
  private volatile PostgresServer standby;
  private int standbys;

  private PrimaryAndStandby(Path folder, Map<String, String> settings) {
    this.folder = folder;
    this.settings = settings;
    this.primary = PostgresServer.start(folder.resolve("primary"), settings);
    this.address = new Link(primary.port());
    this.standby = newStandby();
  }

  /** Starts both servers with their data directories and logs in a folder. */
  public static PrimaryAndStandby start(Path folder) {
    return start(folder, Map.of());
  }

  /**
   * Starts both servers.
   *
   * @param settings further ones, of both
   */
  public static PrimaryAndStandby start(Path folder, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(SETTINGS);
    all.putAll(settings);
    PrimaryAndStandby pair = new PrimaryAndStandby(folder, all);
    pair.waitForStandby(true);
    pair.awaitStreaming();
    return pair;
  }

  private PostgresServer newStandby() {
    Path copy = folder.resolve(standbys == 0 ? STANDBY : STANDBY + "-" + standbys);
    standbys++;
    BaseBackup.take(primary, copy, false);
    try {
      Files.createFile(copy.resolve("standby.signal"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, String> own = new HashMap<>(settings);
    own.put(
        "primary_conninfo",
        "host=127.0.0.1 port="
            + primary.port()
            + " user="
            + PostgresServer.USER
            + " application_name="
            + STANDBY);
    return PostgresServer.start(copy, own);
  }

  public PostgresServer primary() {
    return primary;
  }

  public PostgresServer standby() {
    return standby;
  }

  /** The JDBC address of a database of the primary, whichever server that is. */
  public String url(String database) {
    return PostgresServer.url(address.port(), database);
  }

  /** Sets whether commits of the primary wait for the standby; a careless operator passes false. */
  public void waitForStandby(boolean wait) {
    primary.set(STANDBY_NAMES, wait ? "FIRST 1 (" + STANDBY + ")" : "");
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

  /**
   * Kills the primary for good and promotes the standby, which waits for no standby of its own. The
   * address leads to it.
   */
  public PostgresServer failOver() {
    primary.kill();
    promote();
    address.detour(standby.port());
    return standby;
  }

  /**
   * As {@link #failOver}, but the former primary still runs: nobody reaches it by the address any
   * more. {@link #replaceFormerPrimary} kills it.
   */
  public void failOverByFencing() {
    // before the promotion: no client has two primaries
    address.be(Link.State.DOWN);
    promote();
    address.detour(standby.port());
    address.be(Link.State.UP);
  }

  private void promote() {
    standby.restart();
    boolean promoted =
        standby.jdbc("postgres").sql("SELECT pg_promote(true, 60)").query(Boolean.class).single();
    if (!promoted) {
      throw new IllegalStateException("the standby was not promoted");
    }
  }

  /** After a fail-over: the former standby is the primary and gets a new standby. */
  public void replaceFormerPrimary() {
    primary.kill();
    primary.close();
    primary = standby;
    standby = newStandby();
    waitForStandby(true);
    awaitStreaming();
  }

  @Override
  public void close() {
    address.close();
    primary.kill();
    standby.kill();
  }
}
