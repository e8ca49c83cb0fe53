package io.solidus.dev.acceptance;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** Searches for forbidden values in every column of every table of a database, and in files. */
final class CanarySearch {
  private CanarySearch() {}

  /**
   * The columns of a database, as "table.column", that contain one of the texts or eight-byte
   * amounts.
   */
  static List<String> inDatabase(String url, List<String> texts, List<Long> amounts)
      throws SQLException {
    List<String> found = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url, "postgres", "postgres");
        Statement statement = connection.createStatement()) {
      for (String table : tables(statement)) {
        try (ResultSet rows = statement.executeQuery("SELECT * FROM " + table)) {
          while (rows.next()) {
            search(rows, table, texts, amounts, found);
          }
        }
      }
    }
    return found.stream().distinct().toList();
  }

  private static List<String> tables(Statement statement) throws SQLException {
    List<String> tables = new ArrayList<>();
    try (ResultSet names =
        statement.executeQuery(
            "SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) FROM pg_tables"
                + " WHERE schemaname NOT IN ('pg_catalog', 'information_schema')")) {
      while (names.next()) {
        tables.add(names.getString(1));
      }
    }
    return tables;
  }

  private static void search(
      ResultSet row, String table, List<String> texts, List<Long> amounts, List<String> found)
      throws SQLException {
    for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
      Object value = row.getObject(column);
      String place = table + "." + row.getMetaData().getColumnName(column);
      if (value instanceof byte[] bytes && holds(bytes, texts, amounts)) {
        found.add(place);
      } else if (value instanceof Number number && amounts.contains(number.longValue())) {
        found.add(place);
      } else if (value instanceof String text
          && holds(text.getBytes(StandardCharsets.UTF_8), texts, List.of())) {
        found.add(place);
      }
    }
  }

  /** The files below a folder that contain one of the texts. */
  static List<Path> inFiles(Path folder, List<String> texts) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (holds(Files.readAllBytes(file), texts, List.of())) {
          found.add(file);
        }
      }
    }
    return found;
  }

  private static boolean holds(byte[] content, List<String> texts, List<Long> amounts) {
    String hex = HexFormat.of().formatHex(content);
    for (String text : texts) {
      if (hex.contains(HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)))) {
        return true;
      }
    }
    for (long amount : amounts) {
      if (hex.contains(HexFormat.of().formatHex(ByteBuffer.allocate(8).putLong(amount).array()))) {
        return true;
      }
    }
    return false;
  }
}
