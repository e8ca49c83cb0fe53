/** Four eyes: a proposal of one operator takes effect when another approves it. */
@NullMarked
package io.solidus.operator.sanctions.approval;

import org.jspecify.annotations.NullMarked;
