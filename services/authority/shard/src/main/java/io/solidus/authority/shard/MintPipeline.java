package io.solidus.authority.shard;

import io.solidus.authority.shard.SubmittedRequest.Mint;
import io.solidus.authority.shard.range.RetryOnShardMove;
import io.solidus.authority.spend.Failpoints;
import io.solidus.authority.spend.PipelineObserver.Stage;
import io.solidus.authority.spend.Siblings;
import io.solidus.authority.spend.SpendPipeline;
import io.solidus.authority.spend.batch.BatchLimits;
import io.solidus.authority.spend.batch.Batcher;
import io.solidus.authority.spend.batch.CheckPermits;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.v1.MintRequest;
import io.solidus.wire.v1.PartialSignature;
import java.util.EnumSet;
import java.util.Set;

/**
 * Assembles the pipeline of mints, as {@link TransferPipeline} that of transfers. A mint has one
 * serial number, derived from its mint id, so it never needs a sibling.
 */
final class MintPipeline implements AutoCloseable {
  private static final String KIND = "mint";
  private static final Set<Stage> STAGES =
      EnumSet.complementOf(EnumSet.of(Stage.SIBLINGS_LOOKUP, Stage.SIBLINGS_RESERVE));

  private final Batcher<QueuedMessage<MintRequest>, PartialSignature> queue;

  MintPipeline(
      ShardProperties.Batch properties,
      RequestDecoder decoder,
      MintAdmission admission,
      ShardStores stores,
      Siblings siblings,
      SignerStub signer,
      Failpoints failpoints,
      ShardMetrics metrics) {
    SpendPipeline<Mint, PartialSignature> pipeline =
        new SpendPipeline<>(
            stores.ownership()::ranges,
            admission,
            stores.spends(admission),
            siblings,
            new MintSignerClient(signer),
            failpoints,
            metrics.stageObserver(KIND, STAGES, () -> {}));
    SubmissionWork<MintRequest, Mint> work =
        new SubmissionWork<>(
            KIND,
            decoder::mint,
            new RetryOnShardMove<>(
                stores.ownership()::ranges, stores.ownership()::refresh, pipeline),
            MintPipeline::toMintConflict,
            metrics.spans());
    BatchLimits limits = properties.mints();
    queue =
        new Batcher<>(
            "mints", limits, work, new CheckPermits(limits.workers()), metrics.batchObserver(KIND));
    metrics.registerQueue(KIND, queue);
  }

  Batcher<QueuedMessage<MintRequest>, PartialSignature> queue() {
    return queue;
  }

  @Override
  public void close() {
    queue.close();
  }

  /** A conflict on the serial number of a mint is a conflict on its mint id for the caller. */
  private static ProtocolException toMintConflict(ProtocolException rejection) {
    return rejection.code() == RejectionCode.SERIAL_CONFLICT
        ? new ProtocolException(
            RejectionCode.MINT_CONFLICT, "the mint id was used for another mint", rejection)
        : rejection;
  }
}
