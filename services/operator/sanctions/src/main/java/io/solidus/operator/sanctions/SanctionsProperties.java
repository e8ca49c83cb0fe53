package io.solidus.operator.sanctions;

import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * Configuration of the sanctions service.
 *
 * @param networkId the network of the addresses and limits
 * @param noteKeyFile 32-byte Ed25519 seed that signs checkpoints and heartbeats
 * @param policyNoteKeyFile 32-byte Ed25519 seed that signs policies; differs from {@code
 *     noteKeyFile}
 * @param publicUrl the URL of this service in events, without a slash at the end; may be empty
 * @param heartbeatInterval the time between two heartbeats
 * @param proposalValidity how long a proposal can be approved
 * @param publishAfter how long an approved change of the listed addresses waits for somebody to
 *     publish it; then it is published by itself. At most an hour
 * @param listFileLimit the largest list file that is accepted
 */
@Validated
@ConfigurationProperties("solidus.sanctions")
public record SanctionsProperties(
    @NotBlank String networkId,
    @NotNull Path noteKeyFile,
    @NotNull Path policyNoteKeyFile,
    @DefaultValue("") String publicUrl,
    @NotNull @DefaultValue("5s") Duration heartbeatInterval,
    @NotNull @DefaultValue("7d") Duration proposalValidity,
    @NotNull @DefaultValue("1m") Duration publishAfter,
    @NotNull @DefaultValue("64MB") DataSize listFileLimit,
    @Valid @DefaultValue ScreeningSettings screening) {

  public SanctionsProperties {
    if (heartbeatInterval.compareTo(Duration.ofMillis(100)) < 0
        || heartbeatInterval.compareTo(Duration.ofMinutes(1)) > 0) {
      throw new IllegalArgumentException(
          "solidus.sanctions.heartbeat-interval must be between 100 ms and one minute");
    }
    if (publishAfter.isNegative() || publishAfter.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException(
          "solidus.sanctions.publish-after must be between 0 and one hour");
    }
  }

  /**
   * Configuration of the name screening.
   *
   * @param threshold the lowest score of a match, 0 to 1
   * @param maxMatches the most matches in an answer
   */
  public record ScreeningSettings(
      @DefaultValue("0.82") @DecimalMin("0.5") @DecimalMax("1.0") double threshold,
      @DefaultValue("20") @Min(1) @Max(100) int maxMatches) {}
}
