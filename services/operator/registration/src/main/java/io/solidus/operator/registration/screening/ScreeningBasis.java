package io.solidus.operator.registration.screening;

import io.solidus.protocol.Digest32;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Against what a person was screened. A clearance counts for this alone.
 *
 * @param matcher version of the matcher
 * @param threshold likeness of names from which on an entry matches, 0 to 1
 */
public record ScreeningBasis(List<ListVersion> lists, String matcher, double threshold) {
  private static final Pattern SEPARATOR = Pattern.compile(", ");

  public ScreeningBasis {
    lists = lists.stream().sorted(Comparator.comparing(ListVersion::list)).toList();
  }

  /** A sanction list and its version. */
  public record ListVersion(String list, long version) {}

  /** The lists in one line, such as "ofac 4, un 7". */
  public String listText() {
    return lists.stream()
        .map(each -> each.list() + " " + each.version())
        .collect(Collectors.joining(", "));
  }

  /**
   * Reads what {@link #listText} wrote.
   *
   * @param matcher version of the matcher
   * @param threshold likeness of names from which on an entry matches, 0 to 1
   */
  public static ScreeningBasis of(String listText, String matcher, double threshold) {
    List<ListVersion> lists = new ArrayList<>();
    for (String each : SEPARATOR.split(listText, -1)) {
      int space = each.lastIndexOf(' ');
      if (space > 0) {
        lists.add(
            new ListVersion(each.substring(0, space), Long.parseLong(each.substring(space + 1))));
      }
    }
    return new ScreeningBasis(lists, matcher, threshold);
  }

  /** The versions of the lists. */
  public Map<String, Long> versions() {
    return lists.stream().collect(Collectors.toMap(ListVersion::list, ListVersion::version));
  }

  /** Whether a clear screening against this basis is one against a newer, but for its changes. */
  public boolean leadsTo(ScreeningBasis newer) {
    Map<String, Long> before = versions();
    return matcher.equals(newer.matcher)
        && threshold == newer.threshold
        && newer.lists.stream()
            .allMatch(each -> before.getOrDefault(each.list(), Long.MAX_VALUE) <= each.version());
  }

  /**
   * Whether another basis has a newer version of a list that both have.
   *
   * @param otherLists as in {@link #listText}
   */
  public boolean isFormerTo(String otherLists) {
    Map<String, Long> others = of(otherLists, matcher, threshold).versions();
    return lists.stream()
        .anyMatch(each -> others.getOrDefault(each.list(), Long.MIN_VALUE) > each.version());
  }

  /** Equal for equal bases. */
  public Digest32 digest() {
    String text = listText() + "\n" + matcher + "\n" + threshold;
    return Digest32.sha256(text.getBytes(StandardCharsets.UTF_8));
  }
}
