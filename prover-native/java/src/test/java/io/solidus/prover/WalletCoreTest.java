package io.solidus.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.NetworkKind;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The core of a wallet behind the bridge, as a host in Java calls it (page 6, "The core and its
 * host"). What the core does is tested in Go.
 */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WalletCoreTest {
  private static final int CREATE = 1;
  private static final int COMMAND = 2;
  private static final int LOOK = 7;
  private static final int RECEIVE = 2;
  private static final int HTTP = 1;
  private static final int VIEW = 5;
  private static final String WORDS = "abandon ".repeat(23) + "art";

  private TestKeys keys;

  @BeforeAll
  void make() {
    keys = TestKeys.of(NetworkKind.REGULATED);
  }

  private byte[] creation(byte[] manifestKey) throws IOException {
    return NativeRequest.detached()
        .text(TestKeys.NETWORK.value())
        .bytes(manifestKey)
        .u32(1)
        .text("development")
        .sized(Files.readAllBytes(keys.dir.resolve("manifest.json")))
        .sized(Files.readAllBytes(keys.dir.resolve("manifest.sig")))
        .sized(Files.readAllBytes(keys.dir.resolve("transfer.vk")))
        .sized(new byte[0])
        .sized(new byte[0])
        .u8(0)
        .text("EUR")
        .sized(new byte[0])
        .sized(new byte[0])
        .sized(new byte[0])
        .sized(new byte[0])
        .u8(0)
        .sized(new byte[0])
        .text("")
        .u32(0)
        .text(WORDS)
        .take();
  }

  private static byte[] event(int kind, byte[] body) {
    return NativeRequest.detached()
        .u8(5)
        .bytes(new byte[16])
        .u64(1_795_000_000_000L)
        .bytes(new byte[32])
        .u8(kind)
        .sized(body)
        .take();
  }

  private static byte[] sized(NativeReply reply) {
    return reply.bytes(reply.u32());
  }

  @Test
  void restoresAPhraseAndAsksTheHost() throws IOException {
    WalletCore.Step made = WalletCore.step(new byte[0], event(CREATE, creation(keys.manifestKey)));
    NativeReply effects =
        NativeReply.untrusted(WalletCore.step(made.state(), event(LOOK, new byte[0])).effects());
    assertThat(effects.u32()).isEqualTo(1);
    assertThat(effects.u8()).isEqualTo(VIEW);
    NativeReply view = NativeReply.untrusted(sized(effects));
    assertThat(view.text()).startsWith("sld1").hasSizeGreaterThan(160);
    assertThat(view.u8()).as("registered").isZero();
    assertThat(view.u8()).as("restoring").isEqualTo(1);

    byte[] receive =
        NativeRequest.detached().text("first").u8(RECEIVE).text("").u64(0).text("").u32(0).take();
    WalletCore.Step asked = WalletCore.step(made.state(), event(COMMAND, receive));
    WalletCore.Step again = WalletCore.step(made.state(), event(COMMAND, receive));
    assertThat(again.state()).isEqualTo(asked.state());
    assertThat(again.effects()).isEqualTo(asked.effects());
    NativeReply first = NativeReply.untrusted(asked.effects());
    assertThat(first.u32()).isEqualTo(1);
    assertThat(first.u8()).isEqualTo(HTTP);
    NativeReply exchange = NativeReply.untrusted(sized(first));
    assertThat(exchange.u64()).as("number").isEqualTo(1);
    assertThat(exchange.u8()).as("role").isEqualTo(1);
    assertThat(exchange.text()).isEqualTo("GET");
    assertThat(exchange.text()).isEqualTo("/v1/info");
  }

  @Test
  void refusesAManifestThatThePinnedKeyDidNotSign() throws IOException {
    byte[] event = event(CREATE, creation(new byte[32]));
    NativeException e =
        catchThrowableOfType(NativeException.class, () -> WalletCore.step(new byte[0], event));
    assertThat(e.code()).isEqualTo(NativeErrorCode.KEYS_MANIFEST);
  }
}
