package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.authority.shard.Submitted.Transfer;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.TransferRequest;
import org.junit.jupiter.api.Test;

class DecodingTest {

  private static final NetworkId NETWORK = new NetworkId("decoding-test");
  private final Decoding decoding = new Decoding(NETWORK, NetworkKind.REGULATED);
  private final TransferRequest plain = Codecs.toWire(new RandomTransfers(NETWORK).next());

  @Test
  void aGatewaysHintGoesToTheSignerAndIsNotStored() {
    TransferRequest marked = plain.toBuilder().setDoubtful(true).build();
    Transfer transfer = decoding.transfer(marked).request();
    assertThat(transfer.message()).as("stored").isEqualTo(plain);
    assertThat(transfer.toCheck()).as("sent to the signer").isEqualTo(marked);
  }

  @Test
  void aHintChangesNothingAboutTheTransfer() {
    TransferRequest marked = plain.toBuilder().setDoubtful(true).build();
    assertThat(decoding.transfer(marked).core()).isEqualTo(decoding.transfer(plain).core());
    assertThat(decoding.transfer(plain).request().toCheck()).isEqualTo(plain);
  }
}
