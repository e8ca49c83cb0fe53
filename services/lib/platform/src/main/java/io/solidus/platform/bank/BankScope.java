package io.solidus.platform.bank;

/**
 * Whose objects an operation may touch: those of one bank, or those of every bank. Stores put
 * {@link #id()} into their queries: {@code (? = '' OR bank = ?)}.
 *
 * @param id of the bank; empty: every bank
 */
public record BankScope(String id) {
  private static final BankScope EVERY = new BankScope("");

  public BankScope {
    if (!id.isEmpty() && !Banks.isId(id)) {
      throw new IllegalArgumentException("a bank's id has 1 to 32 characters of a-z 0-9 -");
    }
  }

  /** For the staff of the centre, and for what the service does by itself. */
  public static BankScope every() {
    return EVERY;
  }

  /** For the staff of one bank. */
  public static BankScope of(String bank) {
    if (bank.isEmpty()) {
      throw new IllegalArgumentException("a bank has an id");
    }
    return new BankScope(bank);
  }

  public boolean isEvery() {
    return id.isEmpty();
  }

  /**
   * Requires the centre's staff.
   *
   * @throws BankRefusedException central-staff-only
   */
  public void requireEvery() {
    if (!isEvery()) {
      throw new BankRefusedException(
          BankRefusedException.Kind.CENTRAL_STAFF_ONLY, "this is for the centre's staff");
    }
  }

  /** Whether an object of a bank may be touched. */
  public boolean allows(String bank) {
    return isEvery() || id.equals(bank);
  }
}
