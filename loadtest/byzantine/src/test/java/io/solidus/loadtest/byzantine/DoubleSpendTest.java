package io.solidus.loadtest.byzantine;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SubmitReply;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A wallet spends the same coins twice: it sends one transfer to some authorities, another one to
 * the others, and then both to the gateway, while Byzantine authorities sign both.
 */
@Tag("process")
class DoubleSpendTest {
  private static final int N = 4;
  private static final List<ManagedChannel> CHANNELS = new ArrayList<>();
  private static GatewayRig rig;

  @BeforeAll
  static void start() {
    rig = new GatewayRig(N, 1);
    rig.authorities.forEach(
        a -> CHANNELS.add(NettyChannelBuilder.forTarget(a.address()).usePlaintext().build()));
  }

  @AfterAll
  static void stop() throws IOException {
    CHANNELS.forEach(ManagedChannel::shutdownNow);
    rig.close();
  }

  @Test
  void neverHappensWithOneLiarWhateverTheSplit() {
    for (int liar = 1; liar <= N; liar++) {
      Set<Integer> liars = Set.of(liar);
      for (List<Integer> half : halves(liars)) {
        assertThat(certificates(liars, half))
            .as("liar %s, split %s", liars, half)
            .isLessThanOrEqualTo(1);
      }
    }
    assertThat(rig.doubleSpends.reported()).isEmpty();
    assertThat(rig.doubleSpends.seen()).isPositive();
  }

  /** With f+1 Byzantine authorities double spending succeeds, and the detector must report it. */
  @Test
  void isSeenWithTwoLiars() {
    for (Set<Integer> liars : List.of(Set.of(1, 2), Set.of(2, 4), Set.of(3, 4))) {
      for (List<Integer> half : halves(liars)) {
        DoubleSpendDetector detector = new DoubleSpendDetector(rig.network);
        int certificates = certificates(liars, half, detector);
        boolean split = half.size() == 1;
        assertThat(certificates).as("liars %s, split %s", liars, half).isEqualTo(split ? 2 : 1);
        assertThat(detector.reported().isEmpty())
            .as("liars %s, split %s", liars, half)
            .isEqualTo(!split);
      }
    }
  }

  private static int certificates(Set<Integer> liars, List<Integer> half) {
    return certificates(liars, half, rig.doubleSpends);
  }

  /**
   * The number of two conflicting transfers that are certified, when the correct authorities of
   * {@code half} receive the first one first.
   */
  private static int certificates(
      Set<Integer> liars, List<Integer> half, DoubleSpendDetector detector) {
    rig.endAttacks();
    liars.forEach(liar -> rig.authority(liar).attack(Attack.SIGNS_BOTH));
    List<TransferRequest> pair = rig.network.conflict();
    for (int authority = 1; authority <= N; authority++) {
      for (TransferRequest request :
          liars.contains(authority) ? pair : List.of(pair.get(half.contains(authority) ? 0 : 1))) {
        SubmitReply reply =
            ValidatorServiceGrpc.newBlockingStub(CHANNELS.get(authority - 1))
                .submitTransfer(Codecs.toWire(request));
        detector.saw(request, List.of(Codecs.toDomain(reply.getSigned())));
      }
    }
    CorrectWallet eye = new CorrectWallet(rig.network, rig.rest, detector);
    return (int) pair.stream().filter(eye::certified).count();
  }

  /** Every subset of the correct authorities. */
  private static List<List<Integer>> halves(Set<Integer> liars) {
    List<Integer> correct = new ArrayList<>();
    for (int authority = 1; authority <= N; authority++) {
      if (!liars.contains(authority)) {
        correct.add(authority);
      }
    }
    List<List<Integer>> halves = new ArrayList<>();
    halves.add(List.of());
    for (Integer authority : correct) {
      for (List<Integer> half : List.copyOf(halves)) {
        halves.add(Stream.concat(half.stream(), Stream.of(authority)).toList());
      }
    }
    return halves;
  }
}
