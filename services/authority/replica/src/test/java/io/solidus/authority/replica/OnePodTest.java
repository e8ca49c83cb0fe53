package io.solidus.authority.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.util.unit.DataSize;

/** An operator scales the StatefulSet to two: the second pod gets no key to sign with. */
class OnePodTest {
  @TempDir private Path folder;

  @Test
  void onlyTheFirstPodHasTheKeys() throws Exception {
    assertThat(keys("authority-1-replica-0", "authority-1-replica-0")).isNotNull();
    assertThatIllegalStateException()
        .isThrownBy(() -> keys("authority-1-replica-0", "authority-1-replica-1"))
        .withMessageContaining("this is authority-1-replica-1")
        .withMessageContaining("only authority-1-replica-0 may sign")
        .withMessageContaining("scale its StatefulSet to 1");
    assertThatIllegalStateException().isThrownBy(() -> keys("authority-1-replica-0", ""));
  }

  @Test
  void withoutANameAnyHostRunsIt() throws Exception {
    assertThat(keys(null, "a-machine")).isNotNull();
  }

  private ReplicaKeys keys(@Nullable String pod, String host) throws Exception {
    Path key = folder.resolve("replica.key");
    Files.writeString(key, "32 bytes that count as random...");
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(new MapPropertySource("the pod's", Map.of("HOSTNAME", host)));
    ReplicaProperties properties =
        new ReplicaProperties(
            ServedTables.NETWORK.value(),
            1,
            "http://127.0.0.1:1",
            key,
            DataSize.ofMegabytes(1),
            null,
            DataSize.ofGigabytes(1),
            false,
            Duration.ofSeconds(1),
            1,
            4,
            Duration.ofSeconds(5),
            pod);
    return new ReplicaConfiguration().replicaKeys(properties, environment);
  }
}
