/** Four eyes: what one operator proposes takes effect by another's approval. */
@NullMarked
package io.solidus.operator.sanctions.approval;

import org.jspecify.annotations.NullMarked;
