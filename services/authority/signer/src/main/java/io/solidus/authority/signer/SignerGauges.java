package io.solidus.authority.signer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * What a signer holds at a moment: queues and memories. Whether it signs at all is in {@link
 * LogGauges}.
 */
record SignerGauges(
    NativePool pool, VerificationPool verifications, VerdictCache verdicts, TransferMemory memory)
    implements MeterBinder {

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("solidus.signer.native.queued", pool, NativePool::queued)
        .description("other native work waiting for a thread")
        .register(registry);
    Gauge.builder("solidus.signer.verification.queued", verifications, VerificationPool::waiting)
        .description("transfers waiting to be verified")
        .register(registry);
    Gauge.builder(
            "solidus.signer.verification.batch.limit", verifications, VerificationPool::batchSize)
        .description("the most transfers in one native call at present")
        .register(registry);
    Gauge.builder(
            "solidus.signer.verification.wrong.share", verifications, VerificationPool::wrongShare)
        .description("wrong proofs among the recent transfers outside the quarantine, 0 to 1")
        .register(registry);
    Gauge.builder("solidus.signer.verdicts.remembered", verdicts, VerdictCache::size)
        .register(registry);
    Gauge.builder("solidus.signer.orders.remembered", memory, TransferMemory::orders)
        .description("checked transfers that can be signed by their core alone")
        .register(registry);
    Gauge.builder("solidus.signer.refusals.remembered", memory, TransferMemory::refusals)
        .register(registry);
  }
}
