package io.solidus.dev.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.SanctionKey;
import io.solidus.prover.DevelopmentKeys;
import io.solidus.prover.KeyClass;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

class ClusterTest {

  private static final NetworkId NETWORK = new NetworkId("validator-test");
  private static final SanctionKey LISTED =
      SanctionKey.fromHex("000000000102030405060708090a0b0c0d0e0f10");

  @Test
  void killedFrozenAndCutProcessesComeBack(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) {
    try (Cluster cluster =
        Cluster.start(
            ClusterOptions.of(developmentKeys(), 1, 2, folder),
            Cluster.policy(202606),
            List.of(LISTED))) {
      AuthorityProcesses authority = cluster.authority(1);
      assertThat(authority.names())
          .containsExactly("signer", "shard-0", "shard-1")
          .allMatch(authority::alive);

      authority.kill("shard-1");
      assertThat(authority.alive("shard-1")).isFalse();
      authority.start("shard-1");

      authority.database().kill();
      authority.database().restart();

      authority.freeze("shard-0");
      authority.thaw("shard-0");
      authority.link(0).be(Link.State.DOWN);
      authority.link(0).be(Link.State.UP);

      cluster.awaitServing(authority);
      assertThat(authority.names()).allMatch(authority::alive);
    }
  }

  private static NetworkFiles developmentKeys() {
    Path cache =
        Path.of(
            System.getProperty(
                "solidus.test.keys",
                Path.of(System.getProperty("user.home"), ".cache", "solidus", "test-keys")
                    .toString()));
    Path directory =
        DevelopmentKeys.directory(cache.resolve(NETWORK.value()), NETWORK, NetworkKind.REGULATED);
    byte[] manifestKey = DevelopmentKeys.make(directory, NETWORK, NetworkKind.REGULATED, 4);
    return new NetworkFiles(
        NETWORK, NetworkKind.REGULATED, KeyClass.DEVELOPMENT, directory, manifestKey);
  }
}
