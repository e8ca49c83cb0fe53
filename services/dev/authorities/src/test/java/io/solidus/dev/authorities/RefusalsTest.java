package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.authority.common.PostgresSafety;
import io.solidus.authority.signer.SignerApplication;
import io.solidus.dev.authorities.world.Authority;
import io.solidus.dev.authorities.world.RegulatedWorld;
import io.solidus.dev.processes.PostgresServer;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What a validator does not even start with. */
class RefusalsTest {

  @TempDir private static Path folder;
  private static RegulatedWorld world;

  private Authority authority;

  @BeforeAll
  static void start() {
    world = RegulatedWorld.create();
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  @AfterEach
  void close() {
    if (authority != null) {
      authority.close();
    }
  }

  @Test
  void aDatabaseThatAcknowledgesBeforeItHasWritten() {
    fresh("unsafe_commit");
    world.postgres.execute("postgres", "ALTER DATABASE unsafe_commit SET synchronous_commit = off");
    refusesSigner("synchronous_commit = off");
    assertThatThrownBy(() -> authority.startShard(0))
        .hasStackTraceContaining("synchronous_commit = off");
  }

  @Test
  void aDatabaseThatWaitsForNoStandby() {
    fresh("local_commit");
    world.postgres.execute(
        "postgres", "ALTER DATABASE local_commit SET synchronous_commit = local");
    refusesSigner("synchronous_commit = local");
  }

  @Test
  void aSplitWithoutTheStandbysThatTheAuthorityNeeds() {
    fresh("lone_split").with("solidus.validator.synchronous-standbys", 1);
    assertThatThrownBy(() -> authority.split(0, 2, "middle"))
        .hasStackTraceContaining("this authority needs 1");
  }

  @Test
  void aServerThatDoesNotSync() {
    Map<String, String> careless = Map.of("fsync", "off", "full_page_writes", "on");
    try (PostgresServer postgres = PostgresServer.start(folder.resolve("careless"), careless)) {
      DataSource database = new DriverManagerDataSource(postgres.url("postgres"));
      assertThatThrownBy(() -> PostgresSafety.require(database))
          .isInstanceOf(PostgresSafety.UnsafeDatabaseException.class)
          .hasMessageContaining("fsync = off");
    }
  }

  @Test
  void aShareThatOthersCanRead() throws IOException {
    fresh("open_share").with("solidus.signer.share-file", copyOfShare(1, "rw-r-----"));
    refusesSigner("mode must be 0600");
  }

  @Test
  void theShareOfAnotherAuthority() throws IOException {
    fresh("other_share").with("solidus.signer.share-file", copyOfShare(2, "rw-------"));
    refusesSigner("another authority's");
  }

  @Test
  void aShareThatIsNotTheCommittees() throws IOException {
    Path share = copyOfShare(1, "rw-------");
    String text = Files.readString(share).replaceFirst("\"x\":\"[0-9a-f]{8}", "\"x\":\"00000001");
    Files.writeString(share, text);
    fresh("wrong_share").with("solidus.signer.share-file", share);
    refusesSigner("does not belong to the committee");
  }

  @Test
  void aShareFileThatIsNone() throws IOException {
    Path share = copyOfShare(1, "rw-------");
    Files.writeString(share, "{\"index\": 1, \"x\": \"zz\"}");
    fresh("no_share").with("solidus.signer.share-file", share);
    refusesSigner("malformed");
  }

  @Test
  void keysThatAnotherManifestKeySigned() {
    fresh("other_manifest")
        .with("solidus.network.manifest-key", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
    assertThatThrownBy(() -> authority.startSigner()).hasRootCauseInstanceOf(NativeException.class);
  }

  @Test
  void developmentKeysWhereOnlyCeremonyKeysAreAllowed() {
    fresh("ceremony_only").with("solidus.network.allowed-key-classes", "ceremony");
    refusesSigner("KEYS_CLASS");
  }

  @Test
  void keysOfAnotherKindOfNetwork() {
    fresh("other_kind").with("solidus.network.kind", "unregulated");
    refusesSigner("KEYS_KIND");
  }

  @Test
  void aNoteKeyThatTheManifestDoesNotName() throws IOException {
    Path key = folder.resolve("some-key");
    Files.write(key, TestRandom.bytes(32));
    fresh("other_note_key").with("solidus.validator.note-key-file", key);
    assertThatThrownBy(() -> authority.startShard(0))
        .hasStackTraceContaining("note key is not the one");
  }

  @Test
  void aMissingTrustKey() {
    fresh("no_trust").with("solidus.trust.policy", "");
    refusesSigner("solidus.trust.policy");
  }

  @Test
  void aSecondSignerOnTheSameLogWaitsAndSignsNothing() {
    fresh("second_signer");
    authority.startSigner();
    Authority second =
        new Authority(
            world.keys,
            world.sanctions,
            world.postgres,
            "second_signer_b",
            folder.resolve("second"),
            world.clock);
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
  void startsAsAnApplicationOfItsOwn() {
    assertThatThrownBy(() -> SignerApplication.start(Map.of("management.server.port", -1)))
        .as("nothing is guessed")
        .isInstanceOf(RuntimeException.class);
  }

  private Authority fresh(String database) {
    authority =
        new Authority(
            world.keys,
            world.sanctions,
            world.postgres,
            database,
            folder.resolve(database),
            world.clock);
    return authority;
  }

  private void refusesSigner(String reason) {
    assertThatThrownBy(() -> authority.startSigner()).hasStackTraceContaining(reason);
  }

  private Path copyOfShare(int index, String mode) throws IOException {
    Path copy = folder.resolve("share-" + System.nanoTime() + ".json");
    Files.copy(world.keys.shareFile(index), copy, StandardCopyOption.REPLACE_EXISTING);
    Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString(mode));
    return copy;
  }
}
