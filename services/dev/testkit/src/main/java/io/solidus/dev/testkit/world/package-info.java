/** Notes, wallets, requests and a signer of the test network. */
@NullMarked
package io.solidus.dev.testkit.world;

import org.jspecify.annotations.NullMarked;
