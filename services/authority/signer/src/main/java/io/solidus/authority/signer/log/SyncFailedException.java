package io.solidus.authority.signer.log;

import java.io.IOException;

/**
 * An fsync failed. The kernel reports that once, forgets which pages it could not write and goes on
 * showing them to whoever reads: what is read again, by this process or the next, may be on no
 * disk. Only a person who has looked at the volume can let signing go on.
 */
public final class SyncFailedException extends IOException {

  private static final long serialVersionUID = 1L;

  SyncFailedException(String what, IOException cause) {
    super(
        "an fsync of "
            + what
            + " failed; a person has to look at its volume and start the signer again",
        cause);
  }
}
