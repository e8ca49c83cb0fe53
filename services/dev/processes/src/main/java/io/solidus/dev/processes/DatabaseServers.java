package io.solidus.dev.processes;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The database server of an authority, or its primary and standby, and the machine that it is on.
 */
final class DatabaseServers implements AutoCloseable {

  private final @Nullable PostgresServer single;
  private final @Nullable PrimaryAndStandby pair;
  private final Optional<FaultyMachine> machine;

  private DatabaseServers(
      @Nullable PostgresServer single,
      @Nullable PrimaryAndStandby pair,
      Optional<FaultyMachine> machine) {
    this.single = single;
    this.pair = pair;
    this.machine = machine;
  }

  static DatabaseServers single(PostgresServer server, Optional<FaultyMachine> machine) {
    return new DatabaseServers(server, null, machine);
  }

  static DatabaseServers replicated(PrimaryAndStandby pair) {
    return new DatabaseServers(null, pair, Optional.empty());
  }

  /** The server, or the primary of the moment. */
  PostgresServer server() {
    PostgresServer only = single;
    return only == null ? pair().primary() : only;
  }

  String url(String database) {
    PostgresServer only = single;
    return only == null ? pair().url(database) : only.url(database);
  }

  private PrimaryAndStandby pair() {
    PrimaryAndStandby both = pair;
    if (both == null) {
      throw new IllegalStateException("there is no standby");
    }
    return both;
  }

  Optional<PrimaryAndStandby> replicas() {
    return Optional.ofNullable(pair);
  }

  Optional<FaultyMachine> machine() {
    return machine;
  }

  @Override
  public void close() {
    PostgresServer only = single;
    if (only == null) {
      pair().close();
    } else {
      only.close();
    }
  }
}
