package io.solidus.dev.authorities.world;

import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.MovableClock;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.dev.testkit.world.Rules;
import io.solidus.dev.testkit.world.TestSanctions;
import io.solidus.dev.testkit.world.TestWallet;
import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.SanctionList;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.GetStatusRequest;
import io.solidus.wire.v1.SubmitReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A regulated network with one running authority, a policy and a checkpoint in force. */
public final class RegulatedWorld implements AutoCloseable {

  public static final int PERIOD = RandomTransfers.PERIOD;
  private static final SanctionKey LISTED =
      SanctionKey.fromHex("000000000102030405060708090a0b0c0d0e0f10");

  public final TestCommittee keys = TestCommittee.of(NetworkKind.REGULATED);
  public final MovableClock clock = new MovableClock();
  public final TestSanctions sanctions = new TestSanctions(keys.network(), clock);
  public final PostgresServer postgres;
  public final Authority authority;
  private final Path folder;
  private Policy policy;
  private SanctionCheckpoint checkpoint;
  private List<SanctionKey> listed = List.of(LISTED);

  private RegulatedWorld(Path folder) {
    this.folder = folder;
    this.postgres = PostgresServer.start(folder.resolve("postgres"));
    this.authority =
        new Authority(keys, sanctions, postgres, "authority_1", folder.resolve("authority"), clock);
    policy = TestSanctions.policy(1, PERIOD, 1_000, clock);
    sanctions.publish(policy);
    checkpoint = sanctions.publish(1, listed);
  }

  /** The caller may still configure the authority; {@link #start} runs it. */
  public static RegulatedWorld create() {
    try {
      return new RegulatedWorld(Files.createTempDirectory("validator-world"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public RegulatedWorld start() {
    authority.startAll();
    awaitReady();
    return this;
  }

  /** Shards only, with a signer that is not ours. */
  public RegulatedWorld startShards(String signerAddress) {
    authority.with("solidus.validator.signer", signerAddress);
    for (int i = 0; i < Authority.SHARDS; i++) {
      authority.startShard(i);
    }
    awaitShards();
    return this;
  }

  public Rules rules() {
    return new Rules(keys.network(), policy, checkpoint, new SanctionList(listed));
  }

  public void awaitReady() {
    awaitShards();
    Await.until(
        "the signer knows the newest facts",
        () -> authority.signerKnows(policy.version(), checkpoint.version()));
  }

  public void awaitShards() {
    for (int i = 0; i < Authority.SHARDS; i++) {
      int shard = i;
      Await.until(
          "shard " + i + " goes by the newest facts",
          () -> {
            var status =
                authority.validator(shard).getStatus(GetStatusRequest.getDefaultInstance());
            return status.getAccepting()
                && status.getPolicyVersion() == policy.version()
                && status.getCheckpointVersion() == checkpoint.version();
          });
    }
  }

  public void publishPolicy(long version, int period, long maxPerTransfer) {
    policy = TestSanctions.policy(version, period, maxPerTransfer, clock);
    sanctions.publish(policy);
    awaitReady();
  }

  public void publishCheckpoint(long version, SanctionKey... more) {
    listed = Stream.concat(listed.stream(), List.of(more).stream()).sorted().toList();
    checkpoint = sanctions.publish(version, listed);
    awaitReady();
  }

  public TestWallet wallet(Predicate<SerialNumber> leadSerial) {
    return TestWallet.holding(keys, 10_000, leadSerial);
  }

  public TestWallet walletOn(int shard) {
    return wallet(Authority.ownedBy(shard));
  }

  /** A draft whose first dummy is on the given shard and whose second is anywhere. */
  public TestWallet.Draft draft(TestWallet wallet, int dummyShard) {
    return draft(wallet, wallet.dummyRho(Authority.ownedBy(dummyShard)));
  }

  public TestWallet.Draft draft(TestWallet wallet, FieldElement firstDummy) {
    TestWallet recipient = walletOn(0);
    return wallet.draft(
        recipient.apk(), 10, new Period(PERIOD), firstDummy, wallet.dummyRho(serial -> true));
  }

  public SubmitReply submit(TransferRequest request) {
    int shard = Authority.ownerOf(request.statement().leadSerial());
    return authority.validator(shard).submitTransfer(Codecs.toWire(request));
  }

  public Amount limit() {
    return policy.maxPerTransfer();
  }

  public Path folder() {
    return folder;
  }

  @Override
  public void close() {
    authority.close();
    sanctions.close();
    postgres.close();
  }
}
