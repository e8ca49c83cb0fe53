package io.solidus.platform.description;

import io.swagger.v3.core.jackson.TypeNameResolver;
import java.util.Set;

/**
 * Names schemas after their classes, nested ones with the name of what they are nested in: {@code
 * ProofController.Body} is ProofBody. By its simple name alone one Body would replace the other in
 * the document.
 */
public final class SchemaNames extends TypeNameResolver {
  static final SchemaNames INSTANCE = new SchemaNames();

  private SchemaNames() {}

  /** The name of a type's schema. */
  public static String of(Class<?> type) {
    return INSTANCE.nameForClass(type, Set.of());
  }

  @Override
  protected String getNameOfClass(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    if (outer == null) {
      return type.getSimpleName();
    }
    String prefix = getNameOfClass(outer).replaceFirst("(Controller|Store|Json)$", "");
    String name = type.getSimpleName();
    return name.startsWith(prefix) ? name : prefix + name;
  }
}
