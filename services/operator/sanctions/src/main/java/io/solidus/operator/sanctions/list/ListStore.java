package io.solidus.operator.sanctions.list;

import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The tables of imported versions and their entries. */
@Repository
public class ListStore {
  private static final int BATCH = 500;

  /** The columns of an entry, in the order of {@link #readEntry}. */
  static final String ENTRY_COLUMNS =
      "reference, kind, names, weak_names, birth_from, birth_to, birth_dates, documents,"
          + " nationalities, gender";

  private static final String INSERT_ENTRY =
      "INSERT INTO listed_entry (list, version, ordinal, reference, kind, names, weak_names, birth_from, birth_to,"
          + " birth_dates, documents, nationalities, gender)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

  private final JdbcClient jdbc;
  private final JdbcTemplate template;

  ListStore(JdbcClient jdbc, JdbcTemplate template) {
    this.jdbc = jdbc;
    this.template = template;
  }

  /** The newest version of every list; 0 when the list was never imported. */
  public Map<ListId, Long> heads() {
    Map<ListId, Long> heads = new EnumMap<>(ListId.class);
    jdbc.sql("SELECT list, version FROM list_head")
        .query((row, n) -> Map.entry(row.getString(1), row.getLong(2)))
        .list()
        .forEach(
            head -> ListId.of(head.getKey()).ifPresent(list -> heads.put(list, head.getValue())));
    return heads;
  }

  /** The newest version of a list; locks out other imports of it until the transaction ends. */
  long lockHead(ListId list) {
    return jdbc.sql("SELECT version FROM list_head WHERE list = ? FOR UPDATE")
        .param(list.id())
        .query(Long.class)
        .single();
  }

  Optional<ListVersion> version(ListId list, long version) {
    return jdbc.sql(SELECT_VERSION + " WHERE list = ? AND version = ?")
        .params(list.id(), version)
        .query(ListStore::readVersion)
        .optional();
  }

  /** Versions before another, the newest first. */
  List<ListVersion> versions(ListId list, long before, int limit) {
    return jdbc.sql(
            SELECT_VERSION + " WHERE list = ? AND version < ? ORDER BY version DESC LIMIT ?")
        .params(list.id(), before, limit)
        .query(ListStore::readVersion)
        .list();
  }

  List<ListVersion> newest() {
    return jdbc.sql(SELECT_VERSION + " JOIN list_head USING (list, version) ORDER BY list")
        .query(ListStore::readVersion)
        .list();
  }

  /** A number that no version and no import of a list has. */
  long freeVersion(ListId list) {
    return jdbc.sql(
            "SELECT 1 + greatest((SELECT version FROM list_head WHERE list = :list),"
                + " (SELECT max(version) FROM list_import WHERE list = :list))")
        .param("list", list.id())
        .query(Long.class)
        .single();
  }

  /** How many imports of a list wait for a decision. */
  int pendingImports(ListId list) {
    return jdbc.sql(
            "SELECT count(*) FROM list_import i JOIN proposal p ON p.id = i.proposal"
                + " WHERE i.list = ? AND p.state = 'pending' AND p.expires_at > now()")
        .param(list.id())
        .query(Integer.class)
        .single();
  }

  /** Deletes the entries of imports that can no longer be accepted. Their records stay. */
  void deleteUnacceptable(ListId list) {
    jdbc.sql(
            "DELETE FROM listed_entry e USING list_import i JOIN proposal p ON p.id = i.proposal"
                + " WHERE e.list = ? AND i.list = e.list AND i.version = e.version"
                + " AND (p.state = 'refused' OR (p.state = 'pending' AND p.expires_at <= now()))")
        .param(list.id())
        .update();
  }

  /** Records an import whose entries are written. */
  void insertImport(ListId list, long version, long base, UUID proposal) {
    jdbc.sql("INSERT INTO list_import (proposal, list, version, base) VALUES (?, ?, ?, ?)")
        .params(proposal, list.id(), version, base)
        .update();
  }

  /**
   * An import.
   *
   * @param base the version in force that it was compared with; 0 when there was none
   */
  record Import(long version, long base) {}

  /** The import of a list with a proposal's id. */
  Optional<Import> importOf(ListId list, UUID proposal) {
    return jdbc.sql("SELECT version, base FROM list_import WHERE list = ? AND proposal = ?")
        .params(list.id(), proposal)
        .query((row, n) -> new Import(row.getLong(1), row.getLong(2)))
        .optional();
  }

  /** Makes a version the newest and deletes the entries of all but {@code keep} versions. */
  void publish(ListId list, ListVersion version, UUID proposal, int keep) {
    jdbc.sql(
            "INSERT INTO list_version (list, version, file_digest, file_bytes, published, entries, names, malformed,"
                + " malformed_at, imported_by, imported_at, accepted_by, proposal, reader)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .params(
            list.id(),
            version.version(),
            HexFormat.of().parseHex(version.fileDigest()),
            version.fileBytes(),
            version.published(),
            version.entries(),
            version.names(),
            version.malformed(),
            version.malformedAt().toArray(Integer[]::new),
            version.importedBy(),
            OffsetDateTime.ofInstant(version.importedAt(), ZoneOffset.UTC))
        .param(version.acceptedBy())
        .param(proposal)
        .param(version.reader())
        .update();
    jdbc.sql("UPDATE list_head SET version = ? WHERE list = ?")
        .params(version.version(), list.id())
        .update();
    jdbc.sql(
            "DELETE FROM listed_entry WHERE list = :list AND version IN (SELECT version FROM"
                + " list_version WHERE list = :list ORDER BY version DESC OFFSET :keep)")
        .param("list", list.id())
        .param("keep", keep)
        .update();
  }

  /** A sink that writes the entries of a version in batches in the current transaction. */
  Writer writer(ListId list, long version) {
    return new Writer(list, version);
  }

  /** Collects entries and writes them in batches; {@link #flush} writes the last batch. */
  final class Writer implements EntrySink {
    private final ListId list;
    private final long version;
    private final List<ListedEntry> batch = new ArrayList<>(BATCH);
    private int ordinal;

    private Writer(ListId list, long version) {
      this.list = list;
      this.version = version;
    }

    @Override
    public void accept(ListedEntry entry) {
      batch.add(entry);
      if (batch.size() == BATCH) {
        flush();
      }
    }

    void flush() {
      template.batchUpdate(
          INSERT_ENTRY,
          batch,
          BATCH,
          (statement, entry) -> bind(statement, list, version, ordinal++, entry));
      batch.clear();
    }
  }

  private static void bind(
      PreparedStatement statement, ListId list, long version, int ordinal, ListedEntry entry)
      throws SQLException {
    Connection connection = statement.getConnection();
    statement.setString(1, list.id());
    statement.setLong(2, version);
    statement.setInt(3, ordinal);
    statement.setString(4, entry.reference());
    statement.setString(5, entry.kind().name());
    statement.setArray(6, connection.createArrayOf("text", entry.names().toArray()));
    statement.setArray(7, connection.createArrayOf("text", entry.weakNames().toArray()));
    statement.setArray(
        8,
        connection.createArrayOf(
            "integer", entry.birthYears().stream().map(YearRange::from).toArray()));
    statement.setArray(
        9,
        connection.createArrayOf(
            "integer", entry.birthYears().stream().map(YearRange::to).toArray()));
    EntryDetails details = entry.details();
    statement.setArray(
        10,
        connection.createArrayOf(
            "date", details.birthDates().stream().map(Date::valueOf).toArray()));
    statement.setArray(11, connection.createArrayOf("text", details.documents().toArray()));
    statement.setArray(12, connection.createArrayOf("text", details.nationalities().toArray()));
    statement.setString(13, details.gender());
  }

  /**
   * Reads all entries of a version in file order, one at a time. Streams only inside a transaction.
   */
  public void forEachEntry(ListId list, long version, Consumer<ListedEntry> body) {
    template.query(
        connection -> {
          PreparedStatement statement =
              connection.prepareStatement(
                  "SELECT "
                      + ENTRY_COLUMNS
                      + " FROM listed_entry WHERE list = ? AND version = ? ORDER BY ordinal");
          statement.setFetchSize(BATCH);
          statement.setString(1, list.id());
          statement.setLong(2, version);
          return statement;
        },
        row -> {
          body.accept(readEntry(row, 0));
        });
  }

  /**
   * Reads an entry.
   *
   * @param before how many columns come before those of the entry
   */
  static ListedEntry readEntry(ResultSet row, int before) throws SQLException {
    Integer[] from = (Integer[]) row.getArray(before + 5).getArray();
    Integer[] to = (Integer[]) row.getArray(before + 6).getArray();
    List<YearRange> births = new ArrayList<>(from.length);
    for (int i = 0; i < from.length; i++) {
      births.add(new YearRange(from[i], to[i]));
    }
    return new ListedEntry(
        row.getString(before + 1),
        EntryKind.valueOf(row.getString(before + 2)),
        texts(row, before + 3),
        texts(row, before + 4),
        births,
        new EntryDetails(
            Arrays.stream((Date[]) row.getArray(before + 7).getArray())
                .map(Date::toLocalDate)
                .toList(),
            texts(row, before + 8),
            texts(row, before + 9),
            row.getString(before + 10)));
  }

  private static List<String> texts(ResultSet row, int column) throws SQLException {
    return Arrays.asList((String[]) row.getArray(column).getArray());
  }

  private static final String SELECT_VERSION =
      "SELECT list, version, file_digest, file_bytes, published, entries, names, malformed, malformed_at, imported_by,"
          + " imported_at, accepted_by, reader FROM list_version";

  private static ListVersion readVersion(ResultSet row, int number) throws SQLException {
    Instant importedAt = row.getObject(11, OffsetDateTime.class).toInstant();
    return new ListVersion(
        row.getString(1),
        row.getLong(2),
        HexFormat.of().formatHex(row.getBytes(3)),
        row.getLong(4),
        row.getString(5),
        row.getInt(6),
        row.getInt(7),
        row.getInt(8),
        Arrays.asList((Integer[]) row.getArray(9).getArray()),
        row.getString(10),
        importedAt,
        row.getString(12),
        row.getInt(13));
  }
}
