package io.solidus.operator.sanctions.checkpoint;

import io.solidus.operator.sanctions.SanctionsProperties;
import io.solidus.operator.sanctions.address.AddressStore;
import io.solidus.platform.audit.AuditLog;
import io.solidus.platform.outbox.Events;
import io.solidus.platform.outbox.Outbox;
import io.solidus.platform.outbox.Topics;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionList;
import io.solidus.protocol.SignedNote;
import io.solidus.prover.SanctionTree;
import io.solidus.wire.v1.CheckpointPublished;
import io.solidus.wire.v1.EventEnvelope;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Publishes the listed addresses as the next version. Versions only grow and never change. A note
 * is signed only for a list that the same transaction stores.
 */
@Service
class Checkpoints {
  private static final Logger log = LoggerFactory.getLogger(Checkpoints.class);
  private static final byte[] KEY = "checkpoint".getBytes(StandardCharsets.US_ASCII);

  private final CheckpointStore store;
  private final AddressStore addresses;
  private final Outbox outbox;
  private final NetworkId network;
  private final NoteSigner signer;
  private final AuditLog audit;
  private final String publicUrl;
  private final Clock clock;

  Checkpoints(
      CheckpointStore store,
      AddressStore addresses,
      Outbox outbox,
      NetworkId network,
      @Qualifier("checkpointSigner") NoteSigner signer,
      AuditLog audit,
      SanctionsProperties properties,
      Clock clock) {
    this.store = store;
    this.addresses = addresses;
    this.outbox = outbox;
    this.network = network;
    this.signer = signer;
    this.audit = audit;
    this.publicUrl = properties.publicUrl();
    this.clock = clock;
  }

  /** The newest checkpoint; {@code created} is false when it already had this list. */
  record Result(PublishedCheckpoint checkpoint, boolean created) {}

  @Transactional
  public Result publish(String operator) {
    store.lock();
    byte[] keys = addresses.sortedKeys();
    Digest32 digest = SanctionList.fromBytes(keys).digest(network);
    Optional<PublishedCheckpoint> newest = store.newest();
    if (newest.isPresent() && newest.get().listDigest().equals(digest)) {
      return new Result(newest.get(), false);
    }
    long version = newest.map(PublishedCheckpoint::version).orElse(0L) + 1;
    Instant now = clock.instant();
    SanctionCheckpoint checkpoint =
        new SanctionCheckpoint(version, root(keys), keys.length / 20, digest, now.toEpochMilli());
    String note = SignedNote.sign(checkpoint.toNoteText(network), signer).encode();
    store.insert(checkpoint, note, keys, operator);
    outbox.append(Topics.SANCTIONS_CHECKPOINTS, KEY, event(version, note));
    audit.add(operator, "checkpoint published", Long.toString(version));
    log.info("sanction checkpoint {} published, {} addresses", version, checkpoint.size());
    return new Result(new PublishedCheckpoint(version, note, digest, checkpoint.size()), true);
  }

  /** Since when the approved list differs from the newest checkpoint; empty when it does not. */
  @Transactional(readOnly = true)
  public Optional<Instant> differsSince() {
    return store
        .oldestAfterNewest()
        .filter(since -> {
          Digest32 digest = SanctionList.fromBytes(addresses.sortedKeys()).digest(network);
          return store.newest().filter(newest -> newest.listDigest().equals(digest)).isEmpty();
        });
  }

  private FieldElement root(byte[] keys) {
    try (SanctionTree tree = SanctionTree.build(network, keys)) {
      return tree.root();
    }
  }

  private EventEnvelope event(long version, String note) {
    return Events.envelope("checkpoint-published", clock)
        .setCheckpointPublished(
            CheckpointPublished.newBuilder()
                .setCheckpointNote(note)
                .setListUrl(publicUrl + listPath(version)))
        .build();
  }

  static String listPath(long version) {
    return "/v1/sanctions/checkpoints/" + version + "/list";
  }
}
