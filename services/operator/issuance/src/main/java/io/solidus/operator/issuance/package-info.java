/** Issues coins against money received at the bank and pays out withdrawals. */
@NullMarked
package io.solidus.operator.issuance;

import org.jspecify.annotations.NullMarked;
