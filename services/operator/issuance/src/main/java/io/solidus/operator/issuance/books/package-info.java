/** The supply ledger and the audit log of operators. */
@NullMarked
package io.solidus.operator.issuance.books;

import org.jspecify.annotations.NullMarked;
