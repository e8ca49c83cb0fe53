/** Reserves person and address for ever, then has the coin signed. The answer never changes. */
@NullMarked
package io.solidus.authority.complianceissuer.issuing;

import org.jspecify.annotations.NullMarked;
