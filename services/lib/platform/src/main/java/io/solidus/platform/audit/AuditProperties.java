package io.solidus.platform.audit;

import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where a service's events are. The table has {@code sequence bigint}, {@code at timestamptz},
 * {@code actor text} and {@code action text}; {@code event_seal} and {@code audit_note} are beside
 * it.
 *
 * @param service in the routes and in what is sealed
 * @param table the name of the event table, lower case
 * @param objectColumn the column with the id of what an event is about
 * @param formerColumns the columns of the table when seals had no version, in their order; empty
 *     for a table without such seals
 * @param noteKeyFile 32-byte Ed25519 seed that signs the daily notes; without it no day is closed
 * @param notesFile the file, outside the database, to which the notes are appended; null for none
 * @param closedThrough after a restore, the last day that a kept note closes: it and days before it
 *     get no second note
 */
@ConfigurationProperties("solidus.audit")
public record AuditProperties(
    @DefaultValue("") String service,
    @DefaultValue("") String table,
    @DefaultValue("object") String objectColumn,
    @DefaultValue List<String> formerColumns,
    @Nullable Path noteKeyFile,
    @Nullable Path notesFile,
    @Nullable LocalDate closedThrough) {
  private static final Pattern NAME = Pattern.compile("[a-z_]{1,63}");

  public AuditProperties {
    formerColumns = List.copyOf(formerColumns);
    for (String name : List.of(service, table, objectColumn)) {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException("solidus.audit has no usable name of a table or column");
      }
    }
    if (!formerColumns.stream().allMatch(name -> NAME.matcher(name).matches())) {
      throw new IllegalArgumentException("solidus.audit.former-columns has no name of a column");
    }
  }

  /** The name of the log: the first line of its notes, and the name of the key that signs them. */
  String origin() {
    return "solidus/audit/" + service;
  }
}
