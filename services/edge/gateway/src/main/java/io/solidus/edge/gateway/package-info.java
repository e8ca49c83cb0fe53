/**
 * The REST API for wallets. A gateway can delay a request. It cannot forge an answer, and it learns
 * no identity and no amount.
 */
@NullMarked
package io.solidus.edge.gateway;

import org.jspecify.annotations.NullMarked;
