package io.solidus.protocol;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the rules of docs/spec that a declaration implements or, on a test, that the test shows.
 *
 * <p>Each id has exactly one annotated declaration in main code and at least one annotated test. In
 * Go the directive {@code //spec:id} does the same. {@code scripts/check-spec.py} enforces it.
 */
@Retention(RetentionPolicy.SOURCE)
@Target({
  ElementType.TYPE,
  ElementType.METHOD,
  ElementType.CONSTRUCTOR,
  ElementType.FIELD,
  ElementType.RECORD_COMPONENT
})
public @interface Spec {
  /** Ids as docs/spec defines them, such as {@code V-11}. */
  String[] value();
}
