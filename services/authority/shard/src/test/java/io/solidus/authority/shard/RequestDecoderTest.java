package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferFamilies;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.TransferRequest;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class RequestDecoderTest {

  private static final NetworkId NETWORK = new NetworkId("decoding-test");
  private final RequestDecoder decoder =
      new RequestDecoder(NETWORK, TransferFamilies.of(NetworkKind.REGULATED));
  private final TransferRequest plain = Codecs.toWire(new RandomTransfers(NETWORK).next());

  @Test
  void sendsTheHintOfTheGatewayToTheSignerWithoutStoringIt() {
    TransferRequest marked = plain.toBuilder().setDoubtful(true).build();
    Transfer transfer = decoder.transfer(marked).content();
    assertThat(transfer.message()).as("stored").isEqualTo(plain);
    assertThat(transfer.toCheck()).as("sent to the signer").isEqualTo(marked);
  }

  /** A claim of 16 is taken exactly where the network's keys have its shape. */
  @Test
  @Spec("V-40")
  void aClaimOfSixteenIsAnUnknownFamilyWithoutItsShape() {
    TransferRequest claim = Codecs.toWire(new RandomTransfers(NETWORK).claim());
    RequestDecoder installed =
        new RequestDecoder(
            NETWORK, new TransferFamilies(NetworkKind.REGULATED, Set.of(Family.CLAIM_16)));
    assertThat(installed.transfer(claim).serials()).hasSize(17);
    assertThat(installed.transfer(plain).serials()).hasSize(3);
    assertThat(refusal(() -> decoder.transfer(claim))).isEqualTo(unknownFamily());
  }

  private RejectionCode unknownFamily() {
    TransferRequest.Builder unknown = plain.toBuilder();
    unknown.getStatementBuilder().setFamily(99);
    return refusal(() -> decoder.transfer(unknown.build()));
  }

  private static RejectionCode refusal(ThrowingCallable call) {
    return catchThrowableOfType(ProtocolException.class, call).code();
  }

  @Test
  void theHintDoesNotChangeTheTransfer() {
    TransferRequest marked = plain.toBuilder().setDoubtful(true).build();
    assertThat(decoder.transfer(marked).core()).isEqualTo(decoder.transfer(plain).core());
    assertThat(decoder.transfer(plain).content().toCheck()).isEqualTo(plain);
  }
}
