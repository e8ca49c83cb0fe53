package io.solidus.dev.testkit;

import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * An empty database of its own for one test class.
 *
 * @param url JDBC
 */
public record TestDatabase(String url, String user, String password) {

  /** The properties by which a service uses this database. */
  public Map<String, Object> springProperties() {
    return Map.of(
        "spring.datasource.url",
        url,
        "spring.datasource.username",
        user,
        "spring.datasource.password",
        password);
  }

  /** Direct access, to read what a service stored. */
  public JdbcClient jdbc() {
    return JdbcClient.create(dataSource());
  }

  public DataSource dataSource() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    source.setUser(user);
    source.setPassword(password);
    return source;
  }
}
