package io.solidus.wire.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a member of a JSON object, or a parameter of a call, holds. The description of the API says
 * it to others; {@code toDomain} checks it. In a list, the length of a byte string is that of every
 * entry.
 *
 * <p>A member with this annotation has to be present, unless it is {@link #optional}. A member
 * without it has to be present when its type is not nullable.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Member {
  /** The lengths that a byte string in base64url may have, in bytes; none for other values. */
  int[] bytes() default {};

  /** The length of a byte string in hexadecimal, in bytes; 0 for other values. */
  int hexBytes() default 0;

  /** The lowest number, the fewest entries of a list, or the fewest characters of a text. */
  long min() default Long.MIN_VALUE;

  /** The highest number, the most entries of a list, or the most characters of a text. */
  long max() default Long.MAX_VALUE;

  /** A regular expression (ECMA-262) of the whole text; empty for any text. */
  String pattern() default "";

  /** A format of JSON Schema, such as {@code date}; empty for none. */
  String format() default "";

  /** Whether the member may be absent. */
  boolean optional() default false;

  /** Whether an optional member may be null. */
  boolean nullable() default true;
}
