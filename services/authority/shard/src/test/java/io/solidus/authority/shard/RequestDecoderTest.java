package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.protocol.Attachments;
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
    TransferRequest claim = Codecs.toWire(new RandomTransfers(NETWORK).shape(Family.CLAIM_16));
    RequestDecoder installed =
        new RequestDecoder(
            NETWORK, new TransferFamilies(NetworkKind.REGULATED, Set.of(Family.CLAIM_16)));
    assertThat(installed.transfer(claim).serials()).hasSize(17);
    assertThat(installed.transfer(plain).serials()).hasSize(3);
    assertThat(refusal(() -> decoder.transfer(claim))).isEqualTo(unknownFamily());
  }

  /** Each shape is taken for itself: a network with claims of 16 has no payments to eight. */
  @Test
  @Spec("V-40")
  void eightPaymentsAreAnUnknownFamilyWithoutTheirShape() {
    TransferRequest payments = Codecs.toWire(new RandomTransfers(NETWORK).shape(Family.PAY_8));
    RequestDecoder installed =
        new RequestDecoder(
            NETWORK, new TransferFamilies(NetworkKind.REGULATED, Set.of(Family.PAY_8)));
    RequestDecoder claims =
        new RequestDecoder(
            NETWORK, new TransferFamilies(NetworkKind.REGULATED, Set.of(Family.CLAIM_16)));
    assertThat(installed.transfer(payments).serials()).hasSize(3);
    assertThat(refusal(() -> decoder.transfer(payments))).isEqualTo(unknownFamily());
    assertThat(refusal(() -> claims.transfer(payments))).isEqualTo(unknownFamily());
  }

  /** The attack: a block that nobody needs, or one that marks the transfer. */
  @Test
  @Spec("F-82")
  void aMemoBlockHasTheLengthOfItsFamilys() {
    RequestDecoder installed =
        new RequestDecoder(
            NETWORK, new TransferFamilies(NetworkKind.REGULATED, Set.of(Family.PAY_8)));
    TransferRequest payments = Codecs.toWire(new RandomTransfers(NETWORK).shape(Family.PAY_8));
    assertThat(installed.transfer(payments).serials()).hasSize(3);
    for (int length : new int[] {0, 1024, 2561}) {
      assertThat(refusal(() -> installed.transfer(withMemo(payments, length))))
          .isEqualTo(RejectionCode.MALFORMED_REQUEST);
    }
    assertThat(refusal(() -> installed.transfer(withMemo(plain, Attachments.LONG_MEMO_BYTES))))
        .isEqualTo(RejectionCode.MALFORMED_REQUEST);
  }

  private static TransferRequest withMemo(TransferRequest request, int length) {
    TransferRequest.Builder other = request.toBuilder();
    other.getAttachmentsBuilder().setMemoBlock(ByteString.copyFrom(new byte[length]));
    return other.build();
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
