/** Wallets that pay under faults, and what they remember of it. */
@NullMarked
package io.solidus.loadtest.chaos.load;

import org.jspecify.annotations.NullMarked;
