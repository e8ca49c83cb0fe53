package io.solidus.authority.signer;

import io.solidus.authority.common.rules.RuleSettings;
import io.solidus.authority.custody.TokenAccess;
import io.solidus.authority.spend.rules.AdmissionWindows;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The properties of the signer of one authority.
 *
 * @param authority 1 to N
 * @param shareFile this authority's key share; readable only by its owner where it is not wrapped
 * @param formerShareFile this authority's share of the epoch before, until the time that the
 *     manifest states; absent for none
 * @param token wraps the shares; absent for shares that are not wrapped
 * @param signLog on a volume of its own
 * @param anchorFile a second copy of the sign-log's head, on a volume that no snapshot restores
 *     together with the log or the database; absent for none
 * @param wholeAudit compares the whole sign-log with the database before anything is signed, at
 *     each start, instead of what came after the checkpoint of the audit
 * @param policyGrace the value of the shards
 * @param periodGrace the value of the shards
 * @param heartbeatMaxAge the value of the shards
 * @param refreshInterval between two reads of what the shards stored
 * @param verifyThreads native verifications at a time; 0 for one on each processor
 * @param verifyBatch the most transfers in one native verification; more make each cheaper and the
 *     first one later
 * @param verifyQueue transfers that may wait for verification, more are rejected as overloaded; 0
 *     for 512 for each thread
 * @param verdicts remembered verdicts, and as many checked transfers and rejections
 * @param deadline for one verification or one durable record
 */
@Validated
@ConfigurationProperties("solidus.signer")
public record SignerProperties(
    @Min(1) int authority,
    @NotNull Path shareFile,
    @Nullable Path formerShareFile,
    @Nullable @Valid TokenAccess token,
    @NotNull Path signLog,
    @Nullable Path anchorFile,
    @DefaultValue("false") boolean wholeAudit,
    @DefaultValue("10m") Duration policyGrace,
    @DefaultValue("24h") Duration periodGrace,
    @DefaultValue("60s") Duration heartbeatMaxAge,
    @DefaultValue("500ms") Duration refreshInterval,
    @Min(0) @Max(256) @DefaultValue("0") int verifyThreads,
    @Min(1) @Max(256) @DefaultValue("256") int verifyBatch,
    @Min(0) @Max(100_000) @DefaultValue("0") int verifyQueue,
    @Min(1) @Max(1_000_000) @DefaultValue("20000") int verdicts,
    @DefaultValue("10s") Duration deadline) {

  private static final int QUEUE_PER_THREAD = 512;

  VerificationPool.Limits verification() {
    return new VerificationPool.Limits(
        threads(), verifyBatch, verifyQueue > 0 ? verifyQueue : threads() * QUEUE_PER_THREAD);
  }

  RuleSettings rules() {
    return new RuleSettings(
        new AdmissionWindows(policyGrace, periodGrace, heartbeatMaxAge), refreshInterval);
  }

  int threads() {
    return verifyThreads > 0 ? verifyThreads : Runtime.getRuntime().availableProcessors();
  }
}
