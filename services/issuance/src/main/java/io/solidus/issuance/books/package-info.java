/** The supply ledger and the record of what operators did. */
@NullMarked
package io.solidus.issuance.books;

import org.jspecify.annotations.NullMarked;
