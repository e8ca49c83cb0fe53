/** Lists, listed addresses, checkpoints, policies, and the decisions on what others proposed. */
@NullMarked
package io.solidus.operator.console.sanctions;

import org.jspecify.annotations.NullMarked;
