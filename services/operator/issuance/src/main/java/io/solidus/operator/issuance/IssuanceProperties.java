package io.solidus.operator.issuance;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * @param redemptionKeyFile 32 bytes, the X25519 key that payout instructions are sealed to
 * @param formerRedemptionKeyFiles keys that older instructions were sealed to
 * @param sanctionsUrl where published policies and checkpoints are read
 * @param approvers who may approve mints, by the name in the validators' trust
 * @param anchorFile where to keep what the books come to besides, on a volume that no snapshot or
 *     backup takes back together with the database; absent for none, and then a database from an
 *     old backup issues and pays out what it has forgotten a second time
 * @param checkThreads how many native checks run at once
 * @param checkDeadline how long a request waits for one
 * @param rulesTimeout how long a policy or a checkpoint may take to arrive
 */
@Validated
@ConfigurationProperties("solidus.issuance")
public record IssuanceProperties(
    @NotNull Path redemptionKeyFile,
    @DefaultValue List<Path> formerRedemptionKeyFiles,
    @NotNull URI sanctionsUrl,
    @NotEmpty Map<String, @Valid Approver> approvers,
    @Nullable Path anchorFile,
    @Min(1) @Max(64) @DefaultValue("2") int checkThreads,
    @NotNull @DefaultValue("10s") Duration checkDeadline,
    @NotNull @DefaultValue("3s") Duration rulesTimeout) {

  public IssuanceProperties {
    formerRedemptionKeyFiles = List.copyOf(formerRedemptionKeyFiles);
    approvers = approvers == null ? Map.of() : Map.copyOf(approvers);
  }

  /**
   * @param publicKey Ed25519, base64; its private half never leaves the approver
   * @param subject the {@code sub} of the access tokens of the person who owns it
   */
  public record Approver(@NotBlank String publicKey, @NotBlank String subject) {}
}
