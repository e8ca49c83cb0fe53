package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.solidus.authority.custody.SoftToken;
import io.solidus.authority.custody.TokenAccess;
import io.solidus.authority.custody.WrappedShares;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.TestPostgres;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts a signer whose share is wrapped by a PKCS#11 token. */
@Tag("process")
class CustodyFlowTest {

  @TempDir private static Path folder;
  private static RegulatedNetwork network;
  private static TokenAccess token;
  private static Path envelope;

  private final TestAuthority authority = network.authority(TestPostgres.newDatabase());

  @BeforeAll
  static void start() {
    assumeTrue(
        SoftToken.library().isPresent(), "needs SoftHSM2 (Debian: apt-get install softhsm2)");
    network = RegulatedNetwork.create();
    token = SoftToken.access("signer", "signer-kek");
    envelope = WrappedShares.wrap(network.keys, 1, token, folder.resolve("share.wrapped"));
  }

  @AfterAll
  static void stop() {
    if (SoftToken.library().isPresent()) {
      network.close();
    }
  }

  @AfterEach
  void close() {
    authority.close();
  }

  @Test
  void theSignerStartsFromTheWrappedShare() {
    useToken(token.pinFile());
    authority.startSigner();

    Await.until("the signer is ready", () -> authority.signerReady());
    assertThat(authority.signerContext().isRunning()).isTrue();
  }

  @Test
  void theSignerDoesNotStartWithAWrongPin() {
    useToken(SoftToken.pinFile("999999"));

    assertThatThrownBy(() -> authority.startSigner())
        .hasStackTraceContaining("PIN_WRONG")
        .hasStackTraceContaining("wrong");
  }

  @Test
  void theSignerDoesNotStartWithAWrappedShareAndNoToken() {
    authority.with("solidus.signer.share-file", envelope);
    assertThatThrownBy(() -> authority.startSigner()).hasStackTraceContaining("NO_TOKEN");
  }

  private void useToken(Path pinFile) {
    authority
        .with("solidus.signer.share-file", envelope)
        .with("solidus.signer.token.library", token.library())
        .with("solidus.signer.token.slot", token.slot())
        .with("solidus.signer.token.key-label", token.keyLabel())
        .with("solidus.signer.token.pin-file", pinFile);
  }
}
