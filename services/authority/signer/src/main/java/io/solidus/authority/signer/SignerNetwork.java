package io.solidus.authority.signer;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.TransferFamilies;

/** The network of this signer; a network is regulated or not, never both. */
record SignerNetwork(NetworkId id, TransferFamilies families) {

  /** A network without shapes. */
  SignerNetwork(NetworkId id, NetworkKind kind) {
    this(id, TransferFamilies.of(kind));
  }

  NetworkKind kind() {
    return families.kind();
  }
}
