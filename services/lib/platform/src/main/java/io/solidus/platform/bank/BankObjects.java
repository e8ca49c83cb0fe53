package io.solidus.platform.bank;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Whose objects the variables in the paths of admin routes name. A service says it once for each
 * variable; {@link BankDoor} asks before each call.
 */
public final class BankObjects {
  private final JdbcClient jdbc;
  private final Map<String, Owner> owners = new HashMap<>();

  /** Reads an id, which is null when it is none, and finds whether a bank has it. */
  private record Owner(Function<String, @Nullable Object> id, String sql) {}

  public BankObjects(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Adds a variable.
   *
   * @param variable as in the paths of routes
   * @param id reads it as the controller does; null or an exception when it is none
   * @param sql finds a row when the object, its first parameter, is of the bank, its second one
   */
  public BankObjects with(String variable, Function<String, @Nullable Object> id, String sql) {
    owners.put(variable, new Owner(id, sql));
    return this;
  }

  /** As {@link #with}, for ids that are UUIDs. */
  public BankObjects withUuid(String variable, String sql) {
    return with(variable, text -> UUID.fromString(text.strip()), sql);
  }

  boolean knows(String variable) {
    return owners.containsKey(variable);
  }

  /** Whether a variable names an object of a bank. */
  boolean owns(String bank, String variable, String text) {
    Owner owner = owners.get(variable);
    Object id = owner == null ? null : read(owner, text);
    return id != null
        && owner != null
        && jdbc.sql(owner.sql()).params(id, bank).query().rowSet().next();
  }

  private static @Nullable Object read(Owner owner, String text) {
    try {
      return owner.id().apply(text);
    } catch (RuntimeException e) {
      return null; // what is no id names nothing
    }
  }
}
