package io.solidus.edge.gateway;

import io.solidus.dev.testkit.Generators;
import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.G2Point;
import io.solidus.protocol.NetworkId;
import java.util.List;
import java.util.stream.IntStream;

/** A committee with arbitrary public keys, for tests that verify no signature. */
public final class SyntheticCommittee {
  private SyntheticCommittee() {}

  /** A committee of 3f+1 members. */
  public static Committee of(NetworkId network, int f) {
    Generators random = new Generators(f);
    byte[] bytes = new byte[G2Point.BYTES];
    bytes[G2Point.BYTES - 1] = 1;
    G2Point point = new G2Point(bytes);
    List<CommitteeMember> members =
        IntStream.rangeClosed(1, 3 * f + 1)
            .mapToObj(
                index -> new CommitteeMember(index, point, point, random.point(), new byte[32]))
            .toList();
    return new Committee(network, 0, f, point, point, random.point(), members);
  }
}
