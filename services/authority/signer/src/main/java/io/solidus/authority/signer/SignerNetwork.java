package io.solidus.authority.signer;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;

/** The network of this signer; a network is regulated or not, never both. */
record SignerNetwork(NetworkId id, NetworkKind kind) {}
