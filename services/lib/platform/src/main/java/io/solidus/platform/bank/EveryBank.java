package io.solidus.platform.bank;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The staff of each bank may call this admin operation, because nothing that it shows or does
 * belongs to one bank.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface EveryBank {
  /** Why. */
  String value();
}
