package io.solidus.authority.signer.log;

import java.io.IOException;

/**
 * An fsync failed. The kernel reports that once, drops the pages it could not write and still
 * returns them to readers. So what this or the next process reads may be on no disk. Signing
 * continues only after a person has checked the volume and restarted the signer.
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
