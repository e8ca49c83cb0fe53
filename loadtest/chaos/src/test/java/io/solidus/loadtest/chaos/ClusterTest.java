package io.solidus.loadtest.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Cluster;
import io.solidus.dev.processes.ClusterOptions;
import io.solidus.dev.processes.Link;
import io.solidus.dev.processes.NetworkFiles;
import io.solidus.dev.processes.ServiceRole;
import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.SanctionKey;
import io.solidus.prover.KeyClass;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The launcher of authorities, with the services it starts by name. */
@Tag("process")
class ClusterTest {

  private static final SanctionKey LISTED =
      SanctionKey.fromHex("000000000102030405060708090a0b0c0d0e0f10");

  @ParameterizedTest
  @EnumSource(ServiceRole.class)
  void everyRoleNamesAProgram(ServiceRole role) throws ReflectiveOperationException {
    assertThat(Class.forName(role.application()).getMethod("main", String[].class)).isNotNull();
  }

  @Test
  void processesComeBackAfterKillFreezeAndCutAndSplitTheirRange(
      @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) {
    ClusterOptions options = ClusterOptions.of(keys(), 1, 2, folder).withSpareShards(1);
    try (Cluster cluster = Cluster.start(options, Cluster.policy(202606), List.of(LISTED))) {
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

      authority.split("split", 0, 2);
      assertThat(authority.alive("shard-2")).isTrue();
      cluster.awaitServing(authority);
    }
  }

  private static NetworkFiles keys() {
    LoadTestKeys keys = LoadTestKeys.cached(new NetworkId("load-test"), NetworkKind.REGULATED, 4);
    return new NetworkFiles(
        keys.network(), keys.kind(), KeyClass.LOAD_TEST, keys.dir(), keys.manifestKeyBase64());
  }
}
