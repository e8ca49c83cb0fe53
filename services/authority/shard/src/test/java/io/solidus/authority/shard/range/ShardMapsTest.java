package io.solidus.authority.shard.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.OwnershipRow;
import io.solidus.authority.common.ShardSchema;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteKeys;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.Spec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The maps that a shard accepts, and its bootstrap. */
@Tag("process")
class ShardMapsTest {

  private static final NetworkId NETWORK = new NetworkId("maps-test");
  private static final NoteSigner SIGNER =
      NoteSigner.fromSeed(CommitteeMember.noteName(1), new byte[32]);
  private final DataSource database = fresh();
  private final JdbcClient jdbc = JdbcClient.create(database);
  private final TransactionTemplate transaction =
      new TransactionTemplate(new JdbcTransactionManager(database));
  private final ShardBootstrap bootstrap = new ShardBootstrap(jdbc, transaction, NETWORK, SIGNER);

  private static DataSource fresh() {
    DataSource database = TestPostgres.newDatabase().dataSource();
    AuthorityDatabase.open(database);
    return database;
  }

  @Test
  void theFirstShardSignsVersionOne() {
    CompletableFuture<?>[] starts = new CompletableFuture<?>[4];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = CompletableFuture.runAsync(() -> bootstrap.establishMap(1, 2));
    }
    CompletableFuture.allOf(starts).join();
    bootstrap.establishMap(1, 3);
    assertThat(maps().newest().map()).isEqualTo(ShardMap.equal(1, 1, 2));
    assertThat(ShardMap.signed(NETWORK, 1, SIGNER.publicKey(), maps().newest().note()))
        .isEqualTo(ShardMap.equal(1, 1, 2));
  }

  @Test
  void takesTheRangeOfTheMapAndWaitsWithoutOne() {
    bootstrap.establishMap(1, 2);
    for (int shard = 0; shard < 3; shard++) {
      ShardSchema.migrate(database, shard);
      bootstrap.establishRange(maps(), shard);
      bootstrap.establishRange(maps(), shard);
    }
    assertThat(row(1)).contains(new OwnershipRow(1, ShardMap.equal(2).ranges().get(1), false));
    assertThat(row(2)).isEmpty();
  }

  @Test
  void anInstallationFromBeforeMapsContinues() {
    owned(0, 1, ShardMap.equal(2));
    owned(1, 1, ShardMap.equal(2));
    bootstrap.establishMap(1, 2);
    bootstrap.establishRange(maps(), 1);
    assertThat(maps().newest().map()).isEqualTo(ShardMap.equal(1, 1, 2));
  }

  @Test
  void signsNoFirstMapThatContradictsARow() {
    owned(0, 1, ShardMap.equal(2));
    assertThatThrownBy(() -> bootstrap.establishMap(1, 3))
        .hasMessageContaining("owns another range");
    assertThat(maps().none()).isTrue();
    bootstrap.establishMap(1, 2);
  }

  @Test
  void doesNotStartOnARowThatContradictsTheMap() {
    bootstrap.establishMap(1, 2);
    owned(0, 1, ShardMap.equal(3));
    assertThatThrownBy(() -> bootstrap.establishRange(maps(), 0))
        .hasMessageContaining("owns another range");
    owned(1, 2, ShardMap.equal(2));
    assertThatThrownBy(() -> bootstrap.establishRange(maps(), 1))
        .as("a newer map is missing")
        .hasMessageContaining("owns another range");
    owned(2, 1, ShardMap.equal(3));
    assertThatThrownBy(() -> bootstrap.establishRange(maps(), 2))
        .hasMessageContaining("owns another range");
  }

  @Test
  @Spec("V-18")
  void ignoresMapsThatItsAuthorityDidNotSign() {
    bootstrap.establishMap(1, 2);
    ShardMaps maps = maps();
    ShardMap second = maps.newest().map().split(0, maps.newest().map().ranges().get(0).middle());
    NoteSigner other =
        NoteSigner.fromSeed(
            CommitteeMember.noteName(1),
            new byte[] {
              1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
              25, 26, 27, 28, 29, 30, 31, 32
            });
    add(2, second.sign(NETWORK, other));
    add(3, second.sign(NETWORK, SIGNER));
    add(4, second.sign(new NetworkId("other-net"), SIGNER));
    add(5, ShardMap.equal(2, 5, 2).sign(NETWORK, SIGNER));
    add(6, "nonsense");
    maps.refresh();
    assertThat(maps.newest().map().version())
        .as("other key, other version, other network, other authority, no note")
        .isEqualTo(1);
    ShardMap true7 = new ShardMap(1, 7, second.ranges());
    add(7, true7.sign(NETWORK, SIGNER));
    maps.refresh();
    assertThat(maps.newest().map()).isEqualTo(true7);
  }

  @Test
  void mapsAreForEver() {
    bootstrap.establishMap(1, 2);
    for (String change :
        List.of(
            "UPDATE authority.shard_maps SET note = ''",
            "DELETE FROM authority.shard_maps",
            "TRUNCATE authority.shard_maps CASCADE")) {
      assertThatThrownBy(() -> jdbc.sql(change).update())
          .as(change)
          .hasStackTraceContaining("are for ever");
    }
  }

  @Test
  @Spec("V-18")
  void anOlderMapNeverReplacesANewerOne() {
    bootstrap.establishMap(1, 2);
    add(9, ShardMap.equal(1, 9, 3).sign(NETWORK, SIGNER));
    ShardMaps maps = maps();
    add(4, ShardMap.equal(1, 4, 4).sign(NETWORK, SIGNER));
    maps.refresh();
    assertThat(maps.newest().map().version()).isEqualTo(9);
  }

  /**
   * A recovered authority has a new note key: its maps are signed with the lost one, and their rows
   * are for ever. The first shard that starts signs the same ranges again.
   */
  @Test
  @Spec("V-22")
  void aChangedNoteKeyRenewsTheMap() {
    bootstrap.establishMap(1, 2);
    owned(0, 1, ShardMap.equal(2));
    NoteSigner fresh = NoteSigner.fromSeed(CommitteeMember.noteName(1), seed(7));
    ShardBootstrap restarted = new ShardBootstrap(jdbc, transaction, NETWORK, fresh);
    assertThatThrownBy(() -> restarted.renewMap(maps(fresh, Instant.MIN)))
        .as("the former key does not count any more")
        .hasMessageContaining("no shard map yet");
    ShardMaps maps = maps(fresh, Instant.MAX);
    restarted.establishMap(1, 2);
    restarted.renewMap(maps);
    restarted.renewMap(maps);
    restarted.establishRange(maps, 0);
    ShardSchema.migrate(database, 1);
    restarted.establishRange(maps, 1);
    assertThat(maps.newest().map()).isEqualTo(ShardMap.equal(1, 2, 2));
    assertThat(ShardMap.signed(NETWORK, 1, fresh.publicKey(), maps.newest().note()))
        .isEqualTo(maps.newest().map());
  }

  @Test
  @Spec("V-22")
  void aRenewedMapContradictsNoRow() {
    bootstrap.establishMap(1, 2);
    owned(0, 1, ShardMap.equal(3));
    NoteSigner fresh = NoteSigner.fromSeed(CommitteeMember.noteName(1), seed(7));
    ShardMaps maps = maps(fresh, Instant.MAX);
    assertThatThrownBy(() -> new ShardBootstrap(jdbc, transaction, NETWORK, fresh).renewMap(maps))
        .hasMessageContaining("owns another range");
    assertThat(maps().newest().map().version()).isEqualTo(1);
  }

  /** Attack: a map that was signed with the lost key, put into the database after its time. */
  @Test
  @Spec("V-22")
  void aLostKeySignsNoMapAfterItsTime() {
    NoteSigner fresh = NoteSigner.fromSeed(CommitteeMember.noteName(1), seed(7));
    new ShardBootstrap(jdbc, transaction, NETWORK, fresh).establishMap(1, 2);
    add(2, ShardMap.equal(1, 2, 3).sign(NETWORK, SIGNER));
    ShardMaps maps = maps(fresh, Instant.now().minusSeconds(1));
    maps.refresh();
    assertThat(maps.newest().map().version()).isEqualTo(1);
  }

  private ShardMaps maps(NoteSigner fresh, Instant until) {
    return new ShardMaps(
        jdbc,
        NETWORK,
        1,
        new NoteKeys(fresh.publicKey(), List.of(new NoteKeys.Former(SIGNER.publicKey(), until))),
        InstantSource.system());
  }

  private static byte[] seed(int value) {
    byte[] seed = new byte[32];
    seed[0] = (byte) value;
    return seed;
  }

  @Test
  void failsWithoutAnyMap() {
    assertThatThrownBy(() -> maps().newest()).hasMessageContaining("no shard map yet");
  }

  private ShardMaps maps() {
    ShardMaps maps = new ShardMaps(jdbc, NETWORK, 1, SIGNER.publicKey());
    maps.refresh();
    return maps;
  }

  private void owned(int shard, long version, ShardMap map) {
    ShardSchema.migrate(database, shard);
    OwnershipRow.insert(jdbc, ShardSchema.name(shard), version, map.ranges().get(shard));
  }

  private Optional<OwnershipRow> row(int shard) {
    return OwnershipRow.read(jdbc, ShardSchema.name(shard));
  }

  private void add(long version, String note) {
    new ShardMapStore(jdbc).add(version, note);
  }
}
