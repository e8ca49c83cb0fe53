/** The comparison of the desk's books with what the authorities minted and withdrew. */
@NullMarked
package io.solidus.operator.issuance.reconciliation;

import org.jspecify.annotations.NullMarked;
