package io.solidus.edge.gateway;

import io.solidus.dev.testkit.ApiDocument;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The document that makers of wallets generate their clients from. */
@Tag("process")
class ApiDocumentTest {
  @Test
  void theCommittedDescriptionIsTheServedOne() {
    ApiDocument.isCommitted(GatewayFixture.shared().rest, "gateway", "io.solidus.edge.gateway");
  }
}
