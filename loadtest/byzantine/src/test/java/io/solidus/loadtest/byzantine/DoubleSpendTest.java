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
import org.junit.jupiter.api.Test;

/**
 * A wallet that spends the same coins twice: it takes one transfer to some authorities and another
 * to the rest, and then both to the gateway, while some authorities sign both.
 */
class DoubleSpendTest {
  private static final int N = 4;
  private static final List<ManagedChannel> CHANNELS = new ArrayList<>();
  private static Rig rig;

  @BeforeAll
  static void start() {
    rig = new Rig(N, 1);
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

  /**
   * With f+1 the assumption is broken and so is the protection; a harness that does not see it
   * would see nothing.
   */
  @Test
  void isSeenWithTwoLiars() {
    for (Set<Integer> liars : List.of(Set.of(1, 2), Set.of(2, 4), Set.of(3, 4))) {
      for (List<Integer> half : halves(liars)) {
        DoubleSpends detector = new DoubleSpends(rig.world);
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
   * How many of two conflicting transfers are certified, when the correct authorities of {@code
   * half} see the first one first.
   */
  private static int certificates(Set<Integer> liars, List<Integer> half, DoubleSpends detector) {
    rig.peace();
    liars.forEach(liar -> rig.authority(liar).attack(Attack.SIGNS_BOTH));
    List<TransferRequest> pair = rig.world.conflict();
    for (int authority = 1; authority <= N; authority++) {
      for (TransferRequest request :
          liars.contains(authority) ? pair : List.of(pair.get(half.contains(authority) ? 0 : 1))) {
        SubmitReply reply =
            ValidatorServiceGrpc.newBlockingStub(CHANNELS.get(authority - 1))
                .submitTransfer(Codecs.toWire(request));
        detector.saw(request, List.of(Codecs.toDomain(reply.getSigned())));
      }
    }
    CorrectWallet eye = new CorrectWallet(rig.world, rig.rest, detector);
    return (int) pair.stream().filter(eye::certified).count();
  }

  /** Every way to tell the correct authorities apart. */
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
