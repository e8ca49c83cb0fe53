package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.authority.common.PostgresSafety;
import io.solidus.authority.signer.SignerApplication;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.prover.NativeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Starts processes with unsafe or contradictory settings, which they must refuse. */
@Tag("process")
class RefusalsTest {

  @TempDir private static Path folder;
  private static RegulatedNetwork network;

  private final TestDatabase database = TestPostgres.newDatabase();
  private final TestAuthority authority = network.authority(database);

  @BeforeAll
  static void start() {
    network = RegulatedNetwork.create();
  }

  @AfterAll
  static void stop() {
    network.close();
  }

  @AfterEach
  void close() {
    authority.close();
  }

  @Test
  void refusesAsynchronousCommits() {
    commit("off");
    assertSignerRefuses("synchronous_commit = off");
    assertThatThrownBy(() -> authority.startShard(0))
        .hasStackTraceContaining("synchronous_commit = off");
  }

  @Test
  void refusesLocalCommits() {
    commit("local");
    assertSignerRefuses("synchronous_commit = local");
  }

  @Test
  void refusesASplitWithoutTheRequiredStandbys() {
    authority.with("solidus.validator.synchronous-standbys", 1);
    assertThatThrownBy(() -> authority.split(0, 2, "middle"))
        .hasStackTraceContaining("this authority needs 1");
  }

  @Test
  void refusesAServerWithoutFsync() {
    Map<String, String> unsafe = Map.of("fsync", "off", "full_page_writes", "on");
    try (PostgresServer postgres = PostgresServer.start(folder.resolve("unsafe"), unsafe)) {
      DataSource database = new DriverManagerDataSource(postgres.url("postgres"));
      assertThatThrownBy(() -> PostgresSafety.require(database))
          .isInstanceOf(PostgresSafety.UnsafeDatabaseException.class)
          .hasMessageContaining("fsync = off");
    }
  }

  @Test
  void refusesAShareFileThatOthersCanRead() throws IOException {
    authority.with("solidus.signer.share-file", copyOfShare(1, "rw-r-----"));
    assertSignerRefuses("mode must be 0600");
  }

  @Test
  void refusesTheShareOfAnotherAuthority() throws IOException {
    authority.with("solidus.signer.share-file", copyOfShare(2, "rw-------"));
    assertSignerRefuses("belongs to another authority");
  }

  @Test
  void refusesAShareOfAnotherCommittee() throws IOException {
    Path share = copyOfShare(1, "rw-------");
    String text = Files.readString(share).replaceFirst("\"x\":\"[0-9a-f]{8}", "\"x\":\"00000001");
    Files.writeString(share, text);
    authority.with("solidus.signer.share-file", share);
    assertSignerRefuses("does not belong to the committee");
  }

  @Test
  void refusesAMalformedShareFile() throws IOException {
    Path share = copyOfShare(1, "rw-------");
    Files.writeString(share, "{\"index\": 1, \"x\": \"zz\"}");
    authority.with("solidus.signer.share-file", share);
    assertSignerRefuses("malformed");
  }

  @Test
  void refusesKeysSignedByAnotherManifestKey() {
    authority.with("solidus.network.manifest-key", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
    assertThatThrownBy(() -> authority.startSigner()).hasRootCauseInstanceOf(NativeException.class);
  }

  @Test
  void refusesDevelopmentKeysWhenOnlyCeremonyKeysAreAllowed() {
    authority.with("solidus.network.allowed-key-classes", "ceremony");
    assertSignerRefuses("KEYS_CLASS");
  }

  @Test
  void refusesKeysOfAnotherNetworkKind() {
    authority.with("solidus.network.kind", "unregulated");
    assertSignerRefuses("KEYS_KIND");
  }

  @Test
  void refusesANoteKeyThatIsNotInTheManifest() throws IOException {
    Path key = folder.resolve("some-key");
    Files.write(key, TestRandom.bytes(32));
    authority.with("solidus.validator.note-key-file", key);
    assertThatThrownBy(() -> authority.startShard(0))
        .hasStackTraceContaining("note key is not the one");
  }

  @Test
  void refusesAMissingTrustKey() {
    authority.with("solidus.trust.policy", "");
    assertSignerRefuses("solidus.trust.policy");
  }

  @Test
  void aSecondSignerOnTheSameLogIsOutOfService() {
    authority.startSigner();
    TestAuthority second = network.authority(TestPostgres.newDatabase());
    second.with("solidus.signer.sign-log", authority.signLog());
    try (second) {
      second.startSigner();
      HealthIndicator health =
          second.signerContext().getBean("signerHealth", HealthIndicator.class);
      assertThat(health.health().getStatus().getCode()).isEqualTo("OUT_OF_SERVICE");
    }
    assertThat(authority.signerContext().isRunning()).isTrue();
  }

  @Test
  void refusesAnEmptyConfiguration() {
    assertThatThrownBy(() -> SignerApplication.start(Map.of("management.server.port", -1)))
        .as("no required property has a default")
        .isInstanceOf(RuntimeException.class);
  }

  private void commit(String mode) {
    String name = database.jdbc().sql("SELECT current_database()").query(String.class).single();
    database.jdbc().sql("ALTER DATABASE " + name + " SET synchronous_commit = " + mode).update();
  }

  private void assertSignerRefuses(String reason) {
    assertThatThrownBy(() -> authority.startSigner()).hasStackTraceContaining(reason);
  }

  private Path copyOfShare(int index, String mode) throws IOException {
    Path copy = folder.resolve("share-" + System.nanoTime() + ".json");
    Files.copy(network.keys.shareFile(index), copy, StandardCopyOption.REPLACE_EXISTING);
    Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString(mode));
    return copy;
  }
}
