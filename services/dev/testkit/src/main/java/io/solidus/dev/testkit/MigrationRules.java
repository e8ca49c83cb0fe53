package io.solidus.dev.testkit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks what a database migration may do, by its first line. {@code -- expand: why} only adds, so
 * that processes of the previous release work with it and can be started on it again. {@code --
 * contract after VERSION: why} removes what no process of VERSION or later uses, in a release of
 * its own. See docs/how-to/upgrade.md.
 */
public final class MigrationRules {

  /** The kind of a migration by its first line. */
  public enum Kind {
    EXPAND,
    CONTRACT
  }

  private static final Pattern EXPAND = Pattern.compile("-- expand: \\S.*");
  private static final Pattern CONTRACT =
      Pattern.compile("-- contract after \\d+\\.\\d+\\.\\d+: \\S.*");
  private static final String NAME = "((?:\\w+\\.)?\\w+)";
  private static final Pattern CREATE_TABLE =
      Pattern.compile("^create (?:unlogged )?table (?:if not exists )?" + NAME);
  private static final Pattern CREATE_INDEX =
      Pattern.compile("^create (unique )?index (concurrently )?.*\\bon (?:only )?" + NAME);
  private static final Pattern ALTER_TABLE =
      Pattern.compile("^alter table (?:if exists )?(?:only )?" + NAME + " (.*)");
  private static final Pattern CREATE_TRIGGER =
      Pattern.compile("^create (?:or replace )?(?:constraint )?trigger .*\\bon " + NAME);
  private static final Pattern CREATE_FUNCTION =
      Pattern.compile("^create (?:function|sequence|schema|view|type)\\b.*");
  private static final Pattern INSERT = Pattern.compile("^insert into " + NAME);
  private static final Pattern COMMENT = Pattern.compile("^comment on .*");
  private static final Pattern ADD_COLUMN =
      Pattern.compile(
          "^add (?:column )?(?:if not exists )?(?!constraint|primary|unique|foreign|check|exclude)(\\w+) .*");
  private static final Pattern VALUE = Pattern.compile(" (?:default|generated)\\b");
  private static final Pattern STORAGE =
      Pattern.compile(
          "^(?:alter (?:column )?\\w+ set (?:storage|statistics) .*|set \\(.*\\)|alter (?:column )?\\w+ set default .*)");

  /**
   * Validation only: a constraint applies to every writer from the moment it is added, validated or
   * not.
   */
  private static final Pattern VALIDATION = Pattern.compile("^validate constraint .*");

  private MigrationRules() {}

  /** The kind of a migration; empty if the first line has none. */
  public static Optional<Kind> kind(String sql) {
    String first = sql.lines().findFirst().orElse("");
    if (EXPAND.matcher(first).matches()) {
      return Optional.of(Kind.EXPAND);
    }
    return CONTRACT.matcher(first).matches() ? Optional.of(Kind.CONTRACT) : Optional.empty();
  }

  /**
   * The violations of an expanding migration. A statement that is not known to be harmless is a
   * violation.
   *
   * @return a line for each such statement
   */
  public static List<String> notExpanding(String sql) {
    List<String> violations = new ArrayList<>();
    Set<String> created = new HashSet<>();
    for (String statement : statements(sql)) {
      reason(statement, created)
          .ifPresent(why -> violations.add(why + ": " + abbreviated(statement)));
    }
    return violations;
  }

  private static Optional<String> reason(String statement, Set<String> created) {
    Matcher table = CREATE_TABLE.matcher(statement);
    if (table.find()) {
      created.add(table.group(1));
      return Optional.empty();
    }
    Matcher index = CREATE_INDEX.matcher(statement);
    if (index.find()) {
      return indexReason(index, created);
    }
    Matcher trigger = CREATE_TRIGGER.matcher(statement);
    if (trigger.find()) {
      return unless(
          created.contains(trigger.group(1)),
          "a trigger on a table that processes of the previous release write to");
    }
    Matcher insert = INSERT.matcher(statement);
    if (insert.find()) {
      return unless(
          created.contains(insert.group(1)),
          "rows in an existing table; code must add them in batches");
    }
    Matcher alter = ALTER_TABLE.matcher(statement);
    if (alter.find()) {
      return created.contains(alter.group(1)) ? Optional.empty() : alterReason(alter.group(2));
    }
    boolean harmless =
        CREATE_FUNCTION.matcher(statement).matches() || COMMENT.matcher(statement).matches();
    return unless(harmless, "not known to be harmless for the previous release");
  }

  private static Optional<String> indexReason(Matcher index, Set<String> created) {
    if (created.contains(index.group(3))) {
      return Optional.empty();
    }
    if (index.group(1) != null) {
      return Optional.of("a new uniqueness constraint, which the previous release does not know");
    }
    return unless(
        index.group(2) != null, "an index without CONCURRENTLY blocks all writers of the table");
  }

  private static Optional<String> alterReason(String actions) {
    for (String action : topLevel(actions, ',')) {
      Optional<String> why = actionReason(action.strip());
      if (why.isPresent()) {
        return why;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> actionReason(String action) {
    if (ADD_COLUMN.matcher(action).matches()) {
      boolean demands = action.contains("not null") && !VALUE.matcher(action).find();
      boolean checks =
          action.contains(" unique")
              || action.contains(" references ")
              || action.contains(" check ")
              || action.contains(" primary key");
      return demands
          ? Optional.of(
              "a NOT NULL column without a default, which the previous release leaves empty")
          : unless(!checks, "a constraint that the previous release does not know");
    }
    boolean harmless = STORAGE.matcher(action).matches() || VALIDATION.matcher(action).matches();
    return unless(harmless, "not known to be harmless for the previous release");
  }

  private static Optional<String> unless(boolean allowed, String why) {
    return allowed ? Optional.empty() : Optional.of(why);
  }

  /** The statements in lower case, with single spaces, without comments and quoted texts. */
  static List<String> statements(String sql) {
    return topLevel(bare(sql), ';').stream()
        .map(statement -> statement.strip().replaceAll("\\s+", " "))
        .filter(statement -> !statement.isEmpty())
        .toList();
  }

  private static String bare(String sql) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < sql.length()) {
      int end = skipped(sql, at);
      if (end > at) {
        out.append(' ');
        at = end;
      } else {
        out.append(sql.charAt(at++));
      }
    }
    return out.toString().toLowerCase(Locale.ROOT);
  }

  /**
   * The end of a comment, a string or a dollar-quoted body that begins at a position; the position
   * itself if none does.
   */
  private static int skipped(String sql, int at) {
    if (sql.startsWith("--", at)) {
      return endOf(sql, "\n", at + 2);
    }
    if (sql.startsWith("/*", at)) {
      return endOf(sql, "*/", at + 2);
    }
    if (sql.charAt(at) == '\'') {
      return endOf(sql, "'", at + 1);
    }
    Matcher tag = Pattern.compile("\\$\\w*\\$").matcher(sql).region(at, sql.length());
    return tag.lookingAt() ? endOf(sql, tag.group(), tag.end()) : at;
  }

  private static int endOf(String sql, String mark, int from) {
    int found = sql.indexOf(mark, from);
    return found < 0 ? sql.length() : found + mark.length();
  }

  /** The parts between separators outside parentheses. */
  private static List<String> topLevel(String text, char separator) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == separator && depth == 0) {
        parts.add(text.substring(start, i));
        start = i + 1;
      }
    }
    parts.add(text.substring(start));
    return parts;
  }

  private static String abbreviated(String statement) {
    return statement.length() <= 100 ? statement : statement.substring(0, 100) + " ...";
  }
}
