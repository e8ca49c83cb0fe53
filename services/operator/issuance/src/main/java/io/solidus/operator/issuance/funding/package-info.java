/** Money received at the bank and the tokens that open it. */
@NullMarked
package io.solidus.operator.issuance.funding;

import org.jspecify.annotations.NullMarked;
