package io.solidus.authority.custody;

/**
 * Why a share is not taken out of custody, or not put there. The names are stable: people and
 * scripts go by them.
 */
public enum CustodyCode {
  /** The envelope's bytes do not follow their format. */
  ENVELOPE_MALFORMED,
  /** The envelope's bytes are not those that were sealed. */
  ENVELOPE_TAMPERED,
  /** The envelope is for another network. */
  OTHER_NETWORK,
  /** The envelope holds another authority's share. */
  OTHER_AUTHORITY,
  /** The envelope holds a share of another epoch. */
  OTHER_EPOCH,
  /** The envelope belongs to another key manifest. */
  OTHER_MANIFEST,
  /** A token is configured and the share's file is not wrapped. */
  NOT_WRAPPED,
  /** The share's file is wrapped and no token is configured. */
  NO_TOKEN,
  /** The token's library cannot be loaded, or its name is not one. */
  TOKEN_LIBRARY,
  /** There is no token in the slot. */
  TOKEN_ABSENT,
  /** The file with the PIN is missing, empty, too long or readable by others. */
  PIN_FILE,
  /** The token says that the PIN is wrong. */
  PIN_WRONG,
  /**
   * The token lets nobody log in, because of too many wrong PINs or for another reason of its own.
   */
  PIN_REFUSED,
  /** The token has no secret key of this label. */
  KEY_MISSING,
  /** The token has a key of this label already. */
  KEY_EXISTS,
  /** The token would give the wrapping key away. */
  KEY_EXTRACTABLE,
  /** The token's key is not the one the data key was wrapped with. */
  KEY_WRONG,
  /** The token does not do what it has to. */
  TOKEN_FAILED,
  /** The share is not of the ceremony class, and the production profile is on. */
  SHARE_CLASS,
  /** The share is not the one of this authority in the committee of the manifest. */
  SHARE_WRONG,
  /** A file is missing, cannot be read or written, or is readable by others. */
  FILE
}
