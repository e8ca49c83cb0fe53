/** Money: fundings, mints, payouts, what the bank says, and the books. */
@NullMarked
package io.solidus.operator.console.money;

import org.jspecify.annotations.NullMarked;
