package io.solidus.authority.signer;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.TxCore;

/**
 * Identifies evidence for a core.
 *
 * @param evidence digest over everything besides the core that the verdict depends on
 */
record EvidenceKey(TxCore core, Digest32 evidence) {}
