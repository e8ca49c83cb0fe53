/** Wallets that pay during faults, and the record of their transfers. */
@NullMarked
package io.solidus.loadtest.chaos.load;

import org.jspecify.annotations.NullMarked;
