package io.solidus.platform.description;

import io.solidus.protocol.RejectionCode;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The codes that a call refuses with, beyond those of every call; on a controller, those of each of
 * its calls. The OpenAPI document names them, and clients decide by them.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface Refuses {
  RejectionCode[] value() default {};

  /** Codes of this service alone, in answers 409. */
  String[] conflicts() default {};

  /** Codes of this service alone, in other answers. */
  Own[] own() default {};

  /** Codes that are no {@link RejectionCode}. */
  @interface Own {
    /** Of the HTTP answer. */
    int status();

    String[] codes();
  }
}
