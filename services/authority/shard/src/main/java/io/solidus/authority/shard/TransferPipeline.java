package io.solidus.authority.shard;

import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.shard.range.RetryOnShardMove;
import io.solidus.authority.spend.Failpoints;
import io.solidus.authority.spend.PipelineObserver.Stage;
import io.solidus.authority.spend.Siblings;
import io.solidus.authority.spend.SpendPipeline;
import io.solidus.authority.spend.batch.Batcher;
import io.solidus.authority.spend.batch.CheckPermits;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.TransferRequest;
import java.util.EnumSet;
import java.util.function.UnaryOperator;

/**
 * Assembles the pipeline of transfers: queue, decoder, order of work, retry after a shard move. It
 * closes after the gRPC server, which waits for its calls, and before everything a batch needs.
 */
final class TransferPipeline implements AutoCloseable {
  private static final String KIND = "transfer";

  private final Batcher<QueuedMessage<TransferRequest>, PartialSignature> queue;

  TransferPipeline(
      ShardProperties.Batch properties,
      RequestDecoder decoder,
      TransferAdmission admission,
      ShardStores stores,
      Siblings siblings,
      SignerStub signer,
      Failpoints failpoints,
      ShardMetrics metrics) {
    CheckPermits permits = properties.checkPermits();
    SpendPipeline<Transfer, PartialSignature> pipeline =
        new SpendPipeline<>(
            stores.ownership()::ranges,
            admission,
            stores.spends(spends -> {}),
            siblings,
            new TransferSignerClient(signer),
            failpoints,
            metrics.stageObserver(KIND, EnumSet.allOf(Stage.class), permits::release));
    SubmissionWork<TransferRequest, Transfer> work =
        new SubmissionWork<>(
            KIND,
            decoder::transfer,
            new RetryOnShardMove<>(
                stores.ownership()::ranges, stores.ownership()::refresh, pipeline),
            UnaryOperator.identity(),
            metrics.spans());
    queue =
        new Batcher<>(
            "transfers", properties.transfers(), work, permits, metrics.batchObserver(KIND));
    metrics.registerQueue(KIND, queue);
  }

  Batcher<QueuedMessage<TransferRequest>, PartialSignature> queue() {
    return queue;
  }

  @Override
  public void close() {
    queue.close();
  }
}
