package io.solidus.authority.custody;

/**
 * The reasons for refusing to seal or open a share. The names are stable, because people and
 * scripts rely on them.
 */
public enum CustodyCode {
  /** The envelope's bytes do not follow their format. */
  ENVELOPE_MALFORMED,
  /** The envelope's bytes changed after sealing. */
  ENVELOPE_TAMPERED,
  /** The envelope is for another network. */
  OTHER_NETWORK,
  /** The envelope holds another authority's share. */
  OTHER_AUTHORITY,
  /** The envelope holds a share of another epoch. */
  OTHER_EPOCH,
  /** The envelope belongs to another key manifest. */
  OTHER_MANIFEST,
  /** A token is configured and the share file is not wrapped. */
  NOT_WRAPPED,
  /** The share file is wrapped and no token is configured. */
  NO_TOKEN,
  /** The token's library cannot be loaded, or its path is not allowed. */
  TOKEN_LIBRARY,
  /** There is no token in the slot. */
  TOKEN_ABSENT,
  /** The PIN file is missing, empty, too long or accessible to others. */
  PIN_FILE,
  /** The token rejected the PIN. */
  PIN_WRONG,
  /** The token refuses every login, for example after too many wrong PINs. */
  PIN_REFUSED,
  /** The token has no secret key with this label. */
  KEY_MISSING,
  /** The token already has a key with this label. */
  KEY_EXISTS,
  /** The token would export the wrapping key. */
  KEY_EXTRACTABLE,
  /** The token's key did not wrap this data key. */
  KEY_WRONG,
  /** The token does not support a required operation. */
  TOKEN_FAILED,
  /** The share is not of class ceremony, but the keys are. */
  SHARE_CLASS,
  /** The share is not this authority's share in the committee of the manifest. */
  SHARE_WRONG,
  /** A file exists already or cannot be written. */
  FILE
}
