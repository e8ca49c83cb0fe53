package io.solidus.authority.spend;

import java.util.function.Function;

/**
 * A value, or why there is none. One of these for each item keeps a bad item of a batch from
 * spoiling the others.
 */
public sealed interface Outcome<T> {

  /** The value. */
  record Done<T>(T value) implements Outcome<T> {}

  /**
   * @param reason a ProtocolException for a rule's no; anything else is a neighbour that failed or
   *     a defect
   */
  record Failed<T>(RuntimeException reason) implements Outcome<T> {}

  static <T> Outcome<T> done(T value) {
    return new Done<>(value);
  }

  static <T> Outcome<T> failed(RuntimeException reason) {
    return new Failed<>(reason);
  }

  /** The value, or the reason thrown. */
  default T get() {
    return switch (this) {
      case Done<T> done -> done.value();
      case Failed<T> failed -> throw failed.reason();
    };
  }

  default <U> Outcome<U> map(Function<T, U> mapping) {
    return switch (this) {
      case Done<T> done -> done(mapping.apply(done.value()));
      case Failed<T> failed -> failed(failed.reason());
    };
  }
}
