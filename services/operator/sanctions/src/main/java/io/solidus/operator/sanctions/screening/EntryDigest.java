package io.solidus.operator.sanctions.screening;

import io.solidus.operator.sanctions.list.ListId;
import io.solidus.operator.sanctions.list.ListedEntry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A digest of all that the lists say of an entry: it changes when the entry does. */
final class EntryDigest {
  private static final int BYTES = 16;

  private EntryDigest() {}

  /**
   * The digest of an entry.
   *
   * @param aliases names that another list adds
   * @return 32 hexadecimal digits
   */
  static String of(ListId list, ListedEntry entry, List<String> aliases) {
    MessageDigest sha;
    try {
      sha = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is part of every Java platform", e);
    }
    add(sha, List.of(list.id()));
    add(sha, List.of(entry.reference(), entry.kind().name(), entry.details().gender()));
    add(sha, entry.names());
    add(sha, entry.weakNames());
    add(sha, entry.birthYears());
    add(sha, entry.details().birthDates());
    add(sha, entry.details().documents());
    add(sha, entry.details().nationalities());
    add(sha, aliases.stream().sorted().toList());
    return HexFormat.of().formatHex(sha.digest(), 0, BYTES);
  }

  /** The texts in any order, because publishers change it without a reason. */
  private static void add(MessageDigest sha, List<?> parts) {
    parts.stream()
        .map(Object::toString)
        .sorted()
        .forEach(part -> {
          sha.update(part.getBytes(StandardCharsets.UTF_8));
          sha.update((byte) 0);
        });
    sha.update((byte) 1);
  }
}
