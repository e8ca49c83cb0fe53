package io.solidus.edge.gateway.committee;

import io.solidus.protocol.Outputs;
import io.solidus.protocol.TxCore;

/**
 * The part of a request that authorities sign. Partial signatures are verified against it.
 *
 * @param outputs a partial signature has one point for each
 */
public record SignedStatement(TxCore core, Outputs outputs) {}
