package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.solidus.authority.custody.SoftToken;
import io.solidus.authority.custody.TokenAccess;
import io.solidus.authority.custody.WrappedShares;
import io.solidus.dev.authorities.world.Authority;
import io.solidus.dev.authorities.world.RegulatedWorld;
import io.solidus.dev.processes.Await;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A signer whose share lies in a token's custody, as a process starts it. */
class CustodyFlowTest {

  @TempDir private static Path folder;
  private static RegulatedWorld world;
  private static TokenAccess token;
  private static Path envelope;

  private Authority authority;

  @BeforeAll
  static void start() {
    assumeTrue(
        SoftToken.library().isPresent(),
        "SoftHSM2 is not installed (Debian: apt-get install softhsm2): shares in a token are not tested");
    world = RegulatedWorld.create();
    token = SoftToken.access("signer", "signer-kek");
    envelope = WrappedShares.wrap(world.keys, 1, token, folder.resolve("share.wrapped"));
  }

  @AfterAll
  static void stop() {
    if (world != null) {
      world.close();
    }
  }

  @AfterEach
  void close() {
    authority.close();
  }

  @Test
  void theSignerStartsFromTheWrappedShare() {
    fresh("wrapped_share", token.pinFile()).startSigner();
    Await.until("the signer is ready", () -> authority.signerReady());
    assertThat(authority.signerContext().isRunning()).isTrue();
  }

  @Test
  void theSignerDoesNotStartWithAWrongPin() {
    fresh("wrapped_wrong_pin", SoftToken.pinFile("999999"));
    assertThatThrownBy(() -> authority.startSigner())
        .hasStackTraceContaining("PIN_WRONG")
        .hasStackTraceContaining("wrong");
  }

  @Test
  void theSignerDoesNotGuessThatAShareIsWrapped() {
    authority =
        new Authority(
                world.keys,
                world.sanctions,
                world.postgres,
                "wrapped_no_token",
                folder.resolve("no-token"),
                world.clock)
            .with("solidus.signer.share-file", envelope);
    assertThatThrownBy(() -> authority.startSigner()).hasStackTraceContaining("NO_TOKEN");
  }

  private Authority fresh(String database, Path pinFile) {
    authority =
        new Authority(
                world.keys,
                world.sanctions,
                world.postgres,
                database,
                folder.resolve(database),
                world.clock)
            .with("solidus.signer.share-file", envelope)
            .with("solidus.signer.token.library", token.library())
            .with("solidus.signer.token.slot", token.slot())
            .with("solidus.signer.token.key-label", token.keyLabel())
            .with("solidus.signer.token.pin-file", pinFile);
    return authority;
  }
}
