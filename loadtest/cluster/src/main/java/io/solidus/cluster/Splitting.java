package io.solidus.cluster;

import java.util.Map;
import java.util.Optional;

/** The validator's procedure that splits a range, where this build has one: it is looked for by name until every branch does. */
public final class Splitting {

  private static final String PROCEDURE = "io.solidus.validator.SplitApplication";

  private Splitting() {}

  public static boolean available() {
    return procedure().isPresent();
  }

  /** Returns when the split is done. */
  static void run(Map<String, Object> properties) {
    Class<?> procedure = procedure().orElseThrow(() -> new IllegalStateException("this build cannot split a range"));
    try {
      procedure.getMethod("run", Map.class, String[].class).invoke(null, properties, new String[0]);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the range is not split", e);
    }
  }

  private static Optional<Class<?>> procedure() {
    try {
      return Optional.of(Class.forName(PROCEDURE));
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    }
  }
}
