package io.solidus.testkit;

import org.junit.jupiter.api.Test;

/** The rules for the shared modules. */
class ArchitectureTest {
  @Test
  void domainKnowsOnlyTheJdk() {
    ArchitectureRules.domainKnowsOnlyTheJdk();
  }

  @Test
  void sharedModulesKnowNoService() {
    ArchitectureRules.serviceImportsNoOther("platform");
    ArchitectureRules.serviceImportsNoOther("wire");
  }
}
