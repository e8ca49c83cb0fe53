/** Reads and writes the bank's messages (ISO 20022). Every document is held against its schema. */
@NullMarked
package io.solidus.operator.issuance.message;

import org.jspecify.annotations.NullMarked;
