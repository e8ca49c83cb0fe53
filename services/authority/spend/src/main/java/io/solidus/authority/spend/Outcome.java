package io.solidus.authority.spend;

import java.util.function.Function;

/**
 * A value, or the reason for its absence. Each item of a batch has its own outcome, so a bad item
 * does not fail the others.
 */
public sealed interface Outcome<T> {

  /** The value. */
  record Done<T>(T value) implements Outcome<T> {}

  /**
   * The failure.
   *
   * @param reason a ProtocolException for a broken rule; anything else is a failed dependency or a
   *     defect
   */
  record Failed<T>(RuntimeException reason) implements Outcome<T> {}

  static <T> Outcome<T> done(T value) {
    return new Done<>(value);
  }

  static <T> Outcome<T> failed(RuntimeException reason) {
    return new Failed<>(reason);
  }

  /** Returns the value, or throws the reason. */
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
