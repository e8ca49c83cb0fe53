/** Mint requests and their two approvals. */
@NullMarked
package io.solidus.operator.issuance.mint;

import org.jspecify.annotations.NullMarked;
