/** What the bank says, booked and compared with the books: statements, lines, differences. */
@NullMarked
package io.solidus.operator.issuance.statement;

import org.jspecify.annotations.NullMarked;
