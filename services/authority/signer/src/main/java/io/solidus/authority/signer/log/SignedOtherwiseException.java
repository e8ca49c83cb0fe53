package io.solidus.authority.signer.log;

import io.solidus.protocol.TxCore;
import java.util.Set;

/**
 * A serial number of these cores is in the signer's own table for another core. They are never
 * signed. Nothing of the batch was recorded; the batch without them may be appended.
 */
public final class SignedOtherwiseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Set<TxCore> cores;

  SignedOtherwiseException(Set<TxCore> cores) {
    super("the signer has signed other cores for the same serial numbers");
    this.cores = Set.copyOf(cores);
  }

  public Set<TxCore> cores() {
    return cores;
  }
}
