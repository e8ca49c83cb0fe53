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
 * @param networkId whose addresses and limits these are
 * @param noteKeyFile 32-byte Ed25519 seed that signs checkpoints and heartbeats
 * @param policyNoteKeyFile 32-byte Ed25519 seed that signs policies; another key than {@code
 *     noteKeyFile}
 * @param publicUrl where others reach this service, without a slash at the end; empty when they
 *     know
 * @param heartbeatInterval how often a heartbeat is signed
 * @param proposalValidity how long a proposal waits for its second person
 * @param listFileLimit the longest list file taken in
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
    @NotNull @DefaultValue("64MB") DataSize listFileLimit,
    @Valid @DefaultValue Screening screening) {

  public SanctionsProperties {
    if (heartbeatInterval.compareTo(Duration.ofMillis(100)) < 0
        || heartbeatInterval.compareTo(Duration.ofMinutes(1)) > 0) {
      throw new IllegalArgumentException(
          "solidus.sanctions.heartbeat-interval is between 100 ms and one minute");
    }
  }

  /**
   * @param threshold a name at least this alike is a match, 0 to 1
   * @param maxMatches how many matches an answer names
   */
  public record Screening(
      @DefaultValue("0.82") @DecimalMin("0.5") @DecimalMax("1.0") double threshold,
      @DefaultValue("20") @Min(1) @Max(100) int maxMatches) {}
}
