package io.solidus.operator.issuance.settings;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * @param currency ISO 4217 code of the one currency of the books; never changed
 * @param bank the account at the bank; null when its messages are not used
 * @param screening the sanctions service's admin API, where payers and payees are screened; null
 *     when nobody is
 * @param proposalsExpire how long what one person proposed can be approved by another
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
    @NotNull @Pattern(regexp = "[A-Z]{3}") @DefaultValue("EUR") String currency,
    @Nullable @Valid BankSettings bank,
    @Nullable @Valid ScreeningSettings screening,
    @NotNull @DefaultValue("7d") Duration proposalsExpire,
    @Min(1) @Max(64) @DefaultValue("2") int checkThreads,
    @NotNull @DefaultValue("10s") Duration checkDeadline,
    @NotNull @DefaultValue("3s") Duration rulesTimeout) {

  public IssuanceProperties {
    formerRedemptionKeyFiles = List.copyOf(formerRedemptionKeyFiles);
    approvers = approvers == null ? Map.of() : Map.copyOf(approvers);
  }

  /**
   * The settlement account and its bank.
   *
   * @param account IBAN or another id, as statements name it
   * @param name of the account's owner
   * @param bic of the bank, or of the member itself
   * @param message pain.001, or pacs.008 for a member of a settlement system
   * @param clearingSystem for pacs.008, for example TGT
   * @param agents for pacs.008: the BIC of the payee's bank by the beginning of the IBAN without
   *     its check digits, for example DE12030000
   * @param zone where the bank's days begin and end
   * @param fundingsNeedLine whether a funding is recorded only against a line of a statement or
   *     notification
   */
  public record BankSettings(
      @NotBlank @Size(max = 34) String account,
      @NotBlank @Size(max = 140) String name,
      @NotNull @Pattern(regexp = BIC) String bic,
      @NotNull @Pattern(regexp = "pain\\.001|pacs\\.008") @DefaultValue("pain.001") String message,
      @NotBlank @Size(max = 3) @DefaultValue("TGT") String clearingSystem,
      @DefaultValue
          Map<@Pattern(regexp = "[A-Z]{2}[A-Z0-9]{1,30}") String, @Pattern(regexp = BIC) String>
              agents,
      @NotNull @DefaultValue("UTC") ZoneId zone,
      @DefaultValue("false") boolean fundingsNeedLine) {

    /** As the schemas of ISO 20022 have it. */
    private static final String BIC = "[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?";

    /** Whether the account's owner is a member of a settlement system. */
    public boolean isMember() {
      return message.equals("pacs.008");
    }
  }

  /**
   * The settings of screenings.
   *
   * @param url of the sanctions service's admin API
   * @param tokenFile bearer token, read for every call; a service with {@code
   *     solidus.service-client} has its own and needs none
   * @param timeout of a call for 100 names
   * @param requiredLists lists that a screening must have searched, else its answer is refused
   */
  public record ScreeningSettings(
      @NotNull URI url,
      @Nullable Path tokenFile,
      @NotNull @DefaultValue("10s") Duration timeout,
      @DefaultValue Set<String> requiredLists) {}

  /**
   * A person who may approve mints.
   *
   * @param publicKey Ed25519, base64; only the approver has the private key
   * @param subject the {@code sub} of the approver's access tokens
   */
  public record ApproverSettings(@NotBlank String publicKey, @NotBlank String subject) {}
}
