/**
 * Reserves person and address for ever, then calls the signer for the coin. The answer never
 * changes.
 */
@NullMarked
package io.solidus.authority.complianceissuer.issuing;

import org.jspecify.annotations.NullMarked;
