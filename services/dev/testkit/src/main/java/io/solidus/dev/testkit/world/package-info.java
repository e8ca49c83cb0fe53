/** Keys, notes, wallets and requests of a network of tests. */
@NullMarked
package io.solidus.dev.testkit.world;

import org.jspecify.annotations.NullMarked;
