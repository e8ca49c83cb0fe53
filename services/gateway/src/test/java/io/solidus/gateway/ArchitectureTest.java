package io.solidus.gateway;

import io.solidus.testkit.ArchitectureRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  @Test
  void importsNoOtherService() {
    ArchitectureRules.serviceImportsNoOther("gateway");
  }
}
