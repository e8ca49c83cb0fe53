package io.solidus.wallet.error;

/**
 * Failures of a wallet other than refusals by a rule of the protocol, which are {@code
 * RejectionCode}s. The code is stable. The exit status is the command line's.
 */
public enum WalletError {
  STORE_MISSING("store-missing", Exit.NO_INPUT),
  STORE_EXISTS("store-exists", Exit.CANNOT_CREATE),
  STORE_LOCKED("store-locked", Exit.TRY_AGAIN),
  STORE_CORRUPT("store-corrupt", Exit.DATA),
  STORE_VERSION("store-version", Exit.DATA),
  STORE_UNWRITABLE("store-unwritable", Exit.CANNOT_CREATE),
  WRONG_PASSPHRASE("wrong-passphrase", Exit.NO_PERMISSION),
  SEED_PHRASE_INVALID("seed-phrase-invalid", Exit.DATA),
  ADDRESS_INVALID("address-invalid", Exit.DATA),
  REQUEST_INVALID("request-invalid", Exit.DATA),
  REQUEST_EXPIRED("request-expired", Exit.REFUSED),
  PAYMENTS_INVALID("payments-invalid", Exit.DATA),
  PARCEL_INVALID("parcel-invalid", Exit.DATA),
  CONTACT_EXISTS("contact-exists", Exit.CANNOT_CREATE),
  CONTACT_MISSING("contact-missing", Exit.NO_INPUT),
  FOREIGN_MAILBOX("foreign-mailbox", Exit.DATA),
  NETWORK_MISMATCH("network-mismatch", Exit.CONFIGURATION),
  MANIFEST_UNTRUSTED("manifest-untrusted", Exit.CONFIGURATION),
  INSECURE_ADDRESS("insecure-address", Exit.CONFIGURATION),
  RULES_UNTRUSTED("rules-untrusted", Exit.PROTOCOL),
  RULES_ROLLED_BACK("rules-rolled-back", Exit.PROTOCOL),
  RECEIPT_INVALID("receipt-invalid", Exit.DATA),
  SIGNATURE_UNVERIFIED("signature-unverified", Exit.PROTOCOL),
  PROOF_UNVERIFIED("proof-unverified", Exit.PROTOCOL),
  GATEWAY_UNREACHABLE("gateway-unreachable", Exit.UNAVAILABLE),
  GATEWAY_MISBEHAVED("gateway-misbehaved", Exit.PROTOCOL),
  MAILBOX_STALE("mailbox-stale", Exit.UNAVAILABLE),
  NOT_REGISTERED("not-registered", Exit.NOT_YET),
  REGISTRATION_PENDING("registration-pending", Exit.NOT_YET),
  REGISTRATION_REFUSED("registration-refused", Exit.REFUSED),
  MINT_PENDING("mint-pending", Exit.NOT_YET),
  MINT_REFUSED("mint-refused", Exit.REFUSED),
  TRANSFER_IN_FLIGHT("transfer-in-flight", Exit.TRY_AGAIN),
  RECOVER_IMPOSSIBLE("recover-impossible", Exit.REFUSED),
  PAYMENT_BURNT("payment-burnt", Exit.REFUSED),
  PAYMENTS_REPEATED("payments-repeated", Exit.REFUSED),
  NOT_SUPPORTED("not-supported", Exit.CONFIGURATION),
  INTERNAL("internal", Exit.SOFTWARE);

  /** Exit statuses: those of sysexits.h where one fits, and two others. */
  public static final class Exit {
    public static final int OK = 0;
    public static final int REFUSED = 10;
    public static final int NOT_YET = 11;
    public static final int USAGE = 64;
    public static final int DATA = 65;
    public static final int NO_INPUT = 66;
    public static final int UNAVAILABLE = 69;
    public static final int SOFTWARE = 70;
    public static final int CANNOT_CREATE = 73;
    public static final int TRY_AGAIN = 75;
    public static final int PROTOCOL = 76;
    public static final int NO_PERMISSION = 77;
    public static final int CONFIGURATION = 78;

    private Exit() {}
  }

  private final String code;
  private final int exitStatus;

  WalletError(String code, int exitStatus) {
    this.code = code;
    this.exitStatus = exitStatus;
  }

  public String code() {
    return code;
  }

  public int exitStatus() {
    return exitStatus;
  }
}
