package io.solidus.operator.issuance.settings;

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
 * The settings of the service.
 *
 * @param redemptionKeyFile 32 bytes, the X25519 key that wallets seal payout instructions to
 * @param formerRedemptionKeyFiles keys of older payout instructions
 * @param sanctionsUrl the service that publishes policies and checkpoints
 * @param approvers the approvers of mints, by their name in the validators' trust settings
 * @param anchorFile the file that keeps the turnover of the books. Its volume must not be restored
 *     together with the database. Without the file, a database from an old backup issues and pays
 *     out again what it has lost
 * @param checkThreads how many native checks run at once
 * @param checkDeadline how long a request waits for its native check
 * @param rulesTimeout how long a call for a policy or a checkpoint may take
 */
@Validated
@ConfigurationProperties("solidus.issuance")
public record IssuanceProperties(
    @NotNull Path redemptionKeyFile,
    @DefaultValue List<Path> formerRedemptionKeyFiles,
    @NotNull URI sanctionsUrl,
    @NotEmpty Map<String, @Valid ApproverSettings> approvers,
    @Nullable Path anchorFile,
    @Min(1) @Max(64) @DefaultValue("2") int checkThreads,
    @NotNull @DefaultValue("10s") Duration checkDeadline,
    @NotNull @DefaultValue("3s") Duration rulesTimeout) {

  public IssuanceProperties {
    formerRedemptionKeyFiles = List.copyOf(formerRedemptionKeyFiles);
    approvers = approvers == null ? Map.of() : Map.copyOf(approvers);
  }

  /**
   * A person who may approve mints.
   *
   * @param publicKey Ed25519, base64; only the approver has the private key
   * @param subject the {@code sub} of the approver's access tokens
   */
  public record ApproverSettings(@NotBlank String publicKey, @NotBlank String subject) {}
}
