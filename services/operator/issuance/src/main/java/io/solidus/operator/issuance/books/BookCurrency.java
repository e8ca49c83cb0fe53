package io.solidus.operator.issuance.books;

import io.solidus.operator.issuance.settings.IssuanceProperties;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The one currency of the books. It is written into the database at the first start, because
 * another setting would give the same numbers another worth.
 */
@Component
public class BookCurrency implements SmartInitializingSingleton {
  private final JdbcClient jdbc;
  private final String code;

  BookCurrency(JdbcClient jdbc, IssuanceProperties properties) {
    this.jdbc = jdbc;
    this.code = properties.currency();
  }

  /** The ISO 4217 code. */
  public String code() {
    return code;
  }

  @Override
  public void afterSingletonsInstantiated() {
    jdbc.sql("INSERT INTO books (currency) VALUES (?) ON CONFLICT DO NOTHING").param(code).update();
    String kept = jdbc.sql("SELECT currency FROM books").query(String.class).single();
    if (!kept.equals(code)) {
      throw new IllegalStateException(
          "solidus.issuance.currency is " + code + ", and the books are in " + kept);
    }
  }
}
