package io.solidus.operator.registration;

import io.solidus.protocol.TokenKeyList;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.Period;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of the service.
 *
 * @param noteKeyFile 32-byte Ed25519 seed that signs attestations
 * @param personKeyFile 32-byte AES key that seals personal data in the database
 * @param retiredPersonKeyFiles keys that sealed older rows
 * @param pepperFile 32-byte key of all identity hashes; it never changes
 * @param checkThreads how many proofs are verified at once
 * @param checkDeadline how long a registration waits for its proof check
 * @param claimTime how long an officer's claim of a case lasts
 * @param approvalValidity how long what one person began waits for another
 * @param retention how long personal data is kept
 * @param ownerThresholdPercent from which share on an organisation names its owners
 * @param tokens blind tokens for registered wallets
 */
@Validated
@ConfigurationProperties("solidus.registration")
public record RegistrationProperties(
    @NotNull Path noteKeyFile,
    @NotNull Path personKeyFile,
    @DefaultValue List<Path> retiredPersonKeyFiles,
    @NotNull Path pepperFile,
    @Min(1) @Max(64) @DefaultValue("2") int checkThreads,
    @NotNull @DefaultValue("5s") Duration checkDeadline,
    @NotNull @DefaultValue("30m") Duration claimTime,
    @NotNull @DefaultValue("7d") Duration approvalValidity,
    @Valid @NotNull @DefaultValue RetentionSettings retention,
    @Min(1) @Max(100) @DefaultValue("25") int ownerThresholdPercent,
    @Valid @NotNull @DefaultValue TokenSettings tokens,
    @Valid @NotNull ScreeningSettings screening) {

  public RegistrationProperties {
    retiredPersonKeyFiles = List.copyOf(retiredPersonKeyFiles);
  }

  /**
   * Blind tokens, with which gateways tell registered wallets from strangers.
   *
   * @param issuer this service's host name, as wallets know it; empty for no tokens
   * @param perDay tokens of a wallet and day
   */
  public record TokenSettings(
      @DefaultValue("") String issuer,
      @Min(1) @Max(TokenKeyList.MAX) @DefaultValue("64") int perDay) {
    /** Whether this service issues tokens. */
    public boolean isOn() {
      return !issuer.isEmpty();
    }
  }

  /**
   * How long personal data is kept.
   *
   * @param refused after the refusal of who was never registered
   * @param closed after a registration was closed
   */
  public record RetentionSettings(
      @Valid @NotNull @DefaultValue Kept refused, @Valid @NotNull @DefaultValue Kept closed) {}

  /**
   * Two periods, such as P5Y or P30D.
   *
   * @param atLeast the duty to keep; without it nobody erases at a person's request
   * @param atMost then the service erases; without it, never
   */
  public record Kept(@Nullable Period atLeast, @Nullable Period atMost) {
    private static final LocalDate DAY = LocalDate.of(2000, 1, 1);

    public Kept {
      if ((atLeast != null && atLeast.isNegative())
          || (atMost != null && (atMost.isNegative() || isShorter(atMost, atLeast)))) {
        throw new IllegalArgumentException(
            "solidus.registration.retention: at-most is not shorter than at-least");
      }
    }

    private static boolean isShorter(Period atMost, @Nullable Period atLeast) {
      return atLeast != null && DAY.plus(atMost).isBefore(DAY.plus(atLeast));
    }
  }

  /**
   * The settings of calls to the sanctions service.
   *
   * @param url of the sanctions service
   * @param tokenFile bearer token, read for every call; a service with {@code
   *     solidus.service-client} has its own and needs none
   * @param timeout of a whole call for one person
   * @param batchTimeout of a whole call for 400 persons, who are screened again
   * @param retryMin pause after the first failed attempt
   * @param retryMax longest pause between attempts
   * @param basisInterval how often the service asks for newer lists
   * @param wholeInterval how long a registered person without a match is compared only with what
   *     changes in the lists
   * @param sweepInterval how often the service looks for persons with an older basis although the
   *     lists are the same
   * @param pollInterval how often the worker looks for waiting cases
   * @param concurrency how many screenings run at once inside wallet requests
   * @param secondWord whether another person confirms that a match is not the person
   * @param requiredLists lists that a screening must have searched, else its answer is rejected
   */
  public record ScreeningSettings(
      @NotNull URI url,
      @Nullable Path tokenFile,
      @NotNull @DefaultValue("3s") Duration timeout,
      @NotNull @DefaultValue("60s") Duration batchTimeout,
      @NotNull @DefaultValue("1s") Duration retryMin,
      @NotNull @DefaultValue("60s") Duration retryMax,
      @NotNull @DefaultValue("10s") Duration basisInterval,
      @NotNull @DefaultValue("30d") Duration wholeInterval,
      @NotNull @DefaultValue("10m") Duration sweepInterval,
      @NotNull @DefaultValue("500ms") Duration pollInterval,
      @Min(1) @Max(256) @DefaultValue("16") int concurrency,
      @DefaultValue("true") boolean secondWord,
      @DefaultValue Set<String> requiredLists) {

    public ScreeningSettings {
      requiredLists = Set.copyOf(requiredLists);
      if (retryMax.compareTo(retryMin) < 0 || retryMin.isNegative() || retryMin.isZero()) {
        throw new IllegalArgumentException(
            "solidus.registration.screening: retry-min must be positive and at most retry-max");
      }
    }
  }
}
