package io.solidus.authority.shard;

import io.solidus.authority.shard.SubmittedRequest.Recover;
import io.solidus.authority.shard.range.RetryOnShardMove;
import io.solidus.authority.spend.Failpoints;
import io.solidus.authority.spend.PipelineObserver.Stage;
import io.solidus.authority.spend.Siblings;
import io.solidus.authority.spend.SpendPipeline;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.batch.BatchLimits;
import io.solidus.authority.spend.batch.Batcher;
import io.solidus.authority.spend.batch.CheckPermits;
import io.solidus.protocol.NetworkId;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.RecoverRequest;
import java.util.EnumSet;
import java.util.function.UnaryOperator;

/**
 * Assembles the pipeline of recovers, as {@link TransferPipeline} that of transfers, with a worker
 * of its own: a recover costs up to 17 verifications, and must not delay a transfer.
 */
final class RecoverPipeline implements AutoCloseable {
  private static final String KIND = "recover";

  private final Batcher<QueuedMessage<RecoverRequest>, PartialSignature> queue;
  private final NetworkId network;

  RecoverPipeline(
      ShardProperties.Batch properties,
      RequestDecoder decoder,
      ShardStores stores,
      Siblings siblings,
      SignerStub signer,
      Failpoints failpoints,
      ShardMetrics metrics) {
    this.network = decoder.network();
    BatchLimits limits = properties.recovers();
    CheckPermits permits = new CheckPermits(limits.workers());
    SpendPipeline<Recover, PartialSignature> pipeline =
        new SpendPipeline<>(
            stores.ownership()::ranges,
            (request, holdsLead) -> admit(request),
            stores.recoverSpends(),
            siblings,
            new RecoverSignerClient(signer),
            failpoints,
            metrics.stageObserver(KIND, EnumSet.allOf(Stage.class), permits::release));
    SubmissionWork<RecoverRequest, Recover> work =
        new SubmissionWork<>(
            KIND,
            decoder::recover,
            new RetryOnShardMove<>(
                stores.ownership()::ranges, stores.ownership()::refresh, pipeline),
            UnaryOperator.identity(),
            metrics.spans());
    queue = new Batcher<>("recovers", limits, work, permits, metrics.batchObserver(KIND));
    metrics.registerQueue(KIND, queue);
  }

  /** No window and no heartbeat counts: a recover pays nobody. */
  private void admit(SpendRequest<Recover> request) {
    request.content().request().requireContext(network);
  }

  Batcher<QueuedMessage<RecoverRequest>, PartialSignature> queue() {
    return queue;
  }

  @Override
  public void close() {
    queue.close();
  }
}
