package io.solidus.validator.authority;

import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The authority's database, known to be safe and migrated: what stores take in their constructor to say that they need it so. */
public record AuthorityDatabase(JdbcClient jdbc) {

  /** @throws PostgresSafety.UnsafeDatabaseException before anything is read or written */
  public static AuthorityDatabase open(DataSource database) {
    JdbcClient jdbc = JdbcClient.create(database);
    PostgresSafety.require(jdbc);
    AuthoritySchema.migrate(database);
    return new AuthorityDatabase(jdbc);
  }
}
