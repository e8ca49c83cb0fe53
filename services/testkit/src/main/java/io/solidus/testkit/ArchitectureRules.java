package io.solidus.testkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;

/** Which way dependencies may point. A module's test calls the rule that holds for it. */
public final class ArchitectureRules {
  private static final String ROOT = "io.solidus.";

  /** What every service may use: the domain, its wire formats, the native library's wrapper, the platform. */
  private static final List<String> SHARED = List.of("protocol", "wire", "prover", "platform");

  private ArchitectureRules() {}

  /** The domain knows the JDK only. */
  public static void domainKnowsOnlyTheJdk() {
    classes()
        .that()
        .resideInAPackage(ROOT + "protocol..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(ROOT + "protocol..", "java..", "org.jspecify..")
        .check(main(ROOT + "protocol"));
  }

  /**
   * A service imports the shared modules and itself, no other service.
   *
   * @param name its package below io.solidus, e.g. "gateway"
   */
  public static void serviceImportsNoOther(String name) {
    DescribedPredicate<JavaClass> foreign =
        DescribedPredicate.describe(
            "belong to another service",
            type -> isIn(type, "io.solidus") && !isIn(type, ROOT + name) && SHARED.stream().noneMatch(s -> isIn(type, ROOT + s)));
    noClasses().that().resideInAPackage(ROOT + name + "..").should().dependOnClassesThat(foreign).check(main(ROOT + name));
  }

  private static boolean isIn(JavaClass type, String name) {
    return type.getPackageName().equals(name) || type.getPackageName().startsWith(name + ".");
  }

  private static JavaClasses main(String root) {
    return new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests()).importPackages(root);
  }
}
