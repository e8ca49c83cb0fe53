package io.solidus.wallet.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Encodes what a change of a list changed, as steps from its start: how many elements stay, how
 * many go, and which come in their place. Elements that stay are the same objects in both lists.
 */
final class ListChange {
  private ListChange() {}

  static <T> void write(
      StateWriter out, List<T> before, List<T> after, BiConsumer<StateWriter, T> write) {
    int i = 0;
    int j = 0;
    while (i < before.size() || j < after.size()) {
      int stay = 0;
      while (i < before.size() && j < after.size() && isSame(before.get(i), after.get(j))) {
        stay++;
        i++;
        j++;
      }
      List<T> come = new ArrayList<>();
      int next = i;
      while (j < after.size() && (next = indexOf(before, i, after.get(j))) == before.size()) {
        come.add(after.get(j++));
      }
      int go = (j == after.size() ? before.size() : next) - i;
      i += go;
      if (go > 0 || !come.isEmpty()) {
        out.u8(1).u32(stay).u32(go).each(come, write);
      }
    }
    out.u8(0);
  }

  static <T> List<T> read(StateReader in, List<T> before, Function<StateReader, T> read) {
    List<T> after = new ArrayList<>();
    int at = 0;
    while (in.flag()) {
      int stay = in.upTo(before.size() - at);
      after.addAll(before.subList(at, at + stay));
      at += stay;
      at += in.upTo(before.size() - at);
      after.addAll(in.each(read));
    }
    after.addAll(before.subList(at, before.size()));
    return after;
  }

  /** The index from {@code from} on; the size when the element is not there. */
  private static <T> int indexOf(List<T> list, int from, T element) {
    int i = from;
    while (i < list.size() && !isSame(list.get(i), element)) {
      i++;
    }
    return i;
  }

  @SuppressWarnings("ReferenceEquality") // equal elements are encoded again, which is never wrong
  private static boolean isSame(Object one, Object other) {
    return one == other;
  }
}
