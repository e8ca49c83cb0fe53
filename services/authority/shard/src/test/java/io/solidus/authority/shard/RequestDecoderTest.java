package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.TransferRequest;
import org.junit.jupiter.api.Test;

class RequestDecoderTest {

  private static final NetworkId NETWORK = new NetworkId("decoding-test");
  private final RequestDecoder decoder = new RequestDecoder(NETWORK, NetworkKind.REGULATED);
  private final TransferRequest plain = Codecs.toWire(new RandomTransfers(NETWORK).next());

  @Test
  void sendsTheHintOfTheGatewayToTheSignerWithoutStoringIt() {
    TransferRequest marked = plain.toBuilder().setDoubtful(true).build();
    Transfer transfer = decoder.transfer(marked).content();
    assertThat(transfer.message()).as("stored").isEqualTo(plain);
    assertThat(transfer.toCheck()).as("sent to the signer").isEqualTo(marked);
  }

  @Test
  void theHintDoesNotChangeTheTransfer() {
    TransferRequest marked = plain.toBuilder().setDoubtful(true).build();
    assertThat(decoder.transfer(marked).core()).isEqualTo(decoder.transfer(plain).core());
    assertThat(decoder.transfer(plain).content().toCheck()).isEqualTo(plain);
  }
}
