/** The supply ledger and the record of what operators did. */
@NullMarked
package io.solidus.operator.issuance.books;

import org.jspecify.annotations.NullMarked;
