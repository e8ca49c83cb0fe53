package io.solidus.wallet.core;

/**
 * A step of a command, or its end. It may get lost with the process; the view has what is true.
 *
 * @param command its id
 * @param what {@code rules}, {@code mailbox}, {@code received}, {@code coins}, {@code proof},
 *     {@code signatures}, {@code delivery} or {@code ended}
 * @param code at the end: empty, or that of a refusal
 * @param count where a step has one
 */
public record CoreNews(String command, String what, String code, long count) {
  static CoreNews read(RecordReader in) {
    return new CoreNews(in.text(), in.text(), in.text(), in.u64());
  }

  boolean ends(String id) {
    return what.equals("ended") && command.equals(id);
  }
}
