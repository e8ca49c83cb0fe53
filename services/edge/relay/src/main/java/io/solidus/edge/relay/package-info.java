/**
 * The relay of a network: it passes sealed requests of wallets on to one gateway (RFC 9458). It
 * sees network addresses and no requests; the gateway sees requests and no network addresses.
 */
@NullMarked
package io.solidus.edge.relay;

import org.jspecify.annotations.NullMarked;
