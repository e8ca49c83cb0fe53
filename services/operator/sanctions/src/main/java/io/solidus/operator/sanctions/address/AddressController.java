package io.solidus.operator.sanctions.address;

import io.solidus.operator.sanctions.approval.ProposalKind;
import io.solidus.operator.sanctions.approval.ProposalView;
import io.solidus.operator.sanctions.approval.Proposals;
import io.solidus.operator.sanctions.approval.WrittenReason;
import io.solidus.platform.audit.AuditLog;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.Address;
import io.solidus.protocol.Apk;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SanctionKey;
import io.solidus.wire.json.Member;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/**
 * Lists and delists addresses. Both are proposals: they take effect when another operator approves
 * them. Wallets and validators see them in the next checkpoint.
 */
@RestController
@Tag(
    name = "Listed addresses",
    description = "Addresses that may not pay or be paid. One person proposes, another approves.")
@RequestMapping("/admin/v1/sanctions/addresses")
public class AddressController {
  private static final int PAGE = 500;
  private static final int MAX_SUBJECT_CHARS = 500;

  private final Proposals proposals;
  private final AddressStore store;
  private final Replacements replacements;
  private final NetworkId network;
  private final AuditLog audit;
  private final JsonMapper json;

  AddressController(
      Proposals proposals,
      AddressStore store,
      Replacements replacements,
      NetworkId network,
      AuditLog audit,
      JsonMapper json) {
    this.proposals = proposals;
    this.store = store;
    this.replacements = replacements;
    this.network = network;
    this.audit = audit;
    this.json = json;
  }

  /**
   * A proposed listing. Exactly one of {@code apk} and {@code address} is present.
   *
   * @param apk 64 hexadecimal digits
   * @param address Bech32m, sld1...
   * @param subject whose address it is, and how that is known; 1 to 500 characters, or missing. The
   *     approver sees it
   * @param reason 1 to 2000 characters
   * @param cause missing; or "replaced": its owner has lost it and registers again. Such an address
   *     is never taken off the list
   */
  public record Listing(
      @Member(optional = true, hexBytes = 32) @Nullable String apk,
      @Nullable String address,
      @Member(optional = true, min = 1, max = 500) @Nullable String subject,
      @Member(min = 1, max = 2000) @Nullable String reason,
      @Member(optional = true, pattern = "replaced") @Nullable String cause) {}

  /** An address to ask about; apk as 64 hexadecimal digits. */
  public record Question(@Member(hexBytes = 32) @Nullable String apk) {}

  /** Addresses in the order of their keys; {@code next} is the next cursor, null at the end. */
  public record Page(List<SanctionedAddress> addresses, @Nullable String next) {}

  /**
   * Reads one page of the listed addresses.
   *
   * @param cursor {@code next} of the previous page
   */
  @Operation(summary = "Listed addresses in the order of their keys")
  @GetMapping
  @PreAuthorize(
      "hasAnyRole('"
          + Roles.SANCTIONS_OPERATOR
          + "', '"
          + Roles.LIST_APPROVER
          + "', '"
          + Roles.AUDITOR
          + "')")
  public Page list(@RequestParam(required = false) @Nullable String cursor) {
    SanctionKey after = cursor == null ? SanctionKey.FIRST : SanctionKey.fromHex(cursor);
    List<SanctionedAddress> page = store.page(after.bytes(), PAGE);
    audit.add(
        Operator.current().subject(), "addresses read", page.size() + " after " + after.hex());
    return new Page(page, page.size() == PAGE ? page.getLast().key() : null);
  }

  /** Proposes to list an address. */
  @Operation(summary = "Proposes to list an address")
  @PostMapping
  @ResponseStatus(HttpStatus.ACCEPTED)
  @PreAuthorize("hasRole('" + Roles.SANCTIONS_OPERATOR + "')")
  @Refuses({RejectionCode.UNKNOWN_VERSION, RejectionCode.WRONG_NETWORK})
  public ProposalView propose(
      @RequestBody Listing listing,
      @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String idempotencyKey) {
    SanctionKey key = key(listing);
    if (key.isSentinel()) {
      throw ProtocolException.malformed(
          "this apk is reserved as an end of the key range and cannot be listed");
    }
    String subject = listing.subject();
    if (subject != null && (subject.isBlank() || subject.length() > MAX_SUBJECT_CHARS)) {
      throw ProtocolException.malformed(
          "subject must have 1 to " + MAX_SUBJECT_CHARS + " characters");
    }
    String cause = listing.cause();
    if (cause != null && !cause.equals(AddressEffect.REPLACED)) {
      throw ProtocolException.malformed("cause is replaced, or missing");
    }
    String typed = listing.address() == null ? listing.apk() : listing.address();
    return record(
        ProposalKind.ADDRESS_LISTING,
        new AddressEffect.Payload(
            key.hex(), typed, subject, WrittenReason.require(listing.reason(), "reason"), cause),
        idempotencyKey);
  }

  /**
   * Proposes to delist an address.
   *
   * @param address the key as in the list (40 hexadecimal digits), the apk (64) or the Bech32m
   *     address
   * @param reason 1 to 2000 characters
   */
  @Operation(summary = "Proposes to remove an address from the list")
  @DeleteMapping("/{address}")
  @ResponseStatus(HttpStatus.ACCEPTED)
  @PreAuthorize("hasRole('" + Roles.SANCTIONS_OPERATOR + "')")
  @Refuses(
      value = {RejectionCode.UNKNOWN_VERSION, RejectionCode.WRONG_NETWORK},
      conflicts = "replaced-address")
  public ProposalView remove(
      @PathVariable String address,
      @RequestParam(required = false) @Nullable String reason,
      @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String idempotencyKey) {
    SanctionKey listed =
        address.length() == 2 * SanctionKey.BYTES
            ? SanctionKey.fromHex(address)
            : key(
                address.startsWith(Address.HRP)
                    ? new Listing(null, address, null, null, null)
                    : new Listing(address, null, null, null, null));
    if (!store.contains(listed)) {
      throw new ProtocolException(RejectionCode.NOT_FOUND, "this address is not listed");
    }
    AddressEffect.requireNotReplaced(store, listed);
    return record(
        ProposalKind.ADDRESS_DELISTING,
        new AddressEffect.Payload(
            listed.hex(),
            address,
            store.subject(listed),
            WrittenReason.require(reason, "reason"),
            null),
        idempotencyKey);
  }

  /**
   * Whether an address is replaced for good, and since when nobody can pay with it. The
   * registration asks before it approves its owner's next one.
   */
  @Operation(summary = "Whether an address is replaced, and published as such")
  @PostMapping("/replaced")
  @PreAuthorize("hasRole('" + Roles.SERVICE + "')")
  public Replacements.Replacement replaced(@RequestBody Question question) {
    return replacements.of(
        key(new Listing(Objects.requireNonNullElse(question.apk(), ""), null, null, null, null)));
  }

  private ProposalView record(
      ProposalKind kind, AddressEffect.Payload payload, @Nullable String idempotencyKey) {
    return ProposalView.of(
        proposals.propose(kind, payload, Operator.current().subject(), idempotencyKey), json);
  }

  private SanctionKey key(Listing listing) {
    String apk = listing.apk();
    String address = listing.address();
    if (apk != null && address == null) {
      return SanctionKey.of(new Apk(FieldElement.fromHex(apk)));
    }
    if (address != null && apk == null) {
      return SanctionKey.of(Address.decode(network, address).apk());
    }
    throw ProtocolException.malformed("either apk or address must be present");
  }
}
