package io.solidus.wallet.model;

import java.util.List;

/**
 * Which lines of a list of payments a transfer pays. It is in the transfer's memo, so a wallet that
 * was restored from its words knows it, too.
 *
 * @param numbers of the lines, from 1, in the order of the transfer's payees
 */
public record BulkLines(BulkTag tag, List<Integer> numbers) {
  /** Lines of one list; more than a policy is likely to let one account pay in a month. */
  public static final int MAX_LINES = 1_000;

  public BulkLines {
    numbers = List.copyOf(numbers);
    if (numbers.isEmpty() || numbers.size() > Memo.MAX_PAYEES) {
      throw new IllegalArgumentException("a transfer pays 1 to 8 lines");
    }
    if (numbers.stream().anyMatch(number -> number < 1 || number > MAX_LINES)) {
      throw new IllegalArgumentException("a line's number is 1 to " + MAX_LINES);
    }
    if (numbers.stream().distinct().count() < numbers.size()) {
      throw new IllegalArgumentException("a transfer pays a line once");
    }
  }

  /**
   * The name under which a wallet's file keeps the transfer of one line. No application can choose
   * it: such names do not begin with U+0000.
   */
  public static String name(BulkTag tag, int number) {
    return PaymentId.RESERVED + tag.value().hex() + " " + number;
  }

  /** Whether this is the name of a line of a list with another tag. */
  static boolean isOfOtherTag(String name, BulkTag tag) {
    return name.startsWith(PaymentId.RESERVED)
        && !name.startsWith(PaymentId.RESERVED + tag.value().hex());
  }

  /** Whether this is the name of a line of another list under the same name. */
  static boolean isOfAnotherList(String name, BulkTag tag) {
    return name.startsWith(PaymentId.RESERVED + tag.nameHex()) && isOfOtherTag(name, tag);
  }

  /** The names of these lines. */
  public List<String> names() {
    return numbers.stream().map(number -> name(tag, number)).toList();
  }
}
