/**
 * Person and address are reserved once and for ever, then the coin is signed, and the answer never
 * changes.
 */
@NullMarked
package io.solidus.authority.complianceissuer.issuing;

import org.jspecify.annotations.NullMarked;
