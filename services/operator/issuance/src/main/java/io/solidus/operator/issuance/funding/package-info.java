/** Money received at the bank, and the access tokens to it. */
@NullMarked
package io.solidus.operator.issuance.funding;

import org.jspecify.annotations.NullMarked;
