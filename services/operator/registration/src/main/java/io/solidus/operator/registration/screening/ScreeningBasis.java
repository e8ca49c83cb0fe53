package io.solidus.operator.registration.screening;

import io.solidus.protocol.Digest32;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Against what a person was screened. A clearance counts for this alone.
 *
 * @param matcher version of the matcher
 * @param threshold likeness of names from which on an entry matches, 0 to 1
 */
public record ScreeningBasis(List<ListVersion> lists, String matcher, double threshold) {

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

  /** Equal for equal bases. */
  public Digest32 digest() {
    String text = listText() + "\n" + matcher + "\n" + threshold;
    return Digest32.sha256(text.getBytes(StandardCharsets.UTF_8));
  }
}
